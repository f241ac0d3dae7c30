import { MemoryError } from '../../../errors.js'
import { STORE_ROW } from '../owners/owners.js'
import { first, number, numberOrNull, type Plan, type Row, run, text } from '../plan/plan.js'
import { compareOwner, type Difference } from './compare.js'
import { copyJournal, type SeqMap } from './copy-journal.js'
import { copyOwner, emptyOwner, scalar } from './copy-owner.js'
import { copiedTables, journalTable, type StoreTables, type TableShape } from './tables.js'

interface CopyOptions {
  readonly from: StoreTables
  readonly to: StoreTables
  readonly shapes: readonly TableShape[]
  progress(message: string): void
  readonly signal: AbortSignal
}

export interface CopyReport {
  readonly owners: number
  readonly facts: number
  readonly entries: number
  /** Owners copied by an earlier run. */
  readonly resumed: number
}

/** The key under which the target records its source and progress. */
const MIGRATION_KEY = 'migration'

interface State {
  readonly from: string
  /** The last owner that was copied completely. */
  readonly last: string | null
  readonly finished: boolean
}

/**
 * Copies a whole store, owner by owner, with journal and vectors, then compares both. An interrupted copy continues with its current owner.
 * If numbers of several owners would collide, rows and entries are renumbered in order.
 */
export async function copyStore({ from, to, shapes, progress, signal }: CopyOptions): Promise<CopyReport> {
  const tables = copiedTables(shapes)
  const owners = await ownersOf(from)
  const state = await begin(from, to)
  const resumed = state.last === null ? 0 : owners.indexOf(state.last) + 1
  let last = state.last
  const keepsRows = to.dialect.numbers === 'by owner' || (await areDistinct(from, 'facts', 'rid'))
  let offset = keepsRows ? 0 : await highestRow(to)
  for (const [nth, owner] of owners.entries()) {
    signal.throwIfAborted()
    if (nth < resumed) continue
    progress(`owner ${nth + 1} of ${owners.length}: ${owner}`)
    await emptyOwner(to, tables, owner)
    offset = await copyOwner({ from, to, tables, owner, offset: keepsRows ? 0 : offset, signal })
    last = owner
    await remember(to, { from: from.location, last, finished: false })
  }
  progress('journal')
  const { entries, seqs } = await copyJournal({ from, to, owners, keepsRows, shapes, signal })
  await copyCalls(from, to, seqs, shapes)
  await settleOwners(from, to, owners)
  progress('comparing')
  const differences: Difference[] = []
  for (const owner of owners) {
    signal.throwIfAborted()
    differences.push(...(await compareOwner({ from, to, tables: [...tables, journalTable(shapes)], keepsRows }, owner)))
  }
  if (differences.length > 0) throw differ(differences)
  await remember(to, { from: from.location, last, finished: true })
  const facts = await count(to, 'facts')
  return { owners: owners.length, facts, entries, resumed }
}

const differ = (differences: readonly Difference[]): MemoryError =>
  new MemoryError(
    'conflict',
    `The copy is not the same as its source: ${differences
      .slice(0, 3)
      .map(({ owner, table, what }) => `${table} of ${owner} (${what})`)
      .join(', ')}${differences.length > 3 ? ` and ${differences.length - 3} more` : ''}.`,
    { hint: 'The source was modified during the copy. Stop every mneme process that uses it, empty the target and migrate again.' },
  )

/** Every owner with data: the row of an owner is created with its first commit. */
async function ownersOf({ connection }: StoreTables): Promise<readonly string[]> {
  const rows = await connection.read(() => run(`SELECT owner FROM owners WHERE owner <> ? ORDER BY owner`, STORE_ROW))
  return rows.map((row) => text(row, 'owner'))
}

async function count({ connection }: StoreTables, table: string): Promise<number> {
  const row = await connection.read(() => first(`SELECT count(*) AS n FROM ${table}`))
  return row === undefined ? 0 : number(row, 'n')
}

async function areDistinct({ connection }: StoreTables, table: string, column: string): Promise<boolean> {
  const row = await connection.read(() => first(`SELECT count(*) - count(DISTINCT ${column}) AS n FROM ${table}`))
  return row === undefined || number(row, 'n') === 0
}

async function highestRow({ connection }: StoreTables): Promise<number> {
  const row = await connection.read(() => first(`SELECT coalesce(max(rid), 0) AS rid FROM facts`))
  return row === undefined ? 0 : number(row, 'rid')
}

/** The target must be empty, or contain an unfinished copy of the same source. */
async function begin(from: StoreTables, to: StoreTables): Promise<State> {
  const row = await to.connection.read(() => first(`SELECT value FROM meta WHERE key = ?`, MIGRATION_KEY))
  const known = row === undefined ? undefined : readState(text(row, 'value'))
  if (known !== undefined && known.from === from.location && !known.finished) return known
  const filled = (await count(to, 'owners')) > 0
  if (filled)
    throw new MemoryError(
      'conflict',
      `The store at ${to.location} is not empty${known === undefined ? '' : `: it is a copy of ${known.from}`}.`,
      {
        hint: 'Nothing was changed. Pass a new file, or an empty database.',
      },
    )
  const state: State = { from: from.location, last: null, finished: false }
  await remember(to, state)
  await copyMeta(from, to)
  return state
}

