import type { Outcome } from './metrics.js'
import { properNames, stopWords, words } from './names.js'
import { openPool, type Pool, poolsOf, type Scored, scoreQuestion, type Window } from './prototype-pool.js'
import type { EvalSet } from './sets.js'
import type { VectorCache } from './vectors.js'

/** The ranking as data, so that a rung of the ladder is one object. */
export interface PrototypeRecipe {
  readonly denseWeight: number
  readonly authorBoost: number
  readonly subjectBoost: number
  readonly gamma: number
  readonly seeds: number
  readonly entityWeight: number
  readonly backWeight: number
  readonly sharpness: number
  /** Exponent on the normalised cosine: above 1 the best stand out more. */
  readonly denseShape: number
  /** Share of the best score in the same session that its other memories get. */
  readonly sessionPrior: number
  /** What the newest session gets; halved every `recencyHalfLife` sessions back. */
  readonly recency: number
  readonly recencyHalfLife: number
  /** Factor on links through names that the question itself holds: those are found anyway, a bridge is a new name. */
  readonly namedDiscount: number
}

export const findingsRecipe: PrototypeRecipe = {
  denseWeight: 0.65,
  authorBoost: 0.1,
  subjectBoost: 0.2,
  gamma: 0.4,
  seeds: 5,
  entityWeight: 0.3,
  backWeight: 0.25,
  sharpness: 4,
  denseShape: 1,
  sessionPrior: 0,
  recency: 0,
  recencyHalfLife: 10,
  namedDiscount: 1,
}

/**
 * What was kept on top of the findings. The session prior is not: it gains a point where one session answers, and loses
 * two to four where the evidence is spread over several.
 */
export const tunedRecipe: PrototypeRecipe = {
  ...findingsRecipe,
  denseShape: 1.2,
  recency: 0.05,
  subjectBoost: 0.3,
  namedDiscount: 0.4,
}

export function fuse(scored: Scored, denseWeight: number, shape = 1): Float32Array {
  let low = 1
  let high = -1
  let top = 0
  const { cosine, lexical, allowed } = scored
  for (let at = 0; at < cosine.length; at += 1) {
    if (!allowed[at]) continue
    low = Math.min(low, cosine[at] ?? 0)
    high = Math.max(high, cosine[at] ?? 0)
    top = Math.max(top, lexical[at] ?? 0)
  }
  const span = high > low ? high - low : 1
  return cosine.map((value, at) =>
    allowed[at]
      ? denseWeight * Math.max(0, (value - low) / span) ** shape + (top > 0 ? ((1 - denseWeight) * (lexical[at] ?? 0)) / top : 0)
      : -1,
  )
}

function addAuthor(pool: Pool, scored: Scored, scores: Float32Array, boost: number): void {
  const named = new Set(words(scored.question.query).flatMap((word) => pool.authors.get(word) ?? []))
  if (named.size !== 1) return
  const [author] = named
  pool.memories.forEach((memory, at) => {
    if (memory.author === author && scored.allowed[at]) scores[at] = (scores[at] ?? 0) + boost
  })
}

export function namedSubjects(pool: Pool, query: string): string[] {
  return pool.subjectTrie.find(words(query)).filter((key) => {
    if (key.includes(' ')) return true
    return !stopWords.has(key) && pool.subjectHolders.get(key)?.length === 1
  })
}

export function best(scores: Float32Array, count: number): number[] {
  const top: number[] = []
  scores.forEach((score, at) => {
    if (score < 0 || (top.length === count && score <= (scores[top[count - 1] ?? 0] ?? 0))) return
    let place = top.length
    while (place > 0 && score > (scores[top[place - 1] ?? 0] ?? 0)) place -= 1
    top.splice(place, 0, at)
    if (top.length > count) top.pop()
  })
  return top
}

/** Strength of the links of one seed, by target. */
export function linksOf(pool: Pool, seed: number, recipe: PrototypeRecipe, asked: ReadonlySet<string> = new Set()): Map<number, number> {
  const total = pool.memories.length
  const logTotal = Math.log(Math.max(2, total))
  const hub = Math.max(20, total / 20)
  const shared = new Map<number, number>()
  const direct = new Map<number, number>()
  const raise = (at: number, strength: number) => direct.set(at, Math.max(direct.get(at) ?? 0, strength))
  const own = pool.subjects[seed]
  for (const name of pool.mentions[seed] ?? []) {
    const posting = pool.postings.get(name) ?? []
    if (posting.length < 2 || posting.length > hub) continue
    const idf = Math.log(total / posting.length) / logTotal
    const discount = asked.has(name) ? recipe.namedDiscount : 1
    for (const at of posting) shared.set(at, (shared.get(at) ?? 0) + idf * idf * discount)
    for (const at of pool.subjectHolders.get(name) ?? []) raise(at, name === own ? idf : idf * discount)
    if (name === own) for (const at of posting) raise(at, recipe.backWeight)
  }
  for (const [at, sum] of shared) raise(at, recipe.entityWeight * Math.min(1, sum))
  direct.delete(seed)
  return direct
}

