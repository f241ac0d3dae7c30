import { createHash } from 'node:crypto'
import { toValidityRange } from '../../../core/facts/validity.js'
import { eachTerm } from '../../../core/text/term-bag.js'
import type { ChangedFact } from '../../memory-index/fact-rows.js'
import { asBytes, type Plan, type Query, run } from '../../sql/plan/plan.js'
import { type PieceCodes, piecesOfRows } from '../../sql/vectors/pieces.js'
import { fromBytes, fromCodes, type VectorCodes } from '../../vector/codes.js'

/** The table with the database index of one owner. */
export const partOf = (owner: string): string => `large_${createHash('sha1').update(owner).digest('hex').slice(0, 20)}`

/** Terms and vectors have separate tables: mixed with vectors, terms would spread over many more pages. */
export const wordsPart = (part: string): string => `${part}_words`
export const vectorsPart = (part: string): string => `${part}_vectors`

/** Terms by hash, independent of the server's language support. */
export const lexemeOf = (hash: number): string => hash.toString(36)

/** The text form of a vector. The index has half precision, so five digits suffice. */
export const vectorText = (vector: Float32Array): string =>
  `[${Array.from(vector, (component) => Number(component.toPrecision(5))).join()}]`

interface LargeRow {
  readonly rid: number
  /** What the row represents: the terms of a fact, its whole vector, or the vector of a piece. */
  readonly piece: number
  readonly tokens: number
  readonly embedding: string | null
  readonly words: string
  /** Validity range, so that invalid facts take no place among the hits. */
  readonly life: HeaderLifetime
}

/** Columns for the present, and for another instant. */
export const SPANS = { present: ['now_from', 'now_until'], other: ['then_from', 'then_until'] } as const
const VALIDITY_COLUMNS = [...SPANS.present, ...SPANS.other] as const
type HeaderLifetime = Readonly<Record<(typeof VALIDITY_COLUMNS)[number], number>>

function lifeOf({ sketch }: ChangedFact): HeaderLifetime {
  const [[now_from, now_until], [then_from, then_until]] = [toValidityRange(sketch, true), toValidityRange(sketch, false)]
  return { now_from, now_until, then_from, then_until }
}

const WORDS = -2
export const WHOLE_TEXT_PIECE = -1

function toWords(fact: ChangedFact): LargeRow {
  const lexemes: string[] = []
  let tokens = 0
  eachTerm(asBytes(fact.terms, 'terms'), (hash, title, head, text) => {
    lexemes.push(lexemeOf(hash))
    tokens += title + head + text
  })
  return { rid: fact.sketch.rid, piece: WORDS, tokens, embedding: null, words: lexemes.join(' '), life: lifeOf(fact) }
}

const vectorRow = (fact: ChangedFact, piece: number, codes: VectorCodes): LargeRow => ({
  rid: fact.sketch.rid,
  piece,
  tokens: 0,
  embedding: vectorText(fromCodes(codes)),
  words: '',
  life: lifeOf(fact),
})

const toWhole = (fact: ChangedFact): readonly LargeRow[] =>
  fact.codes === undefined ? [] : [vectorRow(fact, WHOLE_TEXT_PIECE, fromBytes(asBytes(fact.codes.part, 'codes'), fact.codes.scale))]

const insertion = (part: string, owner: string, rows: readonly LargeRow[]): Query => ({
  text: `INSERT INTO ${part} (owner, rid, piece, tokens, ${VALIDITY_COLUMNS.join(', ')}, embedding, words)
    SELECT ?, r.rid, r.piece, r.tokens, ${VALIDITY_COLUMNS.map((column) => `r.${column}`).join(', ')}, r.embedding::halfvec, r.words::tsvector
    FROM json_to_recordset(?::json) AS r (rid bigint, piece bigint, tokens bigint, embedding text, words text,
      ${VALIDITY_COLUMNS.map((column) => `${column} bigint`).join(', ')})`,
  values: [owner, JSON.stringify(rows.map(({ life, ...row }) => ({ ...row, ...life })))],
})

/** Inserts facts with their pieces. Returns their number of tokens. */
export function* enter(part: string, owner: string, facts: readonly ChangedFact[]): Plan<number> {
  if (facts.length === 0) return 0
  const long = facts.filter(({ pieces }) => pieces > 0).map(({ sketch: { rid } }) => rid)
  const pieces = long.length === 0 ? [] : yield* piecesOfRows(owner, long)
  const byRid = new Map(facts.map((fact) => [fact.sketch.rid, fact]))
  const toPiece = (piece: PieceCodes): readonly LargeRow[] => {
    const fact = byRid.get(piece.rid)
    return fact === undefined ? [] : [vectorRow(fact, piece.index, piece)]
  }
  const rows = [...facts.map(toWords), ...facts.flatMap(toWhole), ...pieces.flatMap(toPiece)]
  yield [insertion(part, owner, rows)]
  return rows.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Removes the rows of these facts. */
export function* leave(part: string, rids: readonly number[]): Plan<void> {
  yield* run(`DELETE FROM ${part} WHERE rid IN (${rids.map(() => '?').join(', ')})`, ...rids)
}
