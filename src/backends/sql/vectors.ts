import type { Dialect, VectorTable } from './dialect.js'
import { all, bytes, first, inSlices, number, type Plan, run, text } from './plan.js'

export interface StoredVector {
  readonly rid: number
  readonly id: string
  /** What was embedded; a fact that changed meanwhile keeps waiting for its new vector. */
  readonly version: number
  readonly vector: Float32Array
}

/** 16 bits per component: as exact as any ranking needs, at half the size. Component i is `codes[i] * scale`. */
export interface VectorCodes {
  readonly codes: Int16Array
  readonly scale: number
}

const LIMIT = 32_767

export function toCodes(vector: Float32Array): VectorCodes {
  let largest = 0
  for (const component of vector) largest = Math.max(largest, Math.abs(component))
  const scale = largest / LIMIT || 1
  return { codes: Int16Array.from(vector, (component) => Math.round(component / scale)), scale }
}

export function fromCodes({ codes, scale }: VectorCodes): Float32Array {
  return Float32Array.from(codes, (code) => code * scale)
}

const codesOf = (blob: Uint8Array): Int16Array => new Int16Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength))

const TABLES = {
  facts: { rows: 'facts', codes: 'fact_codes', version: 'version' },
  passages: { rows: 'passages', codes: 'passage_codes', version: '1' },
} as const satisfies Record<VectorTable, { rows: string; codes: string; version: string }>

/** Fills in vectors of rows that still say what was embedded. Answers how many were taken. */
export function* putVectors(dialect: Dialect, table: VectorTable, vectors: readonly StoredVector[]): Plan<number> {
  const { rows, codes, version } = TABLES[table]
  const stamp = yield* first(
    `INSERT INTO meta (key, value) VALUES (?, '1') ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS INTEGER) + 1 AS TEXT) RETURNING value`,
    `stamp.${table}`,
  )
  let taken = 0
  for (const { rid, id, version: embedded, vector } of vectors) {
    const row = yield* first(`UPDATE ${rows} SET embedded = 1 WHERE rid = ? AND ${version} = ? AND embedded <> 1 RETURNING rid`, rid, embedded)
    if (row === undefined) continue
    const coded = toCodes(vector)
    yield* run(
      `INSERT INTO ${codes} (rid, stamp, scale, codes) VALUES (?, ?, ?, ?)
       ON CONFLICT (rid) DO UPDATE SET stamp = excluded.stamp, scale = excluded.scale, codes = excluded.codes`,
      rid, stamp === undefined ? 0 : Number(text(stamp, 'value')), coded.scale, new Uint8Array(coded.codes.buffer),
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
    `SELECT rid, stamp, scale, codes FROM ${TABLES[table].codes} WHERE stamp > ? OR (stamp = ? AND rid > ?) ORDER BY stamp, rid LIMIT ?`,
    stamp, stamp, rid, limit,
  )
  return rows.map((row) => ({ rid: number(row, 'rid'), stamp: number(row, 'stamp'), scale: number(row, 'scale'), codes: codesOf(bytes(row, 'codes')) }))
}

export function* codesOfRows(table: VectorTable, rids: readonly number[]): Plan<ReadonlyMap<number, VectorCodes>> {
  const rows = yield* inSlices(rids, (marks) => `SELECT rid, scale, codes FROM ${TABLES[table].codes} WHERE rid IN (${marks})`)
  return new Map(rows.map((row) => [number(row, 'rid'), { scale: number(row, 'scale'), codes: codesOf(bytes(row, 'codes')) }]))
}
