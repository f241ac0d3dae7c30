import { repeatKey } from '../../core/duplicates.js'
import type { Fact } from '../../core/fact.js'
import { shownAt } from '../../core/instants.js'
import type { Span } from '../../core/pieces.js'
import type { Scored } from '../../core/recall/candidate.js'
import { inStanding, type Standing } from '../../core/recall/newer.js'
import { type Likeness, revisionsAmong, talksAmong } from '../../core/recall/revisions.js'
import { aboveFloor } from '../../core/recall/stages.js'
import { settledFirst } from '../../core/recall/unsettled.js'
import type { Environment } from '../environment.js'
import { createTurns } from '../turns.js'
import { excerptsOf } from './excerpts.js'
import type { Inquiry } from './inquiry.js'

export interface Recalled extends Standing {
  readonly fact: Fact
  /** Its row: later facts have higher ones. */
  readonly rid: number
  readonly isCode: boolean
  readonly score: number
  readonly cosine: number | null
  readonly vector: number
  readonly lexical: number
  readonly graph: number
  readonly via: Scored['via']
  readonly boosts: Scored['boosts']
  readonly reranked: NonNullable<Scored['reranked']> | null
  /** The stretch of a long text that answers the question; null where the whole is short. */
  readonly excerpt: Span | null
  /** The same said again, by other clients or at other times. */
  readonly repeats: readonly Fact[]
}

/** What stands behind the cut may say the same, or be newer: so many are looked at in any case. */
const LOOKED_AT = 50
const LOOKED_BEHIND = 200

/** Ranked results as they are told: repeats once, of statements about the same thing the newer first. */
export async function arrange(inquiry: Inquiry, ranked: readonly Scored[], limit: number): Promise<readonly Recalled[]> {
  const { env } = inquiry
  const distinct: Found[] = []
  const known = new Map<string, Found>()
  const wanted = Math.max(limit, LOOKED_AT)
  const turn = createTurns()
  for (let at = 0; at < ranked.length && distinct.length < wanted; at += wanted) {
    for (const found of await withFacts(env, ranked.slice(at, at + wanted))) {
      await turn()
      const key = repeatKey(found.fact)
      const first = known.get(key)
      if (first !== undefined) first.repeats.push(found.fact)
      else {
        known.set(key, found)
        distinct.push(found)
      }
    }
  }
  // Statements with a predicate replace one another wherever they stand.
  const stated = distinct.slice(0, limit).some(({ fact }) => fact.subject !== null && fact.predicate !== null)
  const behind = stated ? await withFacts(env, ranked.slice(wanted, wanted + LOOKED_BEHIND)) : []
  const all = [...distinct, ...behind.filter((one) => one.fact.predicate !== null && !known.has(repeatKey(one.fact)))]
  const now = env.clock.now()
  const revisions = revisionsAmong(all, await likenessOf(inquiry, all), now, { text: inquiry.asks, terms: inquiry.terms })
  const told = settledFirst(inStanding(all, revisions).slice(0, limit))
  const excerpts = await excerptsOf(inquiry, told, 1)
  return told.map((one) => ({
    ...one,
    fact: shownAt(one.fact, now),
    repeats: one.repeats.map((fact) => shownAt(fact, now)),
    excerpt: excerpts.get(one.rid)?.[0] ?? null,
  }))
}

type Found = Omit<Recalled, keyof Standing | 'repeats' | 'excerpt'> & { readonly repeats: Fact[] }

/** Turns of conversations are not compared, so that they cost nothing here. */
async function likenessOf({ env, view }: Inquiry, results: readonly Found[]): Promise<Likeness> {
  const talks = talksAmong(results.map(({ fact }) => fact))
  const notes = results.filter(({ fact }) => fact.session === null || !talks.has(fact.session))
  const vectors = notes.length === 0 ? new Map<number, Float32Array>() : await view.vectors.vectors(results.map((one) => one.rid))
  const { floor } = env.embedder.model
  return (i, j) => {
    const [a, b] = [i, j].map((place) => vectors.get(results[place]?.rid ?? -1))
    return a === undefined || b === undefined ? null : aboveFloor(dot(a, b), floor)
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** The one whose facts these are; undefined where they are several. */
export function ownerOfAll(best: readonly Pick<Scored, 'sketch'>[]): string | undefined {
  const [owner, ...others] = new Set(best.map(({ sketch }) => sketch.owner))
  return others.length === 0 ? owner : undefined
}

async function withFacts(env: Environment, best: readonly Scored[]): Promise<readonly Found[]> {
  const ids = best.map((one) => one.sketch.id)
  const facts = new Map((await env.backend.store.facts(ids, ownerOfAll(best))).map((fact) => [fact.id, fact]))
  return best.flatMap(({ sketch, score, cosine, vector, lexical, graph, via, boosts, reranked = null }) => {
    const fact = facts.get(sketch.id)
    return fact === undefined
      ? []
      : [{ fact, rid: sketch.rid, isCode: sketch.isCode, score, cosine, vector, lexical, graph, via, boosts, reranked, repeats: [] }]
  })
}
