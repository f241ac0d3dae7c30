import { setImmediate } from 'node:timers/promises'
import type { Entity } from '../core/entity.js'
import type { Fact, Instant } from '../core/fact.js'
import { checkSize } from '../core/input.js'
import { nameWords } from '../core/names.js'
import type { Candidate, Scored, Sketch } from '../core/recall/candidate.js'
import { byScore, fuse } from '../core/recall/fuse.js'
import { applyLinks, hubLimit, type Link, linkedFacts, type NamePosting, seedsOf } from '../core/recall/links.js'
import { preferNewer } from '../core/recall/newer.js'
import type { Recipe } from '../core/recall/recipe.js'
import { queryTerms, STOP_WORDS, terms as termsOf } from '../core/text.js'
import { isValidAt } from '../core/validity.js'
import type { LexicalAnswer, Pool } from '../ports/recall-index.js'
import type { Environment } from './environment.js'
import { NO_WALK, type Walk, walkGraph } from './walk.js'

export interface RecallQuery {
  readonly text: string
  readonly limit: number
  readonly owner?: string | undefined
  /** Answers as of then; now unless given. */
  readonly asOf?: Instant | undefined
  readonly recipe?: Recipe | undefined
  readonly signal: AbortSignal
}

export interface Recalled {
  readonly fact: Fact
  readonly score: number
  readonly cosine: number | null
  readonly vector: number
  readonly lexical: number
  readonly graph: number
  readonly via: Scored['via']
  readonly boosts: Scored['boosts']
}

export interface Recollection {
  readonly results: readonly Recalled[]
  readonly recipe: Recipe
  /** Nodes the graph signal looked at. */
  readonly graphNodes: number
  readonly terms: readonly string[]
}

/** Linked facts beyond this many, weakest first, are not looked at. */
const MAX_LINKED = 300
const MAX_NAMES = 80
const MAX_WALKED = 100
const LOOKED_BEHIND = 200
/** Least share of a walk, where the best has 1, for a fact to count as told by it. */
const TOLD = 0.2

/** What one question knows before ranking begins. */
interface Inquiry {
  readonly env: Environment
  readonly pool: Pool
  readonly recipe: Recipe
  readonly lexical: LexicalAnswer
  /** None where there is no model. */
  readonly vector: Float32Array | undefined
  readonly words: readonly string[]
  /** Where names are looked up: the owner asked for, or the one of the best match. */
  readonly owner: string
  /** Known names that the question holds. */
  readonly asked: readonly string[]
}

/** Facts relevant to a question, best first: plan, both searches, fusion, links, order. */
export async function recall(env: Environment, query: RecallQuery): Promise<Recollection> {
  checkSize(query.text, 'query', env.settings.maxContentBytes)
  const recipe = query.recipe ?? env.settings.recipe
  const pool: Pool = { owner: query.owner, at: query.asOf ?? env.clock.now() }
  const terms = queryTerms(query.text)
  await env.vectoriser.settle()
  const [vector, lexical] = await Promise.all([
    env.embedder.disabled ? undefined : env.vectoriser.query(query.text, query.signal),
    env.backend.lexical.search(terms, pool, recipe.candidates, recipe.fields),
  ])
  const dense = vector === undefined ? [] : await env.backend.vectors.search(vector, pool, recipe.candidates)
  const cosines = new Map(dense.map((hit) => [hit.rid, hit.score]))
  const rids = [...new Set([...cosines.keys(), ...lexical.hits.map((hit) => hit.rid)])]
  const nearest = dense[0]?.rid ?? rids[0]
  const words = nameWords(query.text)
  const owner = query.owner ?? (nearest === undefined ? env.settings.defaultOwner : await ownerOf(env, nearest))
  const inquiry: Inquiry = { env, pool, recipe, lexical, vector, words, owner, asked: await env.backend.links.namesIn(owner, words) }
  const { scored, graphNodes, told } = await rank(inquiry, rids, cosines)
  const best = await newestFirst(env, scored.sort(byScore), query.limit)
  const top = Math.max(0, ...scored.map((one) => one.cosine ?? 0))
  return { results: relevant(best, { top, terms, told }, inquiry), recipe, graphNodes, terms }
}

/** A newer statement of the same thing may stand behind the cut: where the best are such statements, more are looked at. */
async function newestFirst(env: Environment, scored: readonly Scored[], limit: number): Promise<readonly Recalled[]> {
  const best = await withFacts(env, scored.slice(0, limit))
  const stated = best.some(({ fact }) => fact.subject !== null && fact.predicate !== null)
  return stated ? preferNewer([...best, ...(await withFacts(env, scored.slice(limit, limit + LOOKED_BEHIND)))]).slice(0, limit) : best
}