function readState(stored: string): State {
  const value: unknown = JSON.parse(stored)
  const state: { from?: unknown; last?: unknown; finished?: unknown } = typeof value === 'object' && value !== null ? value : {}
  return {
    from: String(state.from ?? ''),
    last: typeof state.last === 'string' ? state.last : null,
    finished: state.finished === true,
  }
}

const remember = ({ connection }: StoreTables, state: State): Promise<void> =>
  connection.write(function* (): Plan<void> {
    yield* run(`DELETE FROM meta WHERE key = ?`, MIGRATION_KEY)
    yield* run(`INSERT INTO meta (key, value) VALUES (?, ?)`, MIGRATION_KEY, JSON.stringify(state))
  })

/** Copies the embedding model and the control records. */
async function copyMeta(from: StoreTables, to: StoreTables): Promise<void> {
  const rows = await from.connection.read(() => run(`SELECT key, value FROM meta WHERE key IN ('model', 'arrangements')`))
  await to.connection.write(function* (): Plan<void> {
    for (const row of rows) {
      yield* run(`DELETE FROM meta WHERE key = ?`, text(row, 'key'))
      yield* run(`INSERT INTO meta (key, value) VALUES (?, ?)`, text(row, 'key'), text(row, 'value'))
    }
  })
}

/** Recorded calls refer to journal entries by number. */
async function copyCalls(from: StoreTables, to: StoreTables, seqs: SeqMap, shapes: readonly TableShape[]): Promise<void> {
  const columns = shapes.find(({ name }) => name === 'calls')?.columns ?? []
  const rows = await from.connection.read(() => run(`SELECT ${columns.join(', ')} FROM calls`))
  await to.connection.write(function* (): Plan<void> {
    yield* run(`DELETE FROM calls`)
    for (const row of rows) {
      const entries: unknown = JSON.parse(text(row, 'entries'))
      const moved = (Array.isArray(entries) ? entries : []).map((entry: unknown) => {
        const [owner, firstSeq, lastSeq] = Array.isArray(entry) ? entry : []
        return [owner, seqs(String(owner), Number(firstSeq)), seqs(String(owner), Number(lastSeq))]
      })
      yield* run(
        `INSERT INTO calls (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        ...columns.map((column) => (column === 'entries' ? JSON.stringify(moved) : scalar(row[column]))),
      )
    }
  })
}

/** Sets the watermark of each owner to the numbers of the target. */
async function settleOwners(from: StoreTables, to: StoreTables, owners: readonly string[]): Promise<void> {
  const rows = await from.connection.read(() =>
    run(`SELECT owner, stamp, linked, epoch, at, place FROM owners WHERE owner <> ?`, STORE_ROW),
  )
  const known = new Map(rows.map((row) => [text(row, 'owner'), row]))
  await to.connection.write(function* (): Plan<void> {
    yield* run(`DELETE FROM owners`)
    let all = { seq: 0, rid: 0, stamp: 0, at: 0, place: 0 }
    for (const owner of owners) {
      const row: Row = known.get(owner) ?? {}
      const own = yield* ownNumbers(owner)
      const numbers = { ...own, stamp: number(row, 'stamp'), at: number(row, 'at'), place: number(row, 'place') }
      all = {
        seq: Math.max(all.seq, own.seq),
        rid: Math.max(all.rid, own.rid),
        stamp: Math.max(all.stamp, numbers.stamp),
        at: Math.max(all.at, numbers.at),
        place: Math.max(all.place, numbers.place),
      }
      yield* putOwner(owner, {
        ...numbers,
        rid: to.dialect.numbers === 'together' ? 0 : own.rid,
        linked: number(row, 'linked'),
        epoch: numberOrNull(row, 'epoch'),
      })
    }
    if (to.dialect.numbers === 'together' && owners.length > 0) yield* putOwner(STORE_ROW, { ...all, facts: 0, linked: 0, epoch: null })
    if (to.dialect.settleNumbers !== undefined) yield* run(to.dialect.settleNumbers)
  })
}

interface OwnerNumbers {
  readonly seq: number
  readonly rid: number
  readonly stamp: number
  readonly facts: number
  readonly linked: number
  readonly epoch: number | null
  readonly at: number
  readonly place: number
}

function* ownNumbers(owner: string): Plan<{ readonly seq: number; readonly rid: number; readonly facts: number }> {
  const row = yield* first(
    `SELECT (SELECT coalesce(max(seq), 0) FROM journal WHERE owner = ?) AS seq, (SELECT count(*) FROM facts WHERE owner = ?) AS facts,
       (SELECT coalesce(max(rid), 0) FROM facts WHERE owner = ?) AS fact_rid, (SELECT coalesce(max(rid), 0) FROM passages WHERE owner = ?) AS passage_rid`,
    owner,
    owner,
    owner,
    owner,
  )
  if (row === undefined) return { seq: 0, rid: 0, facts: 0 }
  return { seq: number(row, 'seq'), facts: number(row, 'facts'), rid: Math.max(number(row, 'fact_rid'), number(row, 'passage_rid')) }
}

const putOwner = (owner: string, { seq, rid, stamp, facts, linked, epoch, at: now, place }: OwnerNumbers): Plan<unknown> =>
  run(
    `INSERT INTO owners (owner, seq, rid, stamp, generation, edges, facts, linked, epoch, at, place) VALUES (?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?)`,
    ...[owner, seq, rid, stamp, facts, linked, epoch, now, place],
  )
