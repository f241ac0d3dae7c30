import type { Instant } from '../../../core/facts/fact.js'
import { type Change, type CommitOwners, ownerOf } from '../../../core/journal/change.js'
import type { Dialect } from '../plan/dialect.js'
import { first, inList, inSlices, number, numberOrNull, type Plan, type Row, run, text, textOrNull } from '../plan/plan.js'
import { CLEARED_SETTING } from './retention.js'
import { type StoredModel, storedModel, toModel } from './stored-model.js'

/** The row of the whole store; owner names are never empty. */
export const STORE_ROW = ''

/** The watermark of an owner's rows, from which copies catch up. */
export interface OwnerWatermark {
  readonly owner: string
  /** Last journal number. */
  readonly seq: number
  /** Last vector batch. */
  readonly stamp: number
  /** Increases when rows change without a journal entry each: copies are rebuilt. */
  readonly generation: number
  /** Entries up to this one may be gone by retention: a copy behind it is rebuilt. */
  readonly cleared: number
  /** Increases with every change of an edge, including derived ones. */
  readonly edges: number
  readonly facts: number
  /** Epoch of the model of its vectors; null without vectors. */
  readonly epoch: number | null
}

const toPlace = (row: Row): OwnerWatermark => ({
  owner: text(row, 'owner'),
  seq: number(row, 'seq'),
  stamp: number(row, 'stamp'),
  generation: number(row, 'generation'),
  cleared: numberOrNull(row, 'cleared') ?? 0,
  edges: number(row, 'edges'),
  facts: number(row, 'facts'),
  epoch: numberOrNull(row, 'epoch'),
})

const COLUMNS = `owner, seq, stamp, generation, edges, facts, epoch, (SELECT max(CAST(value AS BIGINT)) FROM meta WHERE key IN ('${CLEARED_SETTING}', '${CLEARED_SETTING}:' || owners.owner)) AS cleared`

/** The watermark of an owner without data. */
const nowhere = (owner: string): OwnerWatermark => ({ owner, seq: 0, stamp: 0, generation: 0, cleared: 0, edges: 0, facts: 0, epoch: null })

/** In owner order. */
export function* placesOfOwners(owners: readonly string[]): Plan<readonly OwnerWatermark[]> {
  const rows = yield* inSlices(owners, (marks) => `SELECT ${COLUMNS} FROM owners WHERE owner IN (${marks})`)
  const places = new Map(rows.map((row) => [text(row, 'owner'), toPlace(row)]))
  return owners.map((owner) => places.get(owner) ?? nowhere(owner))
}

export function* allPlaces(): Plan<readonly OwnerWatermark[]> {
  return (yield* run(`SELECT ${COLUMNS} FROM owners WHERE owner <> ? ORDER BY owner`, STORE_ROW)).map(toPlace)
}

/** The instant of the last commit, by its writer's clock, and its order. */
interface StoreClock {
  readonly time: Instant
  readonly order: number
}

interface Numbers {
  seq: number
  rid: number
  readonly stamp: number
  readonly clock: StoreClock
}

const WATERMARK_COLUMNS = 'owner, seq, rid, stamp, at, place'

const toNumbers = (row: Row): Numbers => ({
  seq: number(row, 'seq'),
  rid: number(row, 'rid'),
  stamp: number(row, 'stamp'),
  clock: { time: number(row, 'at'), order: number(row, 'place') },
})

const NO_NUMBERS: Numbers = { seq: 0, rid: 0, stamp: 0, clock: { time: 0, order: 0 } }

/** What a transaction changed for an owner. */
interface Tally {
  seq: number
  facts: number
  edges: number
}

/**
 * The numbers of a transaction: read, and locked if there are concurrent writers, at its start, and written back at its end. Numbers are
 * allocated in memory in between.
 */
export class SequenceAllocator {
  readonly #rows: Map<string, Numbers>
  readonly #together: boolean
  readonly #tallies = new Map<string, Tally>()

  constructor(rows: Map<string, Numbers>, together: boolean) {
    this.#rows = rows
    this.#together = together
  }

  knows(owner: string): boolean {
    return this.#together || this.#rows.has(owner)
  }

