import { fullText } from '../../../core/embedding/fact-text.js'
import { all, type Connection, number, type Plan, type Query, type Row, run, type Value } from '../plan/plan.js'
import { toFact } from '../plan/rows.js'
import type { CopiedTable, StoreTables } from './tables.js'

const PAGE_SIZE = 500
/** Maximum number of values per statement in every database. */
const MAX_VALUES = 900

export const scalar = (value: unknown): Value =>
  value === null || value === undefined
    ? null
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array
      ? value
      : String(value)

/** Rows of one owner in key order, page by page. */
export async function* pagesOf(
  connection: Connection,
  { name, columns, key }: Pick<CopiedTable, 'name' | 'columns' | 'key'>,
  owner: string,
): AsyncGenerator<readonly Row[]> {
  const order = key.join(', ')
  for (let last: readonly Value[] | undefined; ; ) {
    const after = last
    const rows: readonly Row[] = await connection.read(() =>
      after === undefined
        ? run(`SELECT ${columns.join(', ')} FROM ${name} WHERE owner = ? ORDER BY ${order} LIMIT ?`, owner, PAGE_SIZE)
        : run(
            `SELECT ${columns.join(', ')} FROM ${name} WHERE owner = ? AND (${order}) > (${key.map(() => '?').join(', ')}) ORDER BY ${order} LIMIT ?`,
            owner,
            ...after,
            PAGE_SIZE,
          ),
    )
    if (rows.length > 0) yield rows
    const end = rows[rows.length - 1]
    if (end === undefined || rows.length < PAGE_SIZE) return
    last = key.map((column) => scalar(end[column]))
  }
}

/** Inserts several rows per statement. */
export function* insertRows(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Plan<void> {
  const max = Math.max(1, Math.floor(MAX_VALUES / columns.length))
  const marks = `(${columns.map(() => '?').join(', ')})`
  for (let i = 0; i < rows.length; i += max) {
    const some = rows.slice(i, i + max)
    yield* run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${some.map(() => marks).join(', ')}`, ...some.flat())
  }
}

export async function emptyOwner({ connection, dialect }: StoreTables, tables: readonly CopiedTable[], owner: string): Promise<void> {
  await connection.write(function* (): Plan<void> {
    yield* all(dialect.clear(owner))
    for (const { name, columns } of tables)
      if (columns.includes('owner') && !name.startsWith('vec_')) yield* run(`DELETE FROM ${name} WHERE owner = ?`, owner)
  })
}

interface OwnerCopy {
  readonly from: StoreTables
  readonly to: StoreTables
  readonly tables: readonly CopiedTable[]
  readonly owner: string
  /** Added to row numbers of facts. */
  readonly offset: number
  readonly signal: AbortSignal
}

/** Copies all rows of one owner. Returns the highest row number of a fact in the target. */
export async function copyOwner({ from, to, tables, owner, offset, signal }: OwnerCopy): Promise<number> {
  let highest = offset
  for (const table of tables) {
    const isVector = table.name.startsWith('vec_')
    const source = isVector ? from.dialect.vectorRows(table.name === 'vec_facts' ? 'facts' : 'passages', owner) : undefined
    const pages = source === undefined ? pagesOf(from.connection, table, owner) : vectorPages(from.connection, source)
    for await (const rows of pages) {
      signal.throwIfAborted()
      const columns = isVector ? to.dialect.vectorColumns : table.columns
      const values = rows.map((row) =>
        columns.map((column) => {
          const value = column === 'owner' ? owner : scalar(row[column])
          return table.rows.includes(column) && typeof value === 'number' ? value + offset : value
        }),
      )
      if (table.name === 'facts') for (const row of rows) highest = Math.max(highest, number(row, 'rid') + offset)
      await to.connection.write(
        function* (): Plan<void> {
          yield* insertRows(table.name, columns, values)
          if (table.name === 'facts') yield* putWords(to, rows, offset)
        },
        { durable: false },
      )
    }
  }
  return highest
}

async function* vectorPages(connection: Connection, query: (after: string, limit: number) => Query): AsyncGenerator<readonly Row[]> {
  for (let after = ''; ; ) {
    const { text, values } = query(after, PAGE_SIZE)
    const rows: readonly Row[] = await connection.read(() => run(text, ...values))
    if (rows.length > 0) yield rows
    const last = rows[rows.length - 1]
    if (last === undefined || rows.length < PAGE_SIZE) return
    after = String(last.id)
  }
}

/** The target builds its own full-text index. */
function* putWords({ dialect }: StoreTables, rows: readonly Row[], offset: number): Plan<void> {
  for (const row of rows) {
    const fact = toFact(row)
    const { title, text } = fullText(fact)
    yield* all(dialect.lexicalPut(fact.owner, number(row, 'rid') + offset, title, text))
  }
}
