import { createHash } from 'node:crypto'
import { eachTerm } from '../../../core/term-bag.js'
import type { UnitFact } from '../../resident/fact-rows.js'
import { type PieceCodes, piecesOfRows } from '../../sql/pieces.js'
import { type Plan, type Query, run } from '../../sql/plan.js'
import { fromCodes, type VectorCodes } from '../../vector/codes.js'

/** The table that holds what of one owner is searched in the database. */
export const partOf = (owner: string): string => `large_${createHash('sha1').update(owner).digest('hex').slice(0, 20)}`

/** Its words and its vectors stand apart: beside vectors, words would be spread over many times as many pages. */
export const wordsPart = (part: string): string => `${part}_words`
export const vectorsPart = (part: string): string => `${part}_vectors`

/** Our own terms, by their numbers: no language of the server has a part in them. */
export const lexemeOf = (hash: number): string => hash.toString(36)

/** A vector as the extension reads it: its index keeps half precision, so five digits are all that counts. */
export const vectorText = (vector: Float32Array): string =>
  `[${Array.from(vector, (component) => Number(component.toPrecision(5))).join()}]`

interface LargeRow {
  readonly rid: number
  /** What it stands for: the words of a fact, the vector of the whole, or that of one of its pieces. */
  readonly piece: number
  readonly tokens: number
  readonly embedding: string | null
  readonly words: string
}

const WORDS = -2
export const WHOLE = -1

function toWords({ sketch: { rid }, terms }: UnitFact): LargeRow {
  const lexemes: string[] = []
  let tokens = 0
  eachTerm(terms, (hash, title, head, text) => {
    lexemes.push(lexemeOf(hash))
    tokens += title + head + text
  })
  return { rid, piece: WORDS, tokens, embedding: null, words: lexemes.join(' ') }
}

const vectorRow = (rid: number, piece: number, codes: VectorCodes): LargeRow => ({
  rid,
  piece,
  tokens: 0,
  embedding: vectorText(fromCodes(codes)),
  words: '',
})

const toWhole = ({ sketch: { rid }, codes }: UnitFact): readonly LargeRow[] => (codes === undefined ? [] : [vectorRow(rid, WHOLE, codes)])

const toPiece = (piece: PieceCodes): LargeRow => vectorRow(piece.rid, piece.index, piece)

const insertion = (part: string, owner: string, rows: readonly LargeRow[]): Query => ({
  text: `INSERT INTO ${part} (owner, rid, piece, tokens, embedding, words)
    SELECT ?, r.rid, r.piece, r.tokens, r.embedding::halfvec, r.words::tsvector
    FROM json_to_recordset(?::json) AS r (rid bigint, piece bigint, tokens bigint, embedding text, words text)`,
  values: [owner, JSON.stringify(rows)],
})

/** Enters facts, with their pieces. Answers how many tokens they have. */
export function* enter(part: string, owner: string, facts: readonly UnitFact[]): Plan<number> {
  if (facts.length === 0) return 0
  const long = facts.filter(({ pieces }) => pieces > 0).map(({ sketch: { rid } }) => rid)
  const pieces = long.length === 0 ? [] : yield* piecesOfRows(owner, long)
  const rows = [...facts.map(toWords), ...facts.flatMap(toWhole), ...pieces.map(toPiece)]
  yield [insertion(part, owner, rows)]
  return rows.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** What concerns these facts no longer holds. */
export function* leave(part: string, rids: readonly number[]): Plan<void> {
  yield* run(`DELETE FROM ${part} WHERE rid IN (${rids.map(() => '?').join(', ')})`, ...rids)
}
