import type { JsonObject } from '../core/encoding/json.js'

/** An optional package that mneme can use where it is installed. */
export interface OptionalPackage {
  readonly name: string
  readonly version: string
  /** What installs it where mneme finds it. */
  readonly command: string
}

export type DerivedKind = 'lancedb' | 'kuzu'

/** A text with its vector, as a derived table holds it. */
export interface SemanticRow {
  /** `<object id>#<passage id>`, or `<object id>#object`. */
  readonly chunkId: string
  readonly objectId: string
  readonly owner: string
  /** Tells one state of the text from another. */
  readonly hash: string
  readonly vector: Float32Array
}

export interface SemanticHit {
  readonly chunkId: string
  readonly objectId: string
  /** The cosine distance. */
  readonly distance: number
}

/** A table of vectors kept beside the store. Each call sees what every process has written before it. */
export interface SemanticTable {
  /** Builds a new table of these rows and puts it in the place of the old one; an interrupted build changes nothing. */
  rebuild(dimensions: number, model: string, rows: AsyncIterable<readonly SemanticRow[]>): Promise<number>
  /** Puts these rows in the place of all rows of their objects, together. */
  replace(objects: readonly string[], rows: readonly SemanticRow[]): Promise<void>
  /** Exact search within one owner's rows, nearest first. */
  search(vector: Float32Array, owner: string, limit: number): Promise<readonly SemanticHit[]>
  /** The model that the table was made with; undefined when there is no table. */
  model(): Promise<string | undefined>
  /** Every chunk of an owner with its hash. */
  contents(owner: string): Promise<ReadonlyMap<string, string>>
  close(): Promise<void>
}

export interface GraphRecord {
  readonly id: string
  readonly objectType: string
  readonly owner: string
  readonly kind: string
  readonly title: string
  readonly status: string
}

export interface GraphRelation {
  readonly id: string
  /** What it follows from: it goes when that goes. */
  readonly origin: string
  readonly source: string
  readonly target: string
  readonly relation: string
  readonly payload: JsonObject
}

export interface GraphContents {
  readonly records: readonly GraphRecord[]
  readonly relations: readonly GraphRelation[]
}

/** A copy of the graph kept beside the store. Each call sees what every process has written before it. */
export interface GraphMirror {
  /** Builds a new database and puts it in the place of the old one; an interrupted build changes nothing. */
  rebuild(contents: GraphContents): Promise<void>
  /** Puts records and the relations that follow from these ids in the place of what there was of them. */
  replace(ids: readonly string[], contents: GraphContents): Promise<void>
  /** A record with its relations, in both directions, and what they lead to. */
  around(id: string, limit: number): Promise<GraphContents>
  /** How much it holds of an owner; undefined when there is no copy. */
  counts(owner: string): Promise<{ readonly records: number; readonly relations: number } | undefined>
  /** All records of an owner by their ids, in pages, for comparing. */
  ids(owner: string, after: string, limit: number): Promise<readonly string[]>
  close(): Promise<void>
}

/** Derived databases, loaded on demand. */
export interface DerivedBackends {
  /** Whether any was ever begun here: asking costs nothing. */
  present(): boolean
  /** Undefined when the package is there; else what has to be installed. */
  missing(kind: DerivedKind): Promise<OptionalPackage | undefined>
  /** Rejects with `unavailable`, naming package and command, when the package is missing. */
  semantic(): Promise<SemanticTable>
  graph(): Promise<GraphMirror>
  close(): Promise<void>
}