/** Fusion, then what links and the graph add. */
async function rank(
  inquiry: Inquiry,
  rids: readonly number[],
  cosines: Map<number, number>,
): Promise<{ readonly scored: Scored[]; readonly graphNodes: number; readonly told: ReadonlySet<string> }> {
  const { env, pool, recipe } = inquiry
  const named = recipe.subjectBoost > 0 ? await subjectsNamed(inquiry) : { names: new Set<string>(), rids: [] }
  const author = recipe.authorBoost > 0 ? await authorNamed(inquiry) : null
  const question = { at: pool.at, cosineFloor: env.embedder.model.floor - recipe.floorMargin, author, subjects: named.names }
  const first = await complete(inquiry, [...new Set([...rids, ...named.rids])], cosines)
  const seeds = fuse(first, question, recipe)
  const links = recipe.weights === null && recipe.linkGain > 0 ? await followLinks(inquiry, seeds) : new Map<number, Link>()
  const { walk, entities } = await walkFrom(inquiry, seeds)
  const known = new Set(first.map((one) => one.sketch.rid))
  const reached = [...new Set([...links.keys(), ...(await walkedFacts(env, walk))])].filter((rid) => !known.has(rid))
  const scored = reached.length === 0 ? seeds : fuse([...first, ...(await complete(inquiry, reached, cosines))], question, recipe)
  applyLinks(scored, links, recipe)
  addWalk(scored, walk, recipe)
  return { scored, graphNodes: links.size + walk.nodes, told: entities ? toldBy(walk) : new Set() }
}

/** The facts that the walk reached, most visited first. */
async function walkedFacts(env: Environment, { scores }: Walk): Promise<readonly number[]> {
  if (scores.size === 0) return []
  const nodes = [...scores].sort((a, b) => b[1] - a[1]).slice(0, MAX_WALKED)
  return [...(await env.backend.rows.ridsOf(nodes.map(([node]) => node))).values()]
}

/** What a walk from the entities that the question names has mostly led to. */
const toldBy = ({ scores }: Walk): ReadonlySet<string> => new Set([...scores].filter(([, share]) => share >= TOLD).map(([node]) => node))

/**
 * Where nothing comes close in meaning, only facts with at least a quarter of the question's words are an answer, and
 * those that relations tell of the entities it names.
 */
function relevant(
  results: readonly Recalled[],
  known: { readonly top: number; readonly terms: readonly string[]; readonly told: ReadonlySet<string> },
  { env, recipe }: Inquiry,
): readonly Recalled[] {
  const { top, terms, told } = known
  const { floor } = env.embedder.model
  if ((top - floor) / (1 - floor) >= recipe.minRelevance) return results
  return results.filter(({ fact }) => {
    if (told.has(fact.id)) return true
    const own = new Set(termsOf(`${fact.title ?? ''} ${fact.author ?? ''} ${fact.date ?? ''} ${fact.text}`))
    return terms.length > 0 && terms.filter((term) => own.has(term)).length * 4 >= terms.length
  })
}

async function ownerOf(env: Environment, rid: number): Promise<string> {
  const [sketch] = await env.backend.links.sketches([rid])
  return sketch?.owner ?? env.settings.defaultOwner
}

/** Both scores for every fact of the list that the pool allows. */
async function complete(inquiry: Inquiry, rids: readonly number[], cosines: Map<number, number>): Promise<readonly Candidate[]> {
  const { env, pool, lexical, vector } = inquiry
  // Settled promises let nobody in between; hundreds of candidates are scored here.
  await setImmediate()
  const unknown = vector === undefined ? [] : rids.filter((rid) => !cosines.has(rid))
  if (vector !== undefined) for (const [rid, cosine] of await env.backend.vectors.similarities(vector, unknown)) cosines.set(rid, cosine)
  const sketches = await env.backend.links.sketches(rids)
  return sketches
    .filter((sketch) => allowed(sketch, pool))
    .map((sketch) => ({ sketch, cosine: cosines.get(sketch.rid) ?? null, bm25: lexical.scoreOf(sketch.rid) }))
}

const allowed = (sketch: Sketch, pool: Pool): boolean =>
  (pool.owner === undefined || sketch.owner === pool.owner) && isValidAt(sketch, pool.at)

/** Subjects that the question names: several words, or one word that only one fact is about. */
async function subjectsNamed({ env, owner, asked }: Inquiry): Promise<{ readonly names: Set<string>; readonly rids: readonly number[] }> {
  const postings = await env.backend.links.postings(
    owner,
    asked.filter((name) => !STOP_WORDS.has(name)),
    20,
  )
  const telling = postings.filter(
    ({ name, subjects }) => subjects.length > 0 && subjects.length <= 20 && (name.includes(' ') || subjects.length === 1),
  )
  return { names: new Set(telling.map((posting) => posting.name)), rids: telling.flatMap((posting) => posting.subjects) }
}

async function authorNamed({ env, pool, words }: Inquiry): Promise<string | null> {
  const authors = await env.backend.links.authorsIn(
    pool.owner,
    words.filter((word) => !STOP_WORDS.has(word)),
  )
  return authors.length === 1 ? (authors[0] ?? null) : null
}

