import type { Span } from '../../core/pieces.js'
import type { EmbeddedText } from '../../ports/backlog.js'
import { toBytes, toCodes, type VectorCodes } from '../vector/codes.js'
import { noteVectors } from './owners.js'
import { first, inSlices, number, type Plan, type Row, run } from './plan.js'
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

/** Fills in pieces of facts that still say what was embedded; a fact is done with its last. Answers how many were taken. */
export function* putPieces(pieces: readonly EmbeddedText[], stamp: number): Plan<number> {
  let taken = 0
  for (const { rid, version, vector, piece } of pieces) {
    const waits = yield* first(`SELECT pieces FROM facts WHERE rid = ? AND version = ? AND embedded = 2`, rid, version)
    if (waits === undefined || piece === undefined) continue
    const coded = toCodes(vector)
    yield* run(
      `INSERT INTO piece_codes (${COLUMNS}, owner) VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT owner FROM facts WHERE rid = ?))
       ON CONFLICT (rid, piece) DO UPDATE SET stamp = excluded.stamp, scale = excluded.scale, codes = excluded.codes`,
      rid,
      piece.index,
      piece.start,
      piece.end,
      stamp,
      coded.scale,
      toBytes(coded),
      rid,
    )
    yield* run(
      `UPDATE facts SET embedded = 1 WHERE rid = ? AND pieces <= (SELECT count(*) FROM piece_codes WHERE piece_codes.rid = facts.rid)`,
      rid,
    )
    taken++
  }
  if (taken > 0) yield* noteVectors('piece_codes', stamp)
  return taken
}

/** An owner's pieces written since a place, a page at a time. */
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

/** The pieces of these facts, in order. */
export function* piecesOfRows(rids: readonly number[]): Plan<readonly PieceCodes[]> {
  const rows = yield* inSlices(rids, (marks) => `SELECT ${COLUMNS} FROM piece_codes WHERE rid IN (${marks}) ORDER BY rid, piece`)
  return rows.map(toPiece)
}

/** Which pieces of these facts are made already. */
export function* madePieces(rids: readonly number[]): Plan<ReadonlySet<string>> {
  const rows = yield* inSlices(rids, (marks) => `SELECT rid, piece FROM piece_codes WHERE rid IN (${marks})`)
  return new Set(rows.map((row) => pieceKey(number(row, 'rid'), number(row, 'piece'))))
}

export const pieceKey = (rid: number, index: number): string => `${rid}.${index}`
