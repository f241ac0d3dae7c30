import { repeatKey } from '../../core/duplicates.js'
import type { Fact } from '../../core/fact.js'
import { shownAt } from '../../core/instants.js'
import type { Span } from '../../core/pieces.js'
import type { Scored } from '../../core/recall/candidate.js'
import { inStanding, type Standing } from '../../core/recall/newer.js'
import { addTo, isWhole, nothingSaid, SAME_SCORE, type Said, toldBeside } from '../../core/recall/repeats.js'
import { type Likeness, revisionsAmong, talksAmong } from '../../core/recall/revisions.js'
import { aboveFloor } from '../../core/recall/stages.js'
import { settledFirst } from '../../core/recall/unsettled.js'
import type { Environment } from '../environment.js'
import { createTurns } from '../turns.js'
import { excerptsOf } from './excerpts.js'
import { broughtBy, type Inquiry } from './inquiry.js'

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
  /** How often the same was said, by whatever client and at whatever time. */
  readonly count: number
  /** The newest of the others that say the same, newest first. */
  readonly repeats: readonly Fact[]
}

export interface Arranged {
  readonly results: readonly Recalled[]
  /** Given where repeats of one text took the places of others among the candidates, or were not all found. */
  readonly crowding: Crowding | null
}

export interface Crowding {
  /** So many texts are wanted. */
  readonly wanted: number
  /** Whether there are fewer. */
  readonly isShort: boolean
  /** Keys of texts that were perhaps said more often than was found. */
  readonly open: readonly string[]
}

/** What stands behind the cut may say the same, or be newer: so many are looked at in any case. */
const LOOKED_AT = 50
const LOOKED_BEHIND = 200

/**
 * Ranked results as they are told: repeats once, of statements about the same thing the newer first. `said` is who said what,
 * as far as it is known already.
 */
export async function arrange(
  inquiry: Inquiry,
  ranked: readonly Scored[],
  limit: number,
  said: ReadonlyMap<string, Said> = new Map(),
): Promise<Arranged> {
  const { env } = inquiry
  const known = new Map<string, Found>()
  /** Those of them that say something new. */
  const newAmong = (found: readonly Read[]): readonly Found[] =>
    found.flatMap((one) => {
      const first = known.get(one.key)
      const same = first?.said ?? said.get(one.key) ?? nothingSaid()
      addTo(same, one.rid, one.fact)
      if (first !== undefined) return []
      const added = { ...one, said: same }
      known.set(one.key, added)
      return [added]
    })
  const distinct: Found[] = []
  const wanted = Math.max(limit, LOOKED_AT)
  let at = 0
  for (; at < ranked.length && distinct.length < wanted; at += wanted) {
    distinct.push(...newAmong(await withFacts(env, ranked.slice(at, at + wanted))))
  }
  // Statements with a predicate replace one another wherever they stand.
  const stated = distinct.slice(0, limit).some(({ fact }) => fact.subject !== null && fact.predicate !== null)
  const behind = stated ? await withFacts(env, ranked.slice(at, at + LOOKED_BEHIND)) : []
  const all = [...distinct, ...newAmong(behind.filter((one) => one.fact.predicate !== null))]
  const now = env.clock.now()
  const revisions = revisionsAmong(all, await likenessOf(inquiry, all), now, { text: inquiry.asks, terms: inquiry.terms })
  const told = settledFirst(inStanding(all, revisions).slice(0, limit))
  // The reranker lifts some of those that say the same: the others may stand far behind.
  newAmong(await withFacts(env, alike(told, ranked.slice(at))))
  const excerpts = await excerptsOf(inquiry, told, 1)
  const results = told.map(({ said: same, key: _, bm25: __, ...one }) => ({
    ...one,
    fact: shownAt(one.fact, now),
    count: same.rows.size,
    repeats: toldBeside(same, one.fact).map((fact) => shownAt(fact, now)),
    excerpt: excerpts.get(one.rid)?.[0] ?? null,
  }))
  return { results, crowding: crowdingOf(inquiry, told, Math.min(limit, LOOKED_AT)) }
}

interface Read extends Omit<Recalled, keyof Standing | 'count' | 'repeats' | 'excerpt'> {
  /** Equal for those that say the same. */
  readonly key: string
  readonly bm25: number
}

interface Found extends Read {
  readonly said: Said
}

/** Those among the rest that may say the same as one that is told: few, so that their texts are read for few questions. */
function alike(told: readonly Found[], rest: readonly Scored[]): readonly Scored[] {
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_SCORE
  return rest.filter(({ sketch, cosine, bm25 }) =>
    told.some(
      (one) =>
        one.fact.owner === sketch.owner &&
        one.fact.author === sketch.author &&
        (one.cosine === null || cosine === null ? isNear(one.bm25, bm25) : isNear(one.cosine, cosine)),
    ),
  )
}

function crowdingOf(inquiry: Inquiry, told: readonly Found[], wanted: number): Crowding | null {
  const again = told.filter(({ said }) => said.rows.size > 1)
  if (again.length === 0) return null
  const searches = broughtBy(inquiry)
  const open = again.filter(({ said }) => !isWhole(said.rows.values(), searches)).map(({ key }) => key)
  const isShort = told.length < wanted && searches.some(({ isCut }) => isCut)
  return isShort || open.length > 0 ? { wanted, isShort, open } : null
}

/** Turns of conversations are not compared, so that they cost nothing here. */
async function likenessOf({ env, view }: Inquiry, results: readonly Found[]): Promise<Likeness> {
  const inTalk = talksAmong(results.map(({ fact }) => fact))
  const notes = results.filter(({ fact }) => !inTalk(fact))
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

async function withFacts(env: Environment, best: readonly Scored[]): Promise<readonly Read[]> {
  if (best.length === 0) return []
  const ids = best.map((one) => one.sketch.id)
  const facts = new Map((await env.backend.store.facts(ids, ownerOfAll(best))).map((fact) => [fact.id, fact]))
  const turn = createTurns()
  const read: Read[] = []
  for (const { sketch, score, cosine, bm25, vector, lexical, graph, via, boosts, reranked = null } of best) {
    await turn()
    const fact = facts.get(sketch.id)
    if (fact === undefined) continue
    const { rid, isCode } = sketch
    read.push({ fact, rid, isCode, key: repeatKey(fact), score, cosine, bm25, vector, lexical, graph, via, boosts, reranked })
  }
  return read
}