async function followLinks({ env, recipe, lexical, owner, asked }: Inquiry, scored: readonly Scored[]): Promise<ReadonlyMap<number, Link>> {
  const seeds = seedsOf(scored, recipe)
  const mentions = await env.backend.links.mentions(seeds.map((seed) => seed.sketch.rid))
  const names = new Set<string>()
  for (const seed of seeds) {
    if (seed.sketch.subject !== null) names.add(seed.sketch.subject)
    for (const name of mentions.get(seed.sketch.rid) ?? []) if (names.size < MAX_NAMES) names.add(name)
  }
  if (names.size === 0) return new Map()
  const postings = new Map<string, NamePosting>()
  for (const posting of await env.backend.links.postings(owner, [...names], hubLimit(lexical.documents)))
    postings.set(posting.name, posting)
  const links = linkedFacts(
    seeds.map((one) => ({ scored: one, mentions: mentions.get(one.sketch.rid) ?? [] })),
    postings,
    lexical.documents,
    recipe,
    new Set(asked),
  )
  return new Map([...links].sort((a, b) => b[1].strength - a[1].strength).slice(0, MAX_LINKED))
}

/** Whoever names nobody asks everyone: the owner of the nearest fact first, then the one that is meant by default. */
async function entitiesNamed({
  env,
  pool,
  words,
  owner,
  asked,
}: Inquiry): Promise<{ readonly owner: string; readonly entities: readonly Entity[] }> {
  const among = (of: string, names: readonly string[]): Promise<readonly Entity[]> =>
    names.length === 0 ? Promise.resolve([]) : env.backend.store.listEntities({ owner: of, names, limit: 20, offset: 0 })
  const entities = await among(owner, asked)
  const { defaultOwner } = env.settings
  if (entities.length > 0 || pool.owner !== undefined || owner === defaultOwner) return { owner, entities }
  const others = await among(defaultOwner, await env.backend.links.namesIn(defaultOwner, words))
  return others.length === 0 ? { owner, entities } : { owner: defaultOwner, entities: others }
}

/** Walks from the entities the question names and from the best results. */
async function walkFrom(inquiry: Inquiry, scored: readonly Scored[]): Promise<{ readonly walk: Walk; readonly entities: boolean }> {
  const { env, recipe } = inquiry
  const weight = recipe.weights?.ppr ?? recipe.graphGain
  if (weight <= 0) return { walk: NO_WALK, entities: false }
  const { owner, entities } = await entitiesNamed(inquiry)
  // The tuned recipe walks only where the question names an entity: elsewhere the links have done the work already.
  if (recipe.weights === null && entities.length === 0) return { walk: NO_WALK, entities: false }
  const best = [...scored].sort(byScore).slice(0, 20)
  const top = best[0]?.score ?? 0
  const facts = recipe.weights === null ? [] : best.map((one) => ({ node: one.sketch.id, weight: top > 0 ? one.score / top : 0 }))
  const seeds = [...entities.map((entity) => ({ node: entity.id, weight: 2 })), ...facts]
  return { walk: await walkGraph(env, owner, seeds), entities: entities.length > 0 }
}

/**
 * The walk as a signal of its own: with a contract's weights it takes its share, else it adds to the fused score. There
 * a fact that names the asked entity itself counts less: words and vectors have found it already, a relation is news.
 */
function addWalk(scored: readonly Scored[], { scores, beside }: Walk, recipe: Recipe): void {
  const { weights } = recipe
  const shareOf = ({ sketch }: Scored): number =>
    (scores.get(sketch.id) ?? 0) * (weights === null && beside.has(sketch.id) ? recipe.besideWalk : 1)
  const most = scored.reduce((max, one) => Math.max(max, shareOf(one)), 0)
  for (const one of scored) {
    const share = most > 0 ? shareOf(one) / most : 0
    one.graph = Math.max(one.graph, share)
    if (weights !== null) one.score = weights.vector * one.vector + weights.bm25 * one.lexical + weights.ppr * share
    else one.score += recipe.graphGain * share
  }
  const best = scored.reduce((max, one) => Math.max(max, one.score), 0)
  if (weights === null && best > 1) for (const one of scored) one.score /= best
}

async function withFacts(env: Environment, best: readonly Scored[]): Promise<readonly Recalled[]> {
  const facts = new Map((await env.backend.store.facts(best.map((one) => one.sketch.id))).map((fact) => [fact.id, fact]))
  return best.flatMap((one) => {
    const fact = facts.get(one.sketch.id)
    return fact === undefined
      ? []
      : [
          {
            fact,
            score: one.score,
            cosine: one.cosine,
            vector: one.vector,
            lexical: one.lexical,
            graph: one.graph,
            via: one.via,
            boosts: one.boosts,
          },
        ]
  })
}
