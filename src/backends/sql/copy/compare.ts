import { createHash } from 'node:crypto'
import type { Row } from '../plan/plan.js'
import { pagesOf } from './copy-owner.js'
import type { CopiedTable, StoreTables } from './tables.js'

export interface Difference {
  readonly owner: string
  readonly table: string
  readonly what: string
}

interface Sum {
  readonly rows: number
  readonly hash: string
}

/** Excludes numbers that the target assigns itself. */
async function sumOf({ connection }: StoreTables, table: CopiedTable, owner: string, keepsRows: boolean): Promise<Sum> {
  const hash = createHash('sha256')
  const columns = table.columns.filter((column) => keepsRows || !table.rows.includes(column))
  let rows = 0
  for await (const page of pagesOf(connection, table, owner))
    for (const row of page) {
      rows++
      hash.update(columns.map((column) => written(row, column)).join('\u0001'))
      hash.update('\u0002')
    }
  return { rows, hash: hash.digest('hex') }
}

function written(row: Row, column: string): string {
  const value = row[column]
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  return value === null || value === undefined ? '\u0000' : String(value)
}

export interface Comparison {
  readonly from: StoreTables
  readonly to: StoreTables
  readonly tables: readonly CopiedTable[]
  readonly keepsRows: boolean
}

/** Compares one owner in both stores, by counts and hashes. */
export async function compareOwner({ from, to, tables, keepsRows }: Comparison, owner: string): Promise<readonly Difference[]> {
  const differences: Difference[] = []
  // Vectors are compared by their codes, which are in tables of their own.
  for (const table of tables.filter(({ name }) => !name.startsWith('vec_'))) {
    const keeps = keepsRows && table.name !== 'journal'
    const [before, after] = [await sumOf(from, table, owner, keeps), await sumOf(to, table, owner, keeps)]
    if (before.rows !== after.rows) differences.push({ owner, table: table.name, what: `${before.rows} rows, ${after.rows} in the copy` })
    else if (before.hash !== after.hash) differences.push({ owner, table: table.name, what: 'other contents' })
  }
  return differences
}
