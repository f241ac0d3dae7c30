import type { StatementHeader } from '../../ports/view.js'
import { accessesAt, selectStatementHeaders } from '../sql/statements/statement-headers.js'
import type { FollowedConnection } from './fact-shards.js'
import { byRow, type RowLocation, type ViewRows } from './view-rows.js'

interface PlacedRow extends RowLocation {
  readonly row: number
}

/**
 * Statement headers, cached while the shard holds the document. Recall counts change without a journal entry, and are read again after any
 * write.
 */
export async function readStatementHeaders(
  connection: FollowedConnection,
  numbers: ViewRows,
  rows: readonly number[],
): Promise<ReadonlyMap<number, StatementHeader>> {
  const mark = connection.changeMark()
  const placed: PlacedRow[] = []
  const unread: PlacedRow[] = []
  const outdated: PlacedRow[] = []
  for (const row of rows) {
    const place = numbers.placeOf(row)
    if (place === undefined) continue
    const entry = { row, ...place }
    placed.push(entry)
    const kept = place.shard.documents.headerAt(place.slot)
    if (kept === undefined) unread.push(entry)
    else if (kept.mark !== mark) outdated.push(entry)
  }
  if (unread.length > 0) await read(connection, numbers, unread, mark)
  if (outdated.length > 0) await recount(connection, numbers, outdated, mark)
  const found = new Map<number, StatementHeader>()
  for (const { row, shard, slot } of placed) {
    const header = shard.documents.headerAt(slot)?.header
    if (header !== undefined) found.set(row, header.rid === row ? header : { ...header, rid: row })
  }
  return found
}

const rowsOf = (placed: readonly PlacedRow[]): readonly number[] => placed.map(({ row }) => row)

async function read(connection: FollowedConnection, numbers: ViewRows, placed: readonly PlacedRow[], mark: number): Promise<void> {
  const found = await byRow(
    numbers,
    rowsOf(placed),
    (owner, rids) => connection.read(() => selectStatementHeaders(owner, rids)),
    (header) => header,
  )
  for (const { row, shard, slot } of placed) {
    const header = found.get(row)
    if (header !== undefined) shard.documents.cacheHeader(slot, { header, mark })
  }
}

async function recount(connection: FollowedConnection, numbers: ViewRows, placed: readonly PlacedRow[], mark: number): Promise<void> {
  const counts = await byRow(
    numbers,
    rowsOf(placed),
    (owner, rids) => connection.read(() => accessesAt(owner, rids)),
    (count) => count,
  )
  for (const { row, shard, slot } of placed) {
    const kept = shard.documents.headerAt(slot)
    const accesses = counts.get(row) ?? 0
    if (kept !== undefined)
      shard.documents.cacheHeader(slot, { header: kept.header.accesses === accesses ? kept.header : { ...kept.header, accesses }, mark })
  }
}
