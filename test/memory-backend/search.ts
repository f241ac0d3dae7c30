import { lexicalParts } from '../../src/core/embedding/fact-text.js'
import type { Fact } from '../../src/core/facts/fact.js'
import { isValidAt } from '../../src/core/facts/validity.js'
import { attenuateContext, computeMinContextWeight, type LexicalFields } from '../../src/core/recall/lexical/fields.js'
import { isSystemForm } from '../../src/core/statements/statement.js'
import { stem } from '../../src/core/text/stem.js'
import { terms, words } from '../../src/core/text/text.js'
import type { FoundPiece, Hit, LexicalHit, LexicalIndex, SearchFilter, TermMatch, VectorIndex } from '../../src/ports/view.js'
import type { State, StoredFact } from './state.js'

const SATURATION = 1.2
const LENGTH_SHARE = 0.75
/** Stored counts have one byte each. */
const MAX_RESULTS = 255

const NO_MATCH: TermMatch = { terms: 0, rarity: 0 }

type Counts = ReadonlyMap<string, number>

function count(text: string): Counts {
  const found = new Map<string, number>()
  for (const term of terms(text)) found.set(term, Math.min(MAX_RESULTS, (found.get(term) ?? 0) + 1))
  return found
}

const size = (counts: Counts): number => [...counts.values()].reduce((sum, value) => sum + value, 0)

interface Doc {
  readonly rid: number
  readonly fact: Fact
  readonly title: Counts
  readonly head: Counts
  readonly text: Counts
}

const toDoc = ({ rid, fact }: StoredFact): Doc => {
  const parts = lexicalParts(fact)
  return { rid, fact, title: count(parts.title), head: count(parts.head), text: count(parts.text) }
}

interface Loan {
  readonly doc: Doc
  readonly weight: number
  /** Attenuation by the length of both. */
  readonly loan: number
}

/** The neighbours of a memory in its session, each weighted by distance. */
function neighbours(doc: Doc, docs: readonly Doc[], fields: LexicalFields): readonly Loan[] {
  if (doc.fact.session === null || (fields.near === 0 && fields.far === 0)) return []
  const session = docs
    .filter((entry) => entry.fact.session === doc.fact.session && entry.fact.owner === doc.fact.owner)
    .sort((a, b) => a.rid - b.rid)
  const place = session.indexOf(doc)
  const borrows = attenuateContext(size(doc.text))
  return [-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6].flatMap((step) => {
    const near = session[place + step]
    return near === undefined
      ? []
      : [{ doc: near, weight: step === -1 ? fields.near : fields.far, loan: borrows * attenuateContext(size(near.text)) }]
  })
}

interface Measured {
  readonly doc: Doc
  readonly length: number
  weightOf(term: string): number
}

function measure(doc: Doc, docs: readonly Doc[], fields: LexicalFields): Measured {
  const around = neighbours(doc, docs, fields)
  return {
    doc,
    length: size(doc.title) + size(doc.head) + size(doc.text) + around.reduce((sum, loan) => sum + loan.loan * size(loan.doc.text), 0),
    weightOf: (term) =>
      fields.title * (doc.title.get(term) ?? 0) +
      fields.text * ((doc.head.get(term) ?? 0) + (doc.text.get(term) ?? 0)) +
      around.reduce((sum, loan) => sum + loan.weight * loan.loan * (loan.doc.text.get(term) ?? 0), 0),
  }
}

const allowed = ({ rid, fact }: { readonly rid: number; readonly fact: Fact }, pool: SearchFilter): boolean =>
  isValidAt(fact, pool) && (pool.before === undefined || rid < pool.before) && rid !== pool.except

const best = <H extends Hit>(hits: readonly H[], limit: number): readonly H[] =>
  [...hits].sort((a, b) => b.score - a.score || a.rid - b.rid).slice(0, limit)

/** Facts of one owner, or of all. */
const factsOf = (state: State, owner: string | undefined): readonly StoredFact[] =>
  [...state.facts.values()].filter(({ fact }) => (owner === undefined || fact.owner === owner) && !isSystemForm(fact.form))