  /** Adopts the owners of another allocator. */
  take(other: SequenceAllocator): void {
    for (const [owner, numbers] of other.#rows) this.#rows.set(owner, numbers)
  }

  get clock(): StoreClock {
    const clocks = [...this.#rows.values()].map(({ clock }) => clock)
    return { time: Math.max(0, ...clocks.map(({ time }) => time)), order: Math.max(0, ...clocks.map(({ order }) => order)) }
  }

  /** Number of an owner's next journal entry. */
  nextSeq(owner: string): number {
    const seq = ++this.#numbers(owner).seq
    this.#tally(owner).seq = seq
    return seq
  }

  /** Number of an owner's next fact or passage. */
  nextRow(owner: string): number {
    return ++this.#numbers(owner).rid
  }

  /** Number of the next vector batch; copies read batches above the last one they have seen. */
  nextStamp(owner: string): number {
    return this.#numbers(owner).stamp + 1
  }

  countFacts(owner: string, amount: 1 | -1): void {
    this.#tally(owner).facts += amount
  }

  touchEdges(owner: string): void {
    this.#tally(owner).edges = 1
  }

  /** All rows of the owner, or of every owner, are deleted. */
  reset(owner: string | null): void {
    for (const [value, tally] of this.#tallies) if (owner === null || value === owner) tally.facts = 0
  }

  /** Writes the watermarks of the owners at the end of a commit. */
  *close(clock: StoreClock): Plan<void> {
    const owners = new Set([...this.#rows.keys(), ...this.#tallies.keys()])
    if (owners.size === 0) return
    const values = [...owners].flatMap((owner) => {
      const tally = this.#tallies.get(owner)
      const numbers = this.#together && owner !== STORE_ROW ? { seq: tally?.seq ?? 0, rid: 0 } : this.#numbers(owner)
      return [owner, numbers.seq, numbers.rid, tally?.edges ?? 0, tally?.facts ?? 0, clock.time, clock.order]
    })
    yield* run(
      `INSERT INTO owners (owner, seq, rid, stamp, generation, edges, facts, at, place) VALUES ${[...owners].map(() => '(?, ?, ?, 0, 0, ?, ?, ?, ?)').join(', ')}
       ON CONFLICT (owner) DO UPDATE SET seq = excluded.seq, rid = excluded.rid, edges = owners.edges + excluded.edges,
         facts = owners.facts + excluded.facts, at = excluded.at, place = excluded.place`,
      ...values,
    )
  }

  #numbers(owner: string): Numbers {
    const row = this.#rows.get(this.#together ? STORE_ROW : owner)
    if (row === undefined) throw new Error(`no numbers for ${owner}`)
    return row
  }

  #tally(owner: string): Tally {
    const known = this.#tallies.get(owner) ?? { seq: 0, facts: 0, edges: 0 }
    this.#tallies.set(owner, known)
    return known
  }
}

/** The owner of entries about all owners, such as a complete reset. */
export const ALL_OWNERS = '*'

/** Reads the numbers of these owners; if each has its own row, locks the rows in a fixed order. */
export function* openLedger({ numbers, rowLock }: Dialect, owners: CommitOwners): Plan<SequenceAllocator> {
  if (numbers === 'together') {
    const row = yield* first(`SELECT ${WATERMARK_COLUMNS} FROM owners WHERE owner = ?`, STORE_ROW)
    return new SequenceAllocator(new Map([[STORE_ROW, row === undefined ? { ...NO_NUMBERS } : toNumbers(row)]]), true)
  }
  const wanted = owners === 'everyone' ? [ALL_OWNERS] : [...new Set(owners)]
  if (wanted.length === 0) return new SequenceAllocator(new Map(), false)
  const { marks, values } = inList(wanted)
  const lock = (): Plan<readonly Row[]> =>
    owners === 'everyone'
      ? run(`SELECT ${WATERMARK_COLUMNS} FROM owners ORDER BY owner${rowLock}`)
      : run(`SELECT ${WATERMARK_COLUMNS} FROM owners WHERE owner IN (${marks}) ORDER BY owner${rowLock}`, ...values)
  const found = toRows(yield* lock())
  const unknown = wanted.filter((owner) => !found.has(owner))
  if (unknown.length === 0) return new SequenceAllocator(found, false)
  yield* run(
    `INSERT INTO owners (owner, seq, rid, stamp, generation, edges, facts, at, place) VALUES ${unknown.map(() => '(?, 0, 0, 0, 0, 0, 0, 0, 0)').join(', ')} ON CONFLICT (owner) DO NOTHING`,
    ...unknown.sort(),
  )
  return new SequenceAllocator(toRows(yield* lock()), false)
}

const toRows = (rows: readonly Row[]): Map<string, Numbers> => new Map(rows.map((row) => [text(row, 'owner'), toNumbers(row)]))

/** A commit for all owners may add new ones: their rows are inserted, and no other transaction can hold them. */
export function* insertNewOwners(dialect: Dialect, ledger: SequenceAllocator, changes: readonly Change[]): Plan<void> {
  const fresh = [...new Set(changes.flatMap((change) => ownerOf(change) ?? []))].filter((owner) => !ledger.knows(owner))
  if (fresh.length > 0) ledger.take(yield* openLedger(dialect, fresh))
}

/** Takes the owner's lock for derived rows, in databases with concurrent writers. */
export function* lockOwner(dialect: Dialect, owner: string): Plan<void> {
  if (dialect.numbers === 'by owner') yield* openLedger(dialect, [owner])
}

/** Clock of the last commit for an owner. */
export function* readClock({ numbers }: Dialect, owner: string): Plan<StoreClock> {
  const row = yield* first(`SELECT at, place FROM owners WHERE owner = ?`, numbers === 'together' ? STORE_ROW : owner)
  return row === undefined ? { time: 0, order: 0 } : { time: number(row, 'at'), order: number(row, 'place') }
}

/** The state required for the next vector batch of an owner. */
interface VectorState {
  readonly model: StoredModel | undefined
  readonly stamp: number
  /** Epoch of the owner's vectors; null without vectors. */
  readonly epoch: number | null
}

/** The model of the store and of the owner. Locks the owner in databases with concurrent writers. */
export function* vectorState(dialect: Dialect, owner: string): Plan<VectorState> {
  const own = dialect.numbers === 'by owner'
  const readRow = (): Plan<Row | undefined> =>
    first(
      `SELECT stamp, (SELECT value FROM meta WHERE key = 'model') AS model, ${own ? 'epoch' : '(SELECT o.epoch FROM owners o WHERE o.owner = ?) AS epoch'}
       FROM owners WHERE owner = ?${dialect.rowLock}`,
      ...(own ? [owner] : [owner, STORE_ROW]),
    )
  let row = yield* readRow()
  if (row === undefined) {
    yield* lockOwner(dialect, owner)
    row = yield* readRow()
  }
  return row === undefined
    ? { model: yield* storedModel(), stamp: 1, epoch: null }
    : { model: toModel(textOrNull(row, 'model')), stamp: number(row, 'stamp') + 1, epoch: numberOrNull(row, 'epoch') }
}

/** Advances the watermark of the owner to a vector batch, and that of the store if batches are numbered together. */
export function* noteVectors({ numbers }: Dialect, owner: string, stamp: number): Plan<void> {
  if (numbers === 'together') yield* run(`UPDATE owners SET stamp = ? WHERE owner IN (?, ?)`, stamp, owner, STORE_ROW)
  else yield* run(`UPDATE owners SET stamp = ? WHERE owner = ?`, stamp, owner)
}

/** Records a change of derived edges outside of a commit. */
export function* noteEdges(owner: string): Plan<void> {
  yield* run(`UPDATE owners SET edges = edges + 1 WHERE owner = ?`, owner)
}

/** Invalidates all copies of an owner, or of every owner. */
export function* invalidateCopies(owner: string | null): Plan<void> {
  if (owner === null) yield* run(`UPDATE owners SET generation = generation + 1, facts = 0`)
  else yield* run(`UPDATE owners SET generation = generation + 1, facts = 0 WHERE owner = ?`, owner)
}
