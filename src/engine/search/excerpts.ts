import type { Fact } from '../../core/fact.js'
import { piecesOf, type Span } from '../../core/pieces.js'
import type { Scored } from '../../core/recall/candidate.js'
import { tellingPiece } from '../../core/recall/excerpt.js'
import type { LongText } from '../environment.js'
import { createTurns } from '../turns.js'
import type { Inquiry } from './inquiry.js'

interface Placed {
  readonly rid: number
  readonly fact: Fact
}

/** Which stretch of each long fact answers the question; short facts are left out. */
export async function excerptsOf({ view, vector, terms }: Inquiry, facts: readonly Placed[]): Promise<ReadonlyMap<number, Span>> {
  const long: (Placed & { readonly pieces: readonly Span[] })[] = []
  const turn = createTurns()
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
    long.flatMap(({ rid, fact, pieces }): [number, Span][] => {
      const cosines = new Map(found?.get(rid)?.map((piece) => [piece.start, piece.cosine]))
      const placed = pieces.map((piece) => ({ ...piece, cosine: cosines.get(piece.start) ?? null }))
      const span = tellingPiece(fact.text, placed, terms)
      return span === null ? [] : [[rid, span]]
    }),
  )
}

/** The telling stretches of the long ones among these. Only facts that have pieces are read. */
export async function longTexts(inquiry: Inquiry, best: readonly Scored[]): Promise<ReadonlyMap<number, LongText>> {
  const { env, view, vector } = inquiry
  const rids = best.map((one) => one.sketch.rid)
  const long = vector === undefined ? new Set<number>() : new Set((await view.vectors.pieces(vector, rids)).keys())
  if (long.size === 0) return new Map()
  const ids = new Map(best.flatMap(({ sketch }) => (long.has(sketch.rid) ? [[sketch.id, sketch.rid]] : [])))
  const facts = (await env.backend.store.facts([...ids.keys()])).map((fact) => ({ rid: ids.get(fact.id) ?? 0, fact }))
  const spans = await excerptsOf(inquiry, facts)
  return new Map(
    facts.flatMap(({ rid, fact }): [number, LongText][] => {
      const span = spans.get(rid)
      return span === undefined ? [] : [[rid, { text: fact.text, span }]]
    }),
  )
}
