import { first, number, numberOrNull, type Plan, type Row, run, text } from './plan.js'
import { CLEARED } from './retention.js'

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

export function* placeOf(owner: string): Plan<OwnerPlace> {
  const row = yield* first(`SELECT ${COLUMNS} FROM owners WHERE owner = ?`, owner)
  return row === undefined ? nowhere(owner) : toPlace(row)
}

export function* allPlaces(): Plan<readonly OwnerPlace[]> {
  return (yield* run(`SELECT ${COLUMNS} FROM owners WHERE owner <> '*' ORDER BY owner`)).map(toPlace)
}

/** Part of every commit. */
export function* noteEntries(owner: string, seq: number): Plan<void> {
  yield* run(
    `INSERT INTO owners (owner, seq, stamp, generation) VALUES (?, ?, 0, 0) ON CONFLICT (owner) DO UPDATE SET seq = excluded.seq`,
    owner,
    seq,
  )
}

/** The owners of these vectors have come to their stamp. */
export function* noteVectors(codes: 'fact_codes' | 'piece_codes', stamp: number): Plan<void> {
  yield* run(`UPDATE owners SET stamp = ? WHERE owner IN (SELECT owner FROM ${codes} WHERE stamp = ?)`, stamp, stamp)
}

/** Copies of what this owner has, or everyone, are made anew. */
export function* startAnew(owner: string | null): Plan<void> {
  if (owner === null) yield* run(`UPDATE owners SET generation = generation + 1`)
  else yield* run(`UPDATE owners SET generation = generation + 1 WHERE owner = ?`, owner)
}
