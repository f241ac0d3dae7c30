import type { JsonObject } from '../core/encoding/json.js'

/** An optional package that mneme uses if installed. */
export interface OptionalPackage {
  readonly name: string
  readonly version: string
  /** The command that installs it where mneme finds it. */
  readonly command: string
}

export type DerivedKind = 'lancedb' | 'kuzu'

/** A text with its vector, as stored in the derived table. */
export interface SemanticRow {
  /** `<object id>#<passage id>`, or `<object id>#object`. */
  readonly chunkId: string
  readonly objectId: string
  readonly owner: string
  /** Hash of the text. */
  readonly hash: string
  readonly vector: Float32Array
}

interface SemanticHit {
  readonly chunkId: string
  readonly objectId: string
  /** The cosine distance. */
  readonly distance: number
}

/** A derived table of vectors. Each call sees the writes of every process before it. */
export interface SemanticTable {
  /** Builds a new table from these rows and replaces the old one; an interrupted build changes nothing. */
  rebuild(dimensions: number, model: string, rows: AsyncIterable<readonly SemanticRow[]>): Promise<number>
  /** Replaces all rows of these objects. */
  replace(objects: readonly string[], rows: readonly SemanticRow[]): Promise<void>
  /** Exact search within one owner's rows, nearest first. */
  search(vector: Float32Array, owner: string, limit: number): Promise<readonly SemanticHit[]>
  /** The model of the table; undefined without a table. */
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
  /** The id it is derived from; it is removed with that object. */
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

/** A derived copy of the graph. Each call sees the writes of every process before it. */
export interface GraphMirror {
  /** Builds a new database and replaces the old one; an interrupted build changes nothing. */
  rebuild(contents: GraphContents): Promise<void>
  /** Replaces the records of these ids and the relations derived from them. */
  replace(ids: readonly string[], contents: GraphContents): Promise<void>
  /** A record with its relations, in both directions, and their targets. */
  around(id: string, limit: number): Promise<GraphContents>
  /** Counts of an owner; undefined without a copy. */
  counts(owner: string): Promise<{ readonly records: number; readonly relations: number } | undefined>
  /** Record ids of an owner, in pages, for comparison. */
  ids(owner: string, after: string, limit: number): Promise<readonly string[]>
  close(): Promise<void>
}

/** Derived databases, loaded on demand. */
export interface DerivedBackends {
  /** True if any was ever created here; cheap. */
  present(): boolean
  /** The package to install, or undefined if it is installed. */
  missing(kind: DerivedKind): Promise<OptionalPackage | undefined>
  /** Rejects with `unavailable`, naming package and command, when the package is missing. */
  semantic(): Promise<SemanticTable>
  graph(): Promise<GraphMirror>
  close(): Promise<void>
}