function addLinks(pool: Pool, scored: Scored, scores: Float32Array, recipe: PrototypeRecipe): Float32Array {
  const seeds = best(scores, recipe.seeds)
  const top = scores[seeds[0] ?? 0] ?? 1
  const lift = new Map<number, { strength: number; seed: number }>()
  const { query } = scored.question
  const asked = new Set([...pool.subjectTrie.find(words(query)), ...properNames(query)])
  for (const seed of seeds) {
    const weight = ((scores[seed] ?? 0) / top) ** recipe.sharpness
    for (const [at, link] of linksOf(pool, seed, recipe, asked)) {
      const strength = weight * link
      if (scored.allowed[at] && strength > (lift.get(at)?.strength ?? 0)) lift.set(at, { strength, seed })
    }
  }
  const lifted = scores.slice()
  for (const [at, { strength, seed }] of lift) {
    const own = scores[at] ?? 0
    lifted[at] = Math.max(own, Math.min(own + recipe.gamma * strength, 0.999 * (scores[seed] ?? 0)))
  }
  return lifted
}

function addSession(pool: Pool, scored: Scored, scores: Float32Array, recipe: PrototypeRecipe): void {
  const top = new Map<string, { best: number; at: number; second: number }>()
  const order = new Map<string, number>()
  pool.memories.forEach(({ session }, at) => {
    if (session === null || !scored.allowed[at]) return
    if (!order.has(session)) order.set(session, order.size)
    const score = scores[at] ?? 0
    const entry = top.get(session)
    if (!entry) top.set(session, { best: score, at, second: 0 })
    else if (score > entry.best) top.set(session, { best: score, at, second: entry.best })
    else entry.second = Math.max(entry.second, score)
  })
  pool.memories.forEach(({ session }, at) => {
    const entry = session === null ? undefined : top.get(session)
    if (session === null || !entry || !scored.allowed[at]) return
    const age = order.size - 1 - (order.get(session) ?? 0)
    const others = entry.at === at ? entry.second : entry.best
    scores[at] = (scores[at] ?? 0) + recipe.sessionPrior * others + recipe.recency * 0.5 ** (age / recipe.recencyHalfLife)
  })
}

export function rankScores(pool: Pool, scored: Scored, recipe: PrototypeRecipe): Float32Array {
  const scores = fuse(scored, recipe.denseWeight, recipe.denseShape)
  if (recipe.authorBoost > 0) addAuthor(pool, scored, scores, recipe.authorBoost)
  if (recipe.subjectBoost > 0) {
    for (const key of new Set(namedSubjects(pool, scored.question.query))) {
      for (const at of pool.subjectHolders.get(key) ?? []) if (scored.allowed[at]) scores[at] = (scores[at] ?? 0) + recipe.subjectBoost
    }
  }
  if (recipe.sessionPrior > 0 || recipe.recency > 0) addSession(pool, scored, scores, recipe)
  const top = scores[best(scores, 1)[0] ?? 0] ?? 1
  const normal = scores.map((score) => (score < 0 ? score : score / top))
  return recipe.gamma > 0 ? addLinks(pool, scored, normal, recipe) : normal
}

export type Ranker = (pool: Pool, scored: Scored) => Float32Array

export interface PreparedSet {
  readonly set: EvalSet
  readonly pools: ReadonlyMap<string, Pool>
  readonly scored: readonly Scored[]
}

/** Scores every question on both sides once; rankers then run over these in seconds. */
export async function prepareSet(set: EvalSet, cache: VectorCache, columns?: readonly number[], window?: Window): Promise<PreparedSet> {
  const pools = new Map<string, Pool>()
  for (const [name, memories] of poolsOf(set)) pools.set(name, await openPool(memories, set.code, cache, window))
  const scored: Scored[] = []
  for (const question of set.questions) {
    const pool = pools.get(question.pool)
    if (pool) scored.push(await scoreQuestion(pool, question, cache, columns))
  }
  return { set, pools, scored }
}

export function runPrototype(prepared: PreparedSet, ranker: Ranker): Outcome[] {
  return prepared.scored.map((scored) => {
    const pool = prepared.pools.get(scored.question.pool)
    if (!pool) throw new Error(`No pool ${scored.question.pool}`)
    const scores = ranker(pool, scored)
    const top = best(scores, 50)
    return {
      question: scored.question,
      ranked: top.map((at) => pool.memories[at]?.id ?? ''),
      milliseconds: 0,
      topScore: scores[top[0] ?? 0] ?? null,
    }
  })
}

/** The rungs of the ladder, from one signal alone to the whole recipe. */
export function prototypeLadder(code: boolean): { name: string; columns: readonly number[]; ranker: Ranker }[] {
  const dense = code ? 0.95 : findingsRecipe.denseWeight
  const bare = { ...findingsRecipe, denseWeight: dense, authorBoost: 0, subjectBoost: 0, gamma: 0 }
  const plain = [1, 1, 0, 0]
  const context = [3, 1, 0.5, 0.3]
  const rung = (name: string, columns: readonly number[], recipe: PrototypeRecipe) => ({
    name,
    columns,
    ranker: (pool: Pool, scored: Scored) => rankScores(pool, scored, recipe),
  })
  return [
    rung('lexical', plain, { ...bare, denseWeight: 0 }),
    rung('dense', plain, { ...bare, denseWeight: 1 }),
    rung('fused', plain, bare),
    rung('+ context', context, bare),
    rung('+ author', context, { ...bare, authorBoost: findingsRecipe.authorBoost }),
    rung('+ links', context, { ...findingsRecipe, denseWeight: dense, subjectBoost: 0 }),
    rung('+ named subject', context, { ...findingsRecipe, denseWeight: dense }),
    rung('tuned', context, { ...tunedRecipe, denseWeight: dense }),
    rung('tuned + session prior', context, { ...tunedRecipe, denseWeight: dense, sessionPrior: 0.2 }),
  ]
}
