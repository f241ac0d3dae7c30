import { toBytes, toCodes, type VectorCodes } from '../vector/codes.js'
import type { Dialect } from './dialect.js'
import { noteVectors } from './owners.js'
import { affected, all, bytes, first, inSlices, number, type Plan, type Row, run, text } from './plan.js'

export interface StoredVector {
  readonly rid: number
  readonly id: string
  /** What was embedded; a fact that changed meanwhile keeps waiting for its new vector. */
  readonly version: number
  readonly vector: Float32Array
}

/** Whether the codes of a row are those of a vector, given as its bytes. */
export function sameCodes(row: Row, vector: Uint8Array): boolean {
  const floats = new Float32Array(vector.slice().buffer)
  const made = toCodes(floats)
  const stored = bytes(row, 'codes')
  return made.scale === number(row, 'scale') && stored.length === 2 * floats.length && toBytes(made).every((byte, i) => byte === stored[i])
}

export const codesOf = (row: Row): VectorCodes => {
  const blob = bytes(row, 'codes')
  const size = blob.byteLength / 2
  return {
    high: new Int8Array(blob.buffer, blob.byteOffset, size),
    low: new Int8Array(blob.buffer, blob.byteOffset + size, size),
    scale: number(row, 'scale'),
  }
}

/** Fills in vectors of facts that still say what was embedded. Answers how many were taken. */
export function* putVectors(dialect: Dialect, vectors: readonly StoredVector[], stamp: number): Plan<number> {
  let taken = 0
  for (const { id, version, vector } of vectors) {
    // 2: the vector is there, pieces are still to come.
    const row = yield* first(
      `UPDATE facts SET embedded = CASE WHEN pieces > 0 THEN 2 ELSE 1 END WHERE id = ? AND version = ? AND embedded = 0 RETURNING rid, owner`,
      id,
      version,
    )
    if (row === undefined) continue
    const coded = toCodes(vector)
    yield* run(
      `INSERT INTO fact_codes (rid, owner, stamp, scale, codes) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (rid) DO UPDATE SET stamp = excluded.stamp, scale = excluded.scale, codes = excluded.codes`,
      number(row, 'rid'),
      text(row, 'owner'),
      stamp,
      coded.scale,
      toBytes(coded),
    )
    yield* all(dialect.vectorPut('facts', id, vector))
    taken++
  }
  if (taken > 0) yield* noteVectors('fact_codes', stamp)
  return taken
}

/** The same for passages. */
export function* putPassageVectors(dialect: Dialect, vectors: readonly StoredVector[]): Plan<number> {
  const next = yield* first(
    `INSERT INTO meta (key, value) VALUES ('stamp.passages', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS INTEGER) + 1 AS TEXT) RETURNING value`,
  )
  const stamp = next === undefined ? 0 : Number(text(next, 'value'))
  let taken = 0
  for (const { rid, id, vector } of vectors) {
    if ((yield* affected(`UPDATE passages SET embedded = 1 WHERE rid = ? AND embedded = 0`, rid)) === 0) continue
    const coded = toCodes(vector)
    yield* run(
      `INSERT INTO passage_codes (rid, owner, stamp, scale, codes) VALUES (?, (SELECT owner FROM passages WHERE rid = ?), ?, ?, ?)
       ON CONFLICT (rid) DO UPDATE SET stamp = excluded.stamp, scale = excluded.scale, codes = excluded.codes`,
      rid,
      rid,
      stamp,
      coded.scale,
      toBytes(coded),
    )
    yield* all(dialect.vectorPut('passages', id, vector))
    taken++
  }
  return taken
}

export interface StampedCodes extends VectorCodes {
  readonly rid: number
  readonly stamp: number
}

const toStamped = (row: Row): StampedCodes => ({ rid: number(row, 'rid'), stamp: number(row, 'stamp'), ...codesOf(row) })

/** An owner's codes of facts written since a stamp, oldest first, a page at a time. */
export function* codesSince(owner: string, stamp: number, rid: number, limit: number): Plan<readonly StampedCodes[]> {
  const rows = yield* run(
    `SELECT rid, stamp, scale, codes FROM fact_codes WHERE owner = ? AND (stamp, rid) > (?, ?) ORDER BY stamp, rid LIMIT ?`,
    owner,
    stamp,
    rid,
    limit,
  )
  return rows.map(toStamped)
}

/** The same for passages, of everyone. */
export function* passageCodesSince(stamp: number, rid: number, limit: number): Plan<readonly StampedCodes[]> {
  const rows = yield* run(
    `SELECT rid, stamp, scale, codes FROM passage_codes WHERE (stamp, rid) > (?, ?) ORDER BY stamp, rid LIMIT ?`,
    stamp,
    rid,
    limit,
  )
  return rows.map(toStamped)
}

export function* passageCodes(rids: readonly number[]): Plan<ReadonlyMap<number, VectorCodes>> {
  const rows = yield* inSlices(rids, (marks) => `SELECT rid, scale, codes FROM passage_codes WHERE rid IN (${marks})`)
  return new Map(rows.map((row) => [number(row, 'rid'), codesOf(row)]))
}
