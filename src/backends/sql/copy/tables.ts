import type { Dialect } from '../plan/dialect.js'
import type { Connection } from '../plan/plan.js'

/** A store as tables, for copying. */
export interface StoreTables {
  readonly connection: Connection
  readonly dialect: Dialect
  /** Location of the store, for messages. */
  readonly location: string
  close(): Promise<void>
}

/** How a table is copied: owner by owner, in key order. */
export interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Key columns within an owner. */
  readonly key: readonly string[]
  /** Columns that contain row numbers of facts. */
  readonly rows: readonly string[]
}

/** Tables that are rebuilt from facts or owners, or belong to a process. */
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

/** Columns that both journals share; entry and row numbers may differ. */
export function journalTable(shapes: readonly TableShape[]): CopiedTable {
  const columns = shapes.find(({ name }) => name === 'journal')?.columns ?? []
  return { name: 'journal', columns, key: ['seq'], rows: ['seq', 'target_row', 'head_seal'] }
}

/** The journal and the calls that refer to it are copied separately. */
export const copiedTables = (shapes: readonly TableShape[]): readonly CopiedTable[] =>
  shapes.filter(({ name }) => !LEFT_OUT.has(name)).map((shape) => ({ ...shape, rows: ROW_COLUMNS[shape.name] ?? [] }))
