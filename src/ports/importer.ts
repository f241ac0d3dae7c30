import type { Json, JsonObject } from '../core/encoding/json.js'
import type { FactStatus, Instant } from '../core/facts/fact.js'
import type { MarkdownFolder } from './markdown-folder.js'

/** Where a record was read: a file of the source and its line, if it has lines. */
export interface RecordOrigin {
  readonly file: string
  readonly line?: number
}

/** Whose a record is in the foreign store. A project is a repository address, a folder or a bare name. */
export interface RecordPlace {
  readonly owner?: string | undefined
  readonly project?: string | undefined
}

/** An earlier wording of a fact, oldest first. */
export interface EarlierText {
  readonly text: string
  readonly at: Instant | undefined
}

export interface FactRecord extends RecordPlace {
  readonly kind: 'fact'
  /** Stable within the format: the same record has the same key in every export. */
  readonly key: string
  readonly text: string
  readonly from: RecordOrigin
  readonly memoryType?: 'episodic' | 'semantic' | 'procedural' | undefined
  readonly title?: string | undefined
  readonly subject?: string | undefined
  readonly predicate?: string | undefined
  readonly value?: Json | undefined
  readonly author?: string | undefined
  readonly session?: string | undefined
  readonly date?: string | undefined
  readonly createdAt?: Instant | undefined
  readonly eventAt?: Instant | undefined
  readonly validFrom?: Instant | undefined
  readonly validUntil?: Instant | undefined
  readonly expiresAt?: Instant | undefined
  readonly status?: FactStatus | undefined
  readonly reason?: string | undefined
  readonly confidence?: number | undefined
  readonly importance?: number | undefined
  readonly tags?: readonly string[] | undefined
  /** Key of the fact that replaced this one. */
  readonly supersededBy?: string | undefined
  /** Keys of source records it was read from. */
  readonly derivedFrom?: readonly string[] | undefined
  readonly metadata?: JsonObject | undefined
  readonly earlier?: readonly EarlierText[] | undefined
}

export interface EntityRecord extends RecordPlace {
  readonly kind: 'entity'
  readonly name: string
  readonly from: RecordOrigin
  readonly type?: string | undefined
  readonly description?: string | undefined
  readonly aliases?: readonly string[] | undefined
  readonly createdAt?: Instant | undefined
  readonly metadata?: JsonObject | undefined
}

/** A relation between two entities by name, or from a fact by key. An entity that is missing is created. */
export interface RelationRecord extends RecordPlace {
  readonly kind: 'relation'
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly from: RecordOrigin
  /** Key of the fact that states it. */
  readonly factKey?: string | undefined
  readonly confidence?: number | undefined
  readonly createdAt?: Instant | undefined
  readonly validUntil?: Instant | undefined
  readonly properties?: JsonObject | undefined
}

export interface PassageRecord {
  readonly text: string
  readonly name?: string | undefined
  readonly line?: number | undefined
  readonly locator?: JsonObject | undefined
}

/** A document that facts cite. */
export interface SourceRecord extends RecordPlace {
  readonly kind: 'source'
  readonly key: string
  readonly sourceKind: string
  readonly title: string
  readonly from: RecordOrigin
  readonly createdAt?: Instant | undefined
  readonly passages: readonly PassageRecord[]
  readonly metadata?: JsonObject | undefined
}

export interface ConversationTurn {
  readonly author: 'user' | 'assistant'
  readonly text: string
  readonly at?: Instant | undefined
}

/** A conversation. What of it is stored is decided by the engine, as for captured conversations. */
export interface ConversationRecord extends RecordPlace {
  readonly kind: 'conversation'
  readonly key: string
  /** The client it was held in, such as `claude-code`. */
  readonly client: string
  readonly from: RecordOrigin
  readonly title?: string | undefined
  readonly folder?: string | undefined
  readonly startedAt?: Instant | undefined
  readonly turns: readonly ConversationTurn[]
  readonly files?: readonly string[] | undefined
  readonly commands?: readonly string[] | undefined
}

/** A record that cannot be read, or that is left out on purpose. */
export interface SkippedRecord {
  readonly kind: 'skipped'
  readonly reason: string
  readonly from: RecordOrigin
  /** A fault of the file, rather than something the format leaves out. */
  readonly bad: boolean
}

