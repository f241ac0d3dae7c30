import type { Dialect, VectorTable } from './dialect.js'
import { affected, all, bytes, first, inSlices, number, type Plan, type Row, run, text } from './plan.js'

export interface StoredVector {
  readonly rid: number
  readonly id: string
  /** What was embedded; a fact that changed meanwhile keeps waiting for its new vector. */
  readonly version: number
  readonly vector: Float32Array
}

/**
 * 16 bits per component, as exact as any ranking needs: component i is `(256 * high[i] + low[i]) * scale`. The upper
 * bytes stand together, so that they alone are the 8-bit copy that is searched.
 */
export interface VectorCodes {
  readonly high: Int8Array
  readonly low: Int8Array
  readonly scale: number
}

const LIMIT = 127 * 256

export function toCodes(vector: Float32Array): VectorCodes {
  let largest = 0
  for (const component of vector) largest = Math.max(largest, Math.abs(component))
  const scale = largest / LIMIT || 1
  const high = new Int8Array(vector.length)
  const low = new Int8Array(vector.length)
  for (let i = 0; i < vector.length; i++) {
    const code = Math.round((vector[i] ?? 0) / scale)
    // The lower byte runs from -128 to 127, so rounding half down keeps it in range.
    const upper = Math.ceil(code / 256 - 0.5)
    high[i] = upper
    low[i] = Math.min(127, code - upper * 256)
  }
  return { high, low, scale }
}

export function fromCodes({ high, low, scale }: VectorCodes): Float32Array {
  const vector = new Float32Array(high.length)
  for (let i = 0; i < vector.length; i++) vector[i] = ((high[i] ?? 0) * 256 + (low[i] ?? 0)) * scale
  return vector
}

export const toBytes = ({ high, low }: VectorCodes): Uint8Array => {
  const bytes = new Uint8Array(high.length * 2)
  bytes.set(new Uint8Array(high.buffer), 0)
  bytes.set(new Uint8Array(low.buffer), high.length)
  return bytes
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

const TABLES = {
  // 2: the vector is there, pieces are still to come.
  facts: { rows: 'facts', codes: 'fact_codes', version: 'version', done: 'CASE WHEN pieces > 0 THEN 2 ELSE 1 END' },
  passages: { rows: 'passages', codes: 'passage_codes', version: '1', done: '1' },
} as const satisfies Record<VectorTable, { rows: string; codes: string; version: string; done: string }>

/** Followers of vectors read what bears a higher stamp than they have seen. */
export function* nextStamp(of: VectorTable | 'pieces'): Plan<number> {
  const stamp = yield* first(
    `INSERT INTO meta (key, value) VALUES (?, '1') ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS INTEGER) + 1 AS TEXT) RETURNING value`,
    `stamp.${of}`,
  )
  return stamp === undefined ? 0 : Number(text(stamp, 'value'))
}

/** Fills in vectors of rows that still say what was embedded. Answers how many were taken. */
export function* putVectors(dialect: Dialect, table: VectorTable, vectors: readonly StoredVector[]): Plan<number> {
  const { rows, codes, version, done } = TABLES[table]
  const stamp = yield* nextStamp(table)
  let taken = 0
  for (const { rid, id, version: embedded, vector } of vectors) {
    if ((yield* affected(`UPDATE ${rows} SET embedded = ${done} WHERE rid = ? AND ${version} = ? AND embedded = 0`, rid, embedded)) === 0)
      continue
    const coded = toCodes(vector)
    yield* run(
      `INSERT INTO ${codes} (rid, stamp, scale, codes) VALUES (?, ?, ?, ?)
       ON CONFLICT (rid) DO UPDATE SET stamp = excluded.stamp, scale = excluded.scale, codes = excluded.codes`,
      rid,
      stamp,
      coded.scale,
      toBytes(coded),
    )
    yield* all(dialect.vectorPut(table, id, vector))
    taken++
  }
  return taken
}

export interface StampedCodes extends VectorCodes {
  readonly rid: number
  readonly stamp: number
}

/** Codes written since a stamp, oldest first, a page at a time. */
export function* codesSince(table: VectorTable, stamp: number, rid: number, limit: number): Plan<readonly StampedCodes[]> {
  const rows = yield* run(
    `SELECT rid, stamp, scale, codes FROM ${TABLES[table].codes} WHERE (stamp, rid) > (?, ?) ORDER BY stamp, rid LIMIT ?`,
    stamp,
    rid,
    limit,
  )
  return rows.map((row) => ({ rid: number(row, 'rid'), stamp: number(row, 'stamp'), ...codesOf(row) }))
}

export function* codesOfRows(table: VectorTable, rids: readonly number[]): Plan<ReadonlyMap<number, VectorCodes>> {
  const rows = yield* inSlices(rids, (marks) => `SELECT rid, scale, codes FROM ${TABLES[table].codes} WHERE rid IN (${marks})`)
  return new Map(rows.map((row) => [number(row, 'rid'), codesOf(row)]))
}
