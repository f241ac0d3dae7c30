import type { StoreClock } from './clock.js'
import { first, inSlices, number, numberOrNull, type Plan, type Row, run, text, textOrNull } from './plan.js'
import { CLEARED } from './retention.js'
import { type StoredModel, storedModel, toModel } from './stored-model.js'

/** The row of the store as a whole: no owner's name is empty. */
export const EVERYONE = ''

/** How far an owner's rows have come: whoever holds a copy of them follows from one place to the next. */
export interface OwnerPlace {
  readonly owner: string
  /** The last entry in the journal. */
  readonly seq: number
  /** The last batch of vectors. */
  readonly stamp: number
  /** Grows when rows went or changed without an entry each: copies are made anew. */
  readonly generation: number
  /** Entries up to this one may have been dropped for their age: whoever has not come so far starts anew. */
  readonly cleared: number
}

const toPlace = (row: Row): OwnerPlace => ({
  owner: text(row, 'owner'),
  seq: number(row, 'seq'),
  stamp: number(row, 'stamp'),
  generation: number(row, 'generation'),
  cleared: numberOrNull(row, 'cleared') ?? 0,
})

const COLUMNS = `owner, seq, stamp, generation, (SELECT CAST(value AS INTEGER) FROM meta WHERE key = '${CLEARED}') AS cleared`

/** Of an owner that nothing was ever stored for. */
const nowhere = (owner: string): OwnerPlace => ({ owner, seq: 0, stamp: 0, generation: 0, cleared: 0 })

/** In the order of the owners. */
export function* placesOfOwners(owners: readonly string[]): Plan<readonly OwnerPlace[]> {
  const rows = yield* inSlices(owners, (marks) => `SELECT ${COLUMNS} FROM owners WHERE owner IN (${marks})`)
  const places = new Map(rows.map((row) => [text(row, 'owner'), toPlace(row)]))
  return owners.map((owner) => places.get(owner) ?? nowhere(owner))
}

export function* allPlaces(): Plan<readonly OwnerPlace[]> {
  return (yield* run(`SELECT ${COLUMNS} FROM owners WHERE owner <> ? ORDER BY owner`, EVERYONE)).map(toPlace)
}

/** The end of every commit: where everyone's rows have come to, and those of each owner that it touched. */
export function* notePlaces(clock: StoreClock, lastSeq: number, owners: ReadonlyMap<string, number>): Plan<void> {
  const rows = [...new Map([[EVERYONE, lastSeq], ...owners])]
  yield* run(
    `INSERT INTO owners (owner, seq, stamp, generation, at, place) VALUES ${rows.map(() => '(?, ?, 0, 0, ?, ?)').join(', ')}
     ON CONFLICT (owner) DO UPDATE SET seq = excluded.seq, at = excluded.at, place = excluded.place`,
    ...rows.flatMap(([owner, seq]) => [owner, seq, clock.time, clock.order]),
  )
}

export interface VectorState {
  readonly model: StoredModel | undefined
  /** The stamp of the next batch of vectors of facts: whoever follows them reads what bears a higher one than it has seen. */
  readonly nextStamp: number
}

export function* vectorState(): Plan<VectorState> {
  const row = yield* first(`SELECT stamp, (SELECT value FROM meta WHERE key = 'model') AS model FROM owners WHERE owner = ?`, EVERYONE)
  return row === undefined
    ? { model: yield* storedModel(), nextStamp: 1 }
    : { model: toModel(textOrNull(row, 'model')), nextStamp: number(row, 'stamp') + 1 }
}

/** A batch of vectors is there: everyone has come to its stamp, and so have their owners. */
export function* noteVectors(codes: 'fact_codes' | 'piece_codes', stamp: number): Plan<void> {
  yield* run(`UPDATE owners SET stamp = ? WHERE owner = ? OR owner IN (SELECT owner FROM ${codes} WHERE stamp = ?)`, stamp, EVERYONE, stamp)
}

/** Copies of what this owner has, or everyone, are made anew. */
export function* startAnew(owner: string | null): Plan<void> {
  if (owner === null) yield* run(`UPDATE owners SET generation = generation + 1`)
  else yield* run(`UPDATE owners SET generation = generation + 1 WHERE owner = ?`, owner)
}
