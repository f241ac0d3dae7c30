import type { Fact } from '../../core/facts/fact.js'
import type { ScoredCandidate } from '../../core/recall/candidate.js'
import { selectExcerpts } from '../../core/recall/rerank/excerpt.js'
import { piecesOf, type Span } from '../../core/text/pieces.js'
import type { ExcerptedText } from '../environment.js'
import { createYieldPoint } from '../event-loop.js'
import type { Retrieval } from './retrieval.js'

interface FactRow {
  readonly rid: number
  readonly fact: Fact
}

/** The best excerpts of each long fact, at most `most`, best first; short facts are skipped. */
export async function excerptsOf(
  { view, vector, terms }: Retrieval,
  facts: readonly FactRow[],
  most: number,
): Promise<ReadonlyMap<number, readonly Span[]>> {
  const long: (FactRow & { readonly pieces: readonly Span[] })[] = []
  const turn = createYieldPoint()
  for (const { rid, fact } of facts) {
    await turn()
    const pieces = piecesOf(fact.text)
    if (pieces.length > 0) long.push({ rid, fact, pieces })
  }
  if (long.length === 0) return new Map()
  const found =
    vector === undefined
      ? undefined
      : await view.vectors.pieces(
          vector,
          long.map(({ rid }) => rid),
        )
  return new Map(
    long.map(({ rid, fact, pieces }): [number, readonly Span[]] => {
      const cosines = new Map(found?.get(rid)?.map((piece) => [piece.start, piece.cosine]))
      const placed = pieces.map((piece) => ({ ...piece, cosine: cosines.get(piece.start) ?? null }))
      return [rid, selectExcerpts(fact.text, placed, terms, most)]
    }),
  )
}

/** The telling stretches of the long ones among these. Only facts that have pieces are read. */
export async function longTexts(
  inquiry: Retrieval,
  best: readonly ScoredCandidate[],
  most: number,
): Promise<ReadonlyMap<number, ExcerptedText>> {
  const { env, view, vector } = inquiry
  const rids = best.map((candidate) => candidate.header.rid)
  const long = vector === undefined ? new Set<number>() : new Set((await view.vectors.pieces(vector, rids)).keys())
  if (long.size === 0) return new Map()
  const ids = new Map(best.flatMap(({ header }) => (long.has(header.rid) ? [[header.id, header.rid]] : [])))
  const facts = (await env.store.facts([...ids.keys()])).map((fact) => ({ rid: ids.get(fact.id) ?? 0, fact }))
  const spansOfFacts = await excerptsOf(inquiry, facts, most)
  return new Map(
    facts.flatMap(({ rid, fact }): [number, ExcerptedText][] => {
      const spans = spansOfFacts.get(rid)
      return spans === undefined ? [] : [[rid, { text: fact.text, spans }]]
    }),
  )
}
