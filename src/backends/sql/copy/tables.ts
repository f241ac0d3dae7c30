import type { Dialect } from '../dialect.js'
import type { Connection } from '../plan.js'

/** A store as its tables, for copying: nothing is known of what they mean but what is said here. */
export interface StoreTables {
  readonly connection: Connection
  readonly dialect: Dialect
  /** Where it is, for people. */
  readonly location: string
  close(): Promise<void>
}

/** How one table is copied: owner by owner, in the order of its key. */
export interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The key within an owner. */
  readonly key: readonly string[]
  /** Columns that hold the number of one of the owner's facts. */
  readonly rows: readonly string[]
}

/** What is made anew from the facts, counted by the owners' rows, or belongs to a process. */
const LEFT_OUT = new Set(['meta', 'jobs', 'nonces', 'owners', 'journal', 'calls', 'claims', 'fts_facts'])

const ROW_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  facts: ['rid'],
  mentions: ['rid'],
  fact_codes: ['rid'],
  piece_codes: ['rid'],
}

export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

/** Entries as both have them: their numbers, and those of facts in them, may be the target's own. */
export function journalTable(shapes: readonly TableShape[]): CopiedTable {
  const columns = shapes.find(({ name }) => name === 'journal')?.columns ?? []
  return { name: 'journal', columns, key: ['seq'], rows: ['seq', 'target_row', 'head_seal'] }
}

/** The journal and the calls that refer to it have steps of their own. */
export const copiedTables = (shapes: readonly TableShape[]): readonly CopiedTable[] =>
  shapes.filter(({ name }) => !LEFT_OUT.has(name)).map((shape) => ({ ...shape, rows: ROW_COLUMNS[shape.name] ?? [] }))
