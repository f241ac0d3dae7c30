import { first, number, type Plan, type Row, run, text } from '../plan/plan.js'
import { headSeal } from '../plan/row-checksums.js'
import { insertRows, scalar } from './copy-owner.js'
import type { StoreTables, TableShape } from './tables.js'

const PAGE_SIZE = 500

/** The number of an owner's entry in the target. */
export type SeqMap = (owner: string, seq: number) => number

interface JournalCopy {
  readonly from: StoreTables
  readonly to: StoreTables
  readonly owners: readonly string[]
  /** Facts have the same row numbers in both. */
  readonly keepsRows: boolean
  readonly shapes: readonly TableShape[]
  readonly signal: AbortSignal
}

/**
 * Copies entries in HLC order and numbers them per owner or for all owners, as the target does. Entries copied by an earlier run stay,
 * since the order is the same.
 */
export async function copyJournal({
  from,
  to,
  keepsRows,
  shapes,
  signal,
}: JournalCopy): Promise<{ readonly entries: number; readonly seqs: SeqMap }> {
  const columns = shapes.find(({ name }) => name === 'journal')?.columns ?? []
  const together = to.dialect.numbers === 'together'
  const seqs = new Map<string, Map<number, number>>()
  const last = new Map<string, number>()
  const rows = keepsRows ? undefined : await factNumbers(to)
  const there = await to.connection.read(() => first(`SELECT count(*) AS n FROM journal`))
  const copied = there === undefined ? 0 : number(there, 'n')
  let entries = 0
  const numbered = (row: Row): Row => {
    const owner = text(row, 'owner')
    const counter = together ? '' : owner
    const seq = (last.get(counter) ?? 0) + 1
    last.set(counter, seq)
    const own = seqs.get(owner) ?? new Map<number, number>()
    seqs.set(owner, own)
    own.set(number(row, 'seq'), seq)
    if (rows === undefined || row.target_kind !== 'fact' || row.target_row === null) return { ...row, seq }
    const moved = { ...row, seq, target_row: rows.get(text(row, 'target')) ?? null }
    return { ...moved, head_seal: headSeal(moved) }
  }
  for (let after: string | undefined; ; ) {
    signal.throwIfAborted()
    const beyond = after
    const page = await from.connection.read(() =>
      beyond === undefined
        ? run(`SELECT ${columns.join(', ')} FROM journal ORDER BY hlc, owner LIMIT ?`, PAGE_SIZE)
        : run(`SELECT ${columns.join(', ')} FROM journal WHERE hlc > ? ORDER BY hlc, owner LIMIT ?`, beyond, PAGE_SIZE),
    )
    const end = page[page.length - 1]
    if (end === undefined) break
    after = text(end, 'hlc')
    // Entries of two owners may have the same HLC, so a page is extended to include all of them.
    const rest =
      page.length < PAGE_SIZE
        ? []
        : await from.connection.read(() => run(`SELECT ${columns.join(', ')} FROM journal WHERE hlc = ?`, text(end, 'hlc')))
    const known = new Set(page.filter((row) => row.hlc === end.hlc).map((row) => row.owner))
    const whole = [...page, ...rest.filter((row) => !known.has(row.owner))].map(numbered)
    const fresh = whole.slice(Math.max(0, copied - entries))
    entries += whole.length
    if (fresh.length > 0)
      await to.connection.write(
        function* (): Plan<void> {
          yield* insertRows(
            'journal',
            columns,
            fresh.map((row) => columns.map((column) => scalar(row[column]))),
          )
        },
        { durable: false },
      )
    if (page.length < PAGE_SIZE) break
  }
  return { entries, seqs: (owner, seq) => seqs.get(owner)?.get(seq) ?? seq }
}

/** Row numbers of facts in the target, by id. */
async function factNumbers({ connection }: StoreTables): Promise<ReadonlyMap<string, number>> {
  const rows = await connection.read(() => run(`SELECT id, rid FROM facts`))
  return new Map(rows.map((row) => [text(row, 'id'), number(row, 'rid')]))
}
