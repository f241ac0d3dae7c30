import type { VectorTable } from '../sql/dialect.js'
import { bytes, first, number, type Plan, run, text } from '../sql/plan.js'
import { VECTOR_TABLES } from './dialect.js'

/** Vectors that one slice moves: a few milliseconds. */
const SLICE = 24

interface Chunk {
  readonly id: number
  readonly places: number
  readonly used: number
}

function* chunksOf(name: string): Plan<readonly Chunk[]> {
  const rows = yield* run(`SELECT chunk_id, size, validity FROM ${name}_chunks ORDER BY chunk_id`)
  return rows.map((row) => ({ id: number(row, 'chunk_id'), places: number(row, 'size'), used: bitsIn(bytes(row, 'validity')) }))
}

function bitsIn(map: Uint8Array): number {
  let bits = 0
  for (let byte of map) for (; byte > 0; byte &= byte - 1) bits++
  return bits
}

/**
 * sqlite-vec keeps vectors in chunks, adds to the last one only, and never uses a place again that was freed: what changes
 * often leaves chunks that are mostly empty, until their last vector goes. This moves some vectors of the emptiest chunk
 * to the last one. Answers how many; 0 when no more than the given share of all places is free.
 */
export function* packVectors(table: VectorTable, mostFree: number): Plan<number> {
  const name = VECTOR_TABLES[table]
  if ((yield* first(`SELECT 1 FROM sqlite_schema WHERE name = ?`, name)) === undefined) return 0
  const chunks = yield* chunksOf(name)
  const places = chunks.reduce((sum, chunk) => sum + chunk.places, 0)
  const used = chunks.reduce((sum, chunk) => sum + chunk.used, 0)
  const size = chunks[0]?.places ?? 0
  const [emptiest] = chunks.slice(0, -1).sort((a, b) => a.used - b.used)
  if (emptiest === undefined || places - used < size + places * mostFree) return 0
  const ids = yield* run(`SELECT id FROM ${name}_rowids WHERE chunk_id = ? LIMIT ?`, emptiest.id, SLICE)
  for (const row of ids) {
    const id = text(row, 'id')
    const vector = yield* first(`SELECT embedding FROM ${name} WHERE id = ?`, id)
    if (vector === undefined) continue
    yield* run(`DELETE FROM ${name} WHERE id = ?`, id)
    yield* run(`INSERT INTO ${name} (id, embedding) VALUES (?, ?)`, id, bytes(vector, 'embedding'))
  }
  return ids.length
}
