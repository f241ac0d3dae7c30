import type { Passage, Source } from '../core/facts/source.js'
import type { CodeReference } from '../core/journal/change.js'
import type { LexicalFields } from '../core/recall/fields.js'

/** Vectors that cost next to nothing, for passages that still wait for the model's. Another space than the model's. */
export interface RoughEmbedder {
  readonly dimensions: number
  passage(text: string): Float32Array
  /** A question, with the model's vector of it where there is one. */
  query(text: string, vector: Float32Array | undefined): Float32Array
}

/** What may be found: filtered inside the index, before any cut. */
export interface CodeFilter {
  /** Ids of projects; undefined searches all. */
  readonly sources?: readonly string[] | undefined
  /** Whose sources; undefined searches everyone's. */
  readonly owner?: string | undefined
  /** Kinds of sources, such as `repo`; undefined searches all. */
  readonly sourceKinds?: readonly string[] | undefined
  readonly language?: string | undefined
  readonly kind?: string | undefined
  /** A pattern of paths (`pathGlob`). */
  readonly path?: string | undefined
}

export interface CodeQuery {
  readonly terms: readonly string[]
  readonly fields: LexicalFields
  /** The model's vector; without it, passages that have one are found by their words only. */
  readonly vector: Float32Array | undefined
  readonly rough: Float32Array
  /** Names whose definitions are wanted in any case. */
  readonly names: readonly string[]
  readonly pool: CodeFilter
  /** Candidates from each side. */
  readonly limit: number
}

export interface CodeCandidate {
  readonly rid: number
  /** The same for passages of one file. */
  readonly file: string
  readonly kind: string
  readonly bm25: number
  /** Null while the model's vector is still to be made, or when the question has none. */
  readonly cosine: number | null
  /** Similarity of the rough vectors. */
  readonly rough: number | null
  /** The asked names that the passage defines. */
  readonly defines: readonly string[]
}

export interface CodeAnswer {
  readonly candidates: readonly CodeCandidate[]
  /** The same scores for further passages; those outside the pool are left out. */
  also(rids: readonly number[]): Promise<readonly CodeCandidate[]>
  /** Whoever asked closes it, so that its memory can be let go. */
  close(): void
}

/** A use of a name resolved to its definition: a best effort, since only names are compared. */
export interface CodeLink {
  readonly from: number
  readonly to: number
  readonly kind: CodeReference['kind']
  readonly name: string
  /** 1 where the definition is certain, less where several may be meant. */
  readonly weight: number
}

export interface StoredFile {
  readonly size: number
  readonly modifiedAt: number
  readonly hash: string
  readonly skipped: string | null
}

export interface CodeTally {
  readonly files: number
  readonly passages: number
  /** Passages that have the model's vector. */
  readonly embedded: number
  /** Files read and left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
}

export interface PlacedPassage {
  readonly rid: number
  readonly passage: Passage
}

/** What there is of a repository. */
export interface ProjectReads {
  projects(): Promise<readonly Source[]>
  files(sourceId: string): Promise<ReadonlyMap<string, StoredFile>>
  tally(sourceId: string): Promise<CodeTally>
}

/** Indexed repositories. A search sees every write acknowledged before it, of every process. */
export interface CodeIndex extends ProjectReads {
  passages(rids: readonly number[]): Promise<readonly PlacedPassage[]>
  find(id: string): Promise<PlacedPassage | undefined>
  /** The model's vectors of one file of a source, by the ids of its passages; those that wait for theirs are left out. */
  vectors(sourceId: string, path: string): Promise<ReadonlyMap<string, Float32Array>>
  search(question: CodeQuery): Promise<CodeAnswer>
  /** Links that start (`outgoing`) or end (`incoming`) at these passages, within their project. */
  links(rids: readonly number[], direction: 'outgoing' | 'incoming'): Promise<readonly CodeLink[]>
  /** Loads the search structures or brings them up to date. */
  warm(): Promise<void>
}