export const createRamLexical = (current: () => State, owner: string | undefined): LexicalIndex => ({
  async phrase(wanted, limit) {
    const tokens = (text: string): boolean => ` ${words(text).map(stem).join(' ')} `.includes(` ${wanted.map(stem).join(' ')} `)
    const holding = factsOf(current(), owner).filter(({ fact }) => tokens(fact.text) || tokens(fact.title ?? ''))
    return holding
      .map(({ rid }) => rid)
      .sort((a, b) => b - a)
      .slice(0, limit)
  },
  async search(wanted, pool, limit, fields) {
    const docs = factsOf(current(), owner).map(toDoc)
    const measured = docs.map((doc) => measure(doc, docs, fields))
    const average = Math.max(1, measured.reduce((sum, measured) => sum + measured.length, 0) / Math.max(1, docs.length))
    const scores = new Map<number, number>()
    const matches = new Map<number, TermMatch>()
    let rarity = 0
    for (const term of wanted) {
      const holding = measured.filter((measured) => measured.weightOf(term) > 0)
      const holders = holding.reduce((sum, measured) => sum + Math.min(1, measured.weightOf(term) / computeMinContextWeight(fields)), 0)
      const idf = Math.log(1 + Math.max(0, docs.length - holders + 0.5) / (holders + 0.5))
      rarity += idf
      for (const measured of holding) {
        const known = matches.get(measured.doc.rid) ?? NO_MATCH
        matches.set(measured.doc.rid, { terms: known.terms + 1, rarity: known.rarity + idf })
        const weight = measured.weightOf(term)
        const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * measured.length) / average)
        scores.set(measured.doc.rid, (scores.get(measured.doc.rid) ?? 0) + (idf * weight * (SATURATION + 1)) / (weight + norm))
      }
    }
    const hitOf = ({ rid, title, head, text }: Doc): LexicalHit => ({
      rid,
      score: scores.get(rid) ?? 0,
      ...(matches.get(rid) ?? NO_MATCH),
      length: size(title) + size(head) + size(text),
    })
    const hits = docs.filter((doc) => scores.has(doc.rid) && allowed(doc, pool)).map(hitOf)
    return {
      hits: best(hits, limit),
      documents: docs.length,
      rarity,
      scores: async (rids) => new Map(docs.filter(({ rid }) => rids.includes(rid)).map((doc) => [doc.rid, hitOf(doc)])),
    }
  },
})

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0)

interface Embedded extends StoredFact {
  readonly vector: Float32Array
}

/** In text order. */
const piecesOf = (query: Float32Array, { pieces }: Embedded): readonly FoundPiece[] =>
  [...pieces].sort(([a], [b]) => a - b).map(([, { start, end, vector }]) => ({ start, end, cosine: dot(query, vector) }))

export function createRamVectors(current: () => State, owner: string | undefined): VectorIndex {
  const embedded = (): readonly Embedded[] =>
    factsOf(current(), owner).flatMap((row) => (row.vector === undefined ? [] : [{ ...row, vector: row.vector }]))
  const among = (rids: readonly number[]): readonly Embedded[] => embedded().filter((row) => rids.includes(row.rid))
  const whole = (query: Float32Array, row: Embedded): number => dot(query, row.vector)
  const bestPiece = (query: Float32Array, row: Embedded): number =>
    Math.max(whole(query, row), ...piecesOf(query, row).map(({ cosine }) => cosine))
  return {
    search: async (query, pool, limit, key = 'best piece') =>
      best(
        embedded().flatMap((row) =>
          allowed(row, pool) ? [{ rid: row.rid, score: (key === 'whole' ? whole : bestPiece)(query, row) }] : [],
        ),
        limit,
      ),
    similarities: async (query, rids) => new Map(among(rids).map((row) => [row.rid, bestPiece(query, row)])),
    pieces: async (query, rids) => new Map(among(rids).flatMap((row) => (row.pieces.size === 0 ? [] : [[row.rid, piecesOf(query, row)]]))),
    vectors: async (rids) => new Map(among(rids).map((row) => [row.rid, row.vector.slice()])),
  }
}
