import type { Span } from '../../../core/text/pieces.js'
import type { EmbeddedText } from '../../../ports/backlog.js'
import { toBytes, toCodes, type VectorCodes } from '../../vector/codes.js'
import { noteVectors } from '../owners/owners.js'
import type { Dialect } from '../plan/dialect.js'
import { inSlices, number, type Plan, type Row, run } from '../plan/plan.js'
import { codesOf } from './vectors.js'

/** A piece of a long fact with its vector. */
export interface PieceCodes extends VectorCodes, Span {
  readonly rid: number
  readonly index: number
  readonly stamp: number
}

const COLUMNS = 'rid, piece, first_unit, end_unit, stamp, scale, codes'

const toPiece = (row: Row): PieceCodes => ({
  rid: number(row, 'rid'),
  index: number(row, 'piece'),
  start: number(row, 'first_unit'),
  end: number(row, 'end_unit'),
  stamp: number(row, 'stamp'),
  ...codesOf(row),
})

/** Stores vectors of pieces whose facts did not change since; the last piece completes a fact. Returns how many were stored. */
export function* putPieces(dialect: Dialect, owner: string, pieces: readonly EmbeddedText[], stamp: number): Plan<number> {
  const rows = yield* inSlices(
    [...new Set(pieces.map(({ rid }) => rid))],
    (marks) => `SELECT rid, version FROM facts WHERE +owner = ? AND +embedded = 2 AND rid IN (${marks})`,
    owner,
  )
  const waiting = new Map(rows.map((row) => [number(row, 'rid'), number(row, 'version')]))
  let taken = 0
  for (const { rid, version, vector, piece } of pieces) {
    if (piece === undefined || waiting.get(rid) !== version) continue
    const coded = toCodes(vector)
    yield* run(
      `INSERT INTO piece_codes (${COLUMNS}, owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (owner, rid, piece) DO UPDATE SET stamp = excluded.stamp, scale = excluded.scale, codes = excluded.codes`,
      rid,
      piece.index,
      piece.start,
      piece.end,
      stamp,
      coded.scale,
      toBytes(coded),
      owner,
    )
    taken++
  }
  if (taken === 0) return 0
  yield* inSlices(
    [...waiting.keys()],
    (marks) =>
      `UPDATE facts SET embedded = 1 WHERE +owner = ? AND rid IN (${marks})
       AND pieces <= (SELECT count(*) FROM piece_codes c WHERE c.owner = facts.owner AND c.rid = facts.rid)`,
    owner,
  )
  yield* noteVectors(dialect, owner, stamp)
  return taken
}

/** Pieces of an owner written after a position, one page at a time. */
export function* piecesSince(owner: string, stamp: number, rid: number, index: number, limit: number): Plan<readonly PieceCodes[]> {
  const rows = yield* run(
    `SELECT ${COLUMNS} FROM piece_codes WHERE owner = ? AND (stamp, rid, piece) > (?, ?, ?) ORDER BY stamp, rid, piece LIMIT ?`,
    owner,
    stamp,
    rid,
    index,
    limit,
  )
  return rows.map(toPiece)
}

/** Pieces of these facts, in order. */
export function* piecesOfRows(owner: string, rids: readonly number[]): Plan<readonly PieceCodes[]> {
  const rows = yield* inSlices(
    rids,
    (marks) => `SELECT ${COLUMNS} FROM piece_codes WHERE owner = ? AND rid IN (${marks}) ORDER BY rid, piece`,
    owner,
  )
  return rows.map(toPiece)
}

/** Pieces of these facts that are embedded already. */
export function* madePieces(owner: string, rids: readonly number[]): Plan<ReadonlySet<string>> {
  const rows = yield* inSlices(rids, (marks) => `SELECT rid, piece FROM piece_codes WHERE owner = ? AND rid IN (${marks})`, owner)
  return new Set(rows.map((row) => pieceKey(number(row, 'rid'), number(row, 'piece'))))
}

export const pieceKey = (rid: number, index: number): string => `${rid}.${index}`