/** Said once per run, such as how times without a zone were read. */
interface ImportNote {
  readonly kind: 'note'
  readonly text: string
}

/** A line of mneme's own export, which the engine reads itself. */
interface OwnLineRecord {
  readonly kind: 'line'
  readonly text: string
  readonly number: number
  readonly from: RecordOrigin
}

export type ImportRecord =
  | FactRecord
  | EntityRecord
  | RelationRecord
  | SourceRecord
  | ConversationRecord
  | SkippedRecord
  | ImportNote
  | OwnLineRecord

/** The first bytes of a file, and their text without a byte order mark. */
export interface FileHead {
  readonly bytes: Uint8Array
  readonly text: string
  /** Whether it is the whole file. */
  readonly whole: boolean
}

export interface TreeEntry {
  /** Relative to the tree, with forward slashes. */
  readonly path: string
  readonly size: number
  readonly modifiedAt: Instant
}

/** Rows of a foreign database, opened for reading only. */
export interface ForeignDatabase {
  /** Columns by table. */
  readonly tables: ReadonlyMap<string, readonly string[]>
  /** Reads rows in pages; a damaged page ends the iteration with an error. */
  rows(sql: string, ...values: readonly (string | number)[]): AsyncIterable<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

/** A file, folder or archive that is named for import. Nothing outside of it can be read through it. */
export interface ImportTree {
  readonly name: string
  /** What was named: a path, or the name of an upload. */
  readonly origin: string
  readonly kind: 'file' | 'folder' | 'zip'
  /** Sorted by path. */
  readonly entries: readonly TreeEntry[]
  head(path: string): Promise<FileHead>
  /** Decompressed if its name ends in .gz or .zst. */
  bytes(path: string): AsyncIterable<Uint8Array>
  /** Number of decompressed bytes read so far, from any entry. */
  bytesRead(): number
  /** Opens an entry as a database; undefined when it is none. Callers must close it. */
  database(path: string): Promise<ForeignDatabase | undefined>
}

export interface Detection {
  /** What it is, with its version where the file says it. */
  readonly what: string
  readonly version?: string | undefined
}

export interface ReadOptions {
  /** Column or field of the source by field of a memory, such as `text` by `note`. */
  readonly map: ReadonlyMap<string, string>
  /** Now, for dates that lie ahead of it. */
  readonly now: Instant
  /** Also what a format marks as sensitive. */
  readonly sensitive?: boolean
}

/** One foreign format. */
export interface Importer {
  readonly name: string
  readonly title: string
  /** What it reads and what it leaves out, in a sentence. */
  readonly describe: string
  detect(tree: ImportTree): Promise<Detection | undefined>
  read(tree: ImportTree, options: ReadOptions): AsyncIterable<ImportRecord>
}

/** A tree with the format it was recognised as. */
export interface RecognisedTree {
  readonly tree: ImportTree
  readonly importer: Importer
  readonly detection: Detection
  /** A store in its known place on this machine, so that folders it names are folders of this machine. */
  readonly isLocal: boolean
}

/** A tree that no format recognises. */
export interface RefusedTree {
  readonly origin: string
  /** What it seems to be, and what to do with it. */
  readonly seems: string
  readonly hint: string | undefined
}

export interface MachineStore {
  readonly path: string
  readonly format: string
  readonly title: string
  readonly files: number
  readonly bytes: number
  /** Number of records by kind. */
  readonly records: Readonly<Record<string, number>>
  /** False for a large store, of which only the first records are counted. */
  readonly isCounted: boolean
}

/** Foreign stores on this machine and in named paths. */
export interface ImportSources {
  formats(): Promise<readonly Importer[]>
  /** Opens a path and recognises what is in it; a folder may hold several. */
  open(path: string, format: string | undefined): Promise<OpenedSources>
  /** Known places of this machine that hold something. */
  discover(folder: string, now: Instant): Promise<readonly MachineStore[]>
  /** Keeps the report of a run; answers the path of its file. */
  saveReport(run: string, report: string): Promise<string>
  /** A folder of Markdown pages, to write or to watch. */
  markdownFolder(path: string): Promise<MarkdownFolder>
}

export interface OpenedSources {
  readonly recognised: readonly RecognisedTree[]
  readonly refused: readonly RefusedTree[]
}
