import { fromBytes, fromCodes, toBytes, toCodes, type VectorCodes } from '../../vector/codes.js'
import { noteVectors } from '../owners/owners.js'
import type { Dialect } from '../plan/dialect.js'
import { all, bytes, inList, inSlices, number, type Plan, type Row, run, text } from '../plan/plan.js'

interface StoredVector {
  readonly owner: string
  readonly rid: number
  readonly id: string
  /** Version that was embedded; a fact that changed keeps waiting for a new vector. */
  readonly version: number
  readonly vector: Float32Array
}

/** True if the codes of a row belong to a vector, given as bytes. */
export function sameCodes(row: Row, vector: Uint8Array): boolean {
  const floats = new Float32Array(vector.slice().buffer)
  const made = toCodes(floats)
  const stored = bytes(row, 'codes')
  return made.scale === number(row, 'scale') && stored.length === 2 * floats.length && toBytes(made).every((byte, i) => byte === stored[i])
}

export const codesOf = (row: Row): VectorCodes => fromBytes(bytes(row, 'codes'), number(row, 'scale'))

/** Stores vectors of facts that did not change since. Returns how many were stored. */
export function* putVectors(dialect: Dialect, owner: string, vectors: readonly StoredVector[], stamp: number): Plan<number> {
  const made = new Map(vectors.map(({ id, vector }) => [id, vector]))
  let taken = 0
  for (let i = 0; i < vectors.length; i += AT_ONCE) {
    const { values } = inList(vectors.slice(i, i + AT_ONCE).map((_, j) => i + j))
    const texts = values.flatMap((place) => vectors[place] ?? [])
    // State 2: the vector exists, pieces are pending.
    const rows = yield* run(
      `UPDATE facts SET embedded = CASE WHEN pieces > 0 THEN 2 ELSE 1 END
       WHERE +owner = ? AND +embedded = 0 AND (${texts.map(() => '(id = ? AND version = ?)').join(' OR ')}) RETURNING rid, id`,
      owner,
      ...texts.flatMap(({ id, version }) => [id, version]),
    )
    for (const row of rows) {
      const id = text(row, 'id')
      const vector = made.get(id)
      if (vector === undefined) continue
      yield* putCodes('facts', { owner, rid: number(row, 'rid'), stamp, vector })
      yield* all(dialect.vectorPut('facts', owner, id, vector))
      taken++
    }
  }
  if (taken > 0) yield* noteVectors(dialect, owner, stamp)
  return taken
}

/** Texts per statement. */
const AT_ONCE = 64

interface RowVector {
  readonly owner: string
  readonly rid: number
  readonly stamp: number
  readonly vector: Float32Array
}

const putInto = (table: string): string =>
  `INSERT INTO ${table} (rid, owner, stamp, scale, codes) VALUES (?, ?, ?, ?, ?)
   ON CONFLICT (owner, rid) DO UPDATE SET stamp = excluded.stamp, scale = excluded.scale, codes = excluded.codes`

const PUT_CODES = { facts: putInto('fact_codes'), passages: putInto('passage_codes') }

function* putCodes(name: keyof typeof PUT_CODES, { owner, rid, stamp, vector }: RowVector): Plan<void> {
  const coded = toCodes(vector)
  yield* run(PUT_CODES[name], rid, owner, stamp, coded.scale, toBytes(coded))
}

/** The same for passages. */
export function* putPassageVectors(dialect: Dialect, owner: string, vectors: readonly StoredVector[], stamp: number): Plan<number> {
  const rows = yield* inSlices(
    vectors.map(({ rid }) => rid),
    (marks) => `SELECT rid FROM passages WHERE +owner = ? AND +embedded = 0 AND rid IN (${marks})`,
    owner,
  )
  const waiting = new Set(rows.map((row) => number(row, 'rid')))
  const taken = vectors.filter(({ rid }) => waiting.delete(rid))
  if (taken.length === 0) return 0
  yield* inSlices(
    taken.map(({ rid }) => rid),
    (marks) => `UPDATE passages SET embedded = 1 WHERE +owner = ? AND rid IN (${marks})`,
    owner,
  )
  for (const { rid, id, vector } of taken) {
    yield* putCodes('passages', { owner, rid, stamp, vector })
    yield* all(dialect.vectorPut('passages', owner, id, vector))
  }
  yield* noteVectors(dialect, owner, stamp)
  return taken.length
}

interface StampedCodes extends VectorCodes {
  readonly rid: number
  readonly stamp: number
}

const toStamped = (row: Row): StampedCodes => ({ rid: number(row, 'rid'), stamp: number(row, 'stamp'), ...codesOf(row) })

/** Codes of an owner's facts written after a batch, oldest first, one page at a time. */
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

/** The same for passages of a repository, or of all documents of an owner. */
export function* passageCodesSince(
  { id, owner, kind }: { readonly id: string; readonly owner: string; readonly kind: string },
  after: { readonly stamp: number; readonly rid: number },
  limit: number,
): Plan<readonly StampedCodes[]> {
  const [within, name] = kind === 'repo' ? ['= ?', id] : [`IN (SELECT id FROM sources WHERE owner = ? AND kind <> 'repo')`, owner]
  const rows = yield* run(
    `SELECT c.rid AS rid, c.stamp AS stamp, c.scale AS scale, c.codes AS codes FROM passage_codes c CROSS JOIN passages p
     WHERE c.owner = ? AND (c.stamp, c.rid) > (?, ?) AND p.owner = c.owner AND p.rid = c.rid AND p.source_id ${within} ORDER BY c.stamp, c.rid LIMIT ?`,
    owner,
    after.stamp,
    after.rid,
    name,
    limit,
  )
  return rows.map(toStamped)
}

/** Vectors of one file of a source, by passage id. */
export function* passageVectors(sourceId: string, path: string): Plan<ReadonlyMap<string, Float32Array>> {
  const rows = yield* run(
    `SELECT p.id AS id, c.scale AS scale, c.codes AS codes FROM passages p JOIN passage_codes c ON c.owner = p.owner AND c.rid = p.rid
     WHERE p.source_id = ? AND p.path = ? ORDER BY p.ordinal`,
    sourceId,
    path,
  )
  return new Map(rows.map((row) => [text(row, 'id'), fromCodes(codesOf(row))]))
}
