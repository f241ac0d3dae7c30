import type { Fact, Scope } from '../../core/fact.js'
import { aboveFloor, type StageScores } from '../../core/recall/stages.js'
import { effectiveConfidence, statementOf } from '../../core/statement.js'
import { factIdIn, normalUri } from '../../core/uri.js'
import type { Hit, Pool, View } from '../../ports/view.js'
import type { Environment } from '../environment.js'
import { expand } from './expand.js'
import { gather } from './gather.js'
import type { StatementRecall } from './recall-statements.js'

/** A fact with what each stage says of it. */
export interface Candidate extends StageScores {
  readonly fact: Fact
  readonly hops: number
}

export interface Asked {
  readonly env: Environment
  readonly view: View
  readonly query: StatementRecall
  readonly pool: Pool
  readonly vector: Promise<Float32Array | undefined>
}

/** How many words and vectors bring each. */
const CANDIDATES = 200
/** Where many are passed over, so many are looked at. */
const MOST_LOOKED_AT = 6400
/** Below it nobody is told, unless they ask. */
const LOW_TRUST = 0.2
/** Of one entity so many are scored; an answer holds fewer. */
const MOST_OF_ENTITY = 5000
const PAGE = 500

/** Whether a fact may be found at all: this is decided before anything is ranked. */
const accepts = (query: StatementRecall, fact: Fact): boolean =>
  isSure(query, fact) && (query.relation === undefined || statementOf(fact).relation === query.relation)

function isSure({ leastConfidence, includeLowTrust }: StatementRecall, of: Pick<Fact, 'confidence' | 'trust'>): boolean {
  const effective = effectiveConfidence(of)
  return effective >= leastConfidence && (includeLowTrust || effective >= LOW_TRUST)
}

interface Found {
  readonly fact: Fact
  readonly score: number
}

/** The best of one search that may be found. */
function accepted(query: StatementRecall, hits: readonly Hit[], facts: ReadonlyMap<number, Fact>): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>()
  for (const { rid, score } of hits) {
    const fact = facts.get(rid)
    if (fact !== undefined && score > 0 && found.size < CANDIDATES && accepts(query, fact)) found.set(fact.id, { fact, score })
  }
  return found
}

/** Facts by their rows; those that were read before are not read again. */
async function readInto(known: Map<number, Fact>, { env, view, query }: Asked, hits: readonly Hit[]): Promise<void> {
  const ids = await view.rows.idsOf(hits.map(({ rid }) => rid).filter((rid) => !known.has(rid)))
  const facts = new Map((await env.backend.store.facts([...ids.values()], query.owner)).map((fact) => [fact.id, fact]))
  for (const [rid, id] of ids) {
    const fact = facts.get(id)
    if (fact !== undefined) known.set(rid, fact)
  }
}

/** By words and by meaning: further ones are looked at while those that may not be found take their places. */
async function directHits(asked: Asked): Promise<readonly [ReadonlyMap<string, Found>, ReadonlyMap<string, Found>]> {
  const { env, view, query, pool, vector } = asked
  const { floor } = env.embedder.model
  const known = new Map<number, Fact>()
  for (let limit = CANDIDATES; ; limit *= 4) {
    const [words, meanings] = [query.weights.lex === 0 ? 0 : limit, query.weights.vec === 0 ? 0 : limit]
    const { lexical, dense } = await gather(view, { text: query.text, pool, fields: env.settings.recipe.fields, words, meanings, vector })
    const near = dense.map(({ rid, score }) => ({ rid, score: aboveFloor(score, floor) }))
    const worded = words === 0 ? [] : lexical.hits
    await readInto(known, asked, [...worded, ...near])
    const found = [accepted(query, worded, known), accepted(query, near, known)] as const
    // What follows a hit that says nothing says nothing either.
    const isShort = (of: ReadonlyMap<string, Found>, hits: readonly Hit[]): boolean =>
      of.size < CANDIDATES && hits.length >= limit && (hits[hits.length - 1]?.score ?? 0) > 0
    if (limit >= MOST_LOOKED_AT || !(isShort(found[0], worded) || isShort(found[1], near))) return found
  }
}

/** By words, by meaning, and from there along the graph. */
export async function candidatesFor(asked: Asked): Promise<readonly Candidate[]> {
  const [lexical, dense] = await directHits(asked)
  const direct = new Map<string, Candidate>()
  for (const { fact, score } of lexical.values()) direct.set(fact.id, { fact, hops: 0, lex: score, vec: 0, graph: 0 })
  for (const { fact, score } of dense.values())
    direct.set(fact.id, { ...(direct.get(fact.id) ?? { fact, hops: 0, lex: 0, graph: 0 }), vec: score })
  return [...direct.values(), ...(await around(asked, direct))]
}

async function around({ env, query, pool }: Asked, direct: ReadonlyMap<string, Candidate>): Promise<readonly Candidate[]> {
  if (query.weights.graph === 0 || query.depth === 0) return []
  const seeds = new Map<Scope, Set<string>>()
  for (const { fact } of direct.values()) {
    const entities = seeds.get(fact.scope) ?? new Set()
    seeds.set(fact.scope, entities.add(statementOf(fact).entity))
  }
  const isStrong = (of: Pick<Fact, 'confidence' | 'trust'>): boolean => of.confidence > 0 && isSure(query, of)
  const reached = await expand(env, seeds, { owner: query.owner, at: pool.at, depth: query.depth, isStrong })
  const best = new Map<string, Candidate>()
  for (const { fact, hops, score } of reached) {
    if (direct.has(fact.id) || !accepts(query, fact) || score <= (best.get(fact.id)?.graph ?? 0)) continue
    best.set(fact.id, { fact, hops, lex: 0, vec: 0, graph: score })
  }
  return [...best.values()]
}

/** Everything about one entity, whatever the question has in common with it. */
export async function candidatesAbout(asked: Asked, given: string): Promise<readonly Candidate[]> {
  const { env, view, query, pool, vector } = asked
  const entity = normalUri(given)
  const facts = (await factsOf(env, query, entity, pool.at)).filter((fact) => accepts(query, fact))
  const rids = await view.rows.ridsOf(facts.map(({ id }) => id))
  const made = query.weights.vec === 0 ? undefined : await vector
  const { lexical } = await gather(view, { text: query.text, pool, fields: env.settings.recipe.fields, words: 1, meanings: 0, vector })
  const words = await lexical.scores([...rids.values()])
  const cosines = made === undefined ? new Map<number, number>() : await view.vectors.similarities(made, [...rids.values()])
  const { floor } = env.embedder.model
  return facts.map((fact) => {
    const rid = rids.get(fact.id) ?? -1
    return { fact, hops: 0, lex: words.get(rid)?.score ?? 0, vec: aboveFloor(cosines.get(rid) ?? 0, floor), graph: 0 }
  })
}

async function factsOf(env: Environment, { owner, scope }: StatementRecall, entity: string, at: number): Promise<readonly Fact[]> {
  const own = factIdIn(entity)
  const of = {
    owner,
    at,
    contradicted: true,
    ...(scope === undefined ? {} : { scope }),
    ...(own === undefined ? { entity } : { ids: [own] }),
  }
  const facts: Fact[] = []
  let before: { readonly at: number; readonly key: number | string } | undefined
  do {
    const page = await env.backend.statements.statements(of, { limit: PAGE, ...(before === undefined ? {} : { before }) })
    facts.push(...page.items.filter((fact) => fact.status !== 'superseded'))
    before = page.next ?? undefined
  } while (before !== undefined && facts.length < MOST_OF_ENTITY)
  return facts
}
