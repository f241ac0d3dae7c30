import type { Passage, Source } from '../core/facts/source.js'
import type { CodeReference } from '../core/journal/change.js'
import type { LexicalFields } from '../core/recall/lexical/fields.js'

/** Cheap vectors for passages without a vector of the model. They have a vector space of their own. */
export interface RoughEmbedder {
  readonly dimensions: number
  passage(text: string): Float32Array
  /** The vector of a query, combined with the model's vector if there is one. */
  query(text: string, vector: Float32Array | undefined): Float32Array
}

/** A filter applied inside the index, before any limit. */
export interface CodeFilter {
  /** Project ids; undefined searches all. */
  readonly sources?: readonly string[] | undefined
  /** The owner; undefined searches all. */
  readonly owner?: string | undefined
  /** Source kinds, such as `repo`; undefined searches all. */
  readonly sourceKinds?: readonly string[] | undefined
  /** Leaves out archived sources. */
  readonly active?: true
  readonly language?: string | undefined
  readonly kind?: string | undefined
  /** A path pattern (`pathGlob`). */
  readonly path?: string | undefined
}

export interface CodeQuery {
  readonly terms: readonly string[]
  readonly fields: LexicalFields
  /** The model's vector. Without it, passages are found by rough vectors and keywords. */
  readonly vector: Float32Array | undefined
  readonly rough: Float32Array
  /** Names whose definitions are always candidates. */
  readonly names: readonly string[]
  readonly pool: CodeFilter
  /** Candidates per search. */
  readonly limit: number
}

export interface CodeCandidate {
  readonly rid: number
  /** The same for other passages of a file. */
  readonly file: string
  readonly kind: string
  readonly bm25: number
  /** Number of the query's words that it holds, and of all its words. */
  readonly terms: number
  readonly length: number
  /** Sum of the rarities of the query's words that it holds. */
  readonly rarity: number
  /** Null while the passage or the query has no vector of the model. */
  readonly cosine: number | null
  /** Similarity of the rough vectors. */
  readonly rough: number | null
  /** The names of the query that the passage defines. */
  readonly defines: readonly string[]
}

export interface CodeAnswer {
  readonly candidates: readonly CodeCandidate[]
  /** Number of passages that were searched. */
  readonly documents: number
  /** Sum of the IDFs of all terms of the query, including unmatched ones. */
  readonly wholeRarity: number
  /** Scores of further passages; those outside the filter are omitted. */
  also(rids: readonly number[]): Promise<readonly CodeCandidate[]>
  /** Callers must close it, so that its shards can be evicted. */
  close(): void
}

/** A use of a name resolved to its definition by name only, so a best effort. */
export interface CodeLink {
  readonly from: number
  readonly to: number
  readonly kind: CodeReference['kind']
  readonly name: string
  /** 1 if the definition is certain, less if several are possible. */
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
  /** Passages with a vector of the model. */
  readonly embedded: number
  /** Skipped files, by reason. */
  readonly skipped: Readonly<Record<string, number>>
}

export interface PlacedPassage {
  readonly rid: number
  readonly passage: Passage
}

/** Reads of an indexed repository. */
interface ProjectReads {
  projects(): Promise<readonly Source[]>
  files(sourceId: string): Promise<ReadonlyMap<string, StoredFile>>
  tally(sourceId: string): Promise<CodeTally>
}

/** Indexed repositories. A search sees every acknowledged write of every process. */
export interface CodeIndex extends ProjectReads {
  passages(rids: readonly number[]): Promise<readonly PlacedPassage[]>
  find(id: string): Promise<PlacedPassage | undefined>
  /** The model's vectors of one file of a source, by passage id; passages without one are omitted. */
  vectors(sourceId: string, path: string): Promise<ReadonlyMap<string, Float32Array>>
  search(question: CodeQuery): Promise<CodeAnswer>
  /** True if the owner, or any owner, has captured something; reads at most the list of sources. */
  hasSources(owner: string | undefined): Promise<boolean>
  /** Links that start (`outgoing`) or end (`incoming`) at these passages, within their project. */
  links(rids: readonly number[], direction: 'outgoing' | 'incoming'): Promise<readonly CodeLink[]>
  /** Loads the search indexes or catches up. */
  warm(): Promise<void>
}
