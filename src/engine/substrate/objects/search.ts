import { checkSize } from '../../../core/input/input.js'
import { fuseStreams } from '../../../core/substrate/search/fusion.js'
import { isNamed, type LexicalScore, scoreTexts } from '../../../core/substrate/search/lexical-score.js'
import { planQuery, type QueryPlan } from '../../../core/substrate/search/query-plan.js'
import { type SanitizedQuery, sanitizeQuery } from '../../../core/substrate/search/query-sanitizer.js'
import { terms } from '../../../core/text/text.js'
import { embedQueryOrDegrade } from '../../embedding/query-vector.js'
import type { Environment } from '../../environment.js'
import { createYieldPoint } from '../../event-loop.js'
import { type Candidates, candidatesFor, type FindNearest, type ObjectSearch, type PassageMatch } from './candidates.js'
import { headOf, loadObjects, type MemoryObject, matchesFilters, type ObjectFilters, ofFact } from './objects.js'
import { recentObjects } from './recent.js'
import { loadTexts } from './texts.js'

export interface ObjectQuery {
  readonly text: string
  readonly owner: string
  readonly limit: number
  readonly filters: ObjectFilters
  /** Searches vectors outside the store. */
  readonly nearest?: FindNearest | undefined
  readonly signal: AbortSignal
}

export interface ObjectHit {
  readonly object: MemoryObject
  readonly rankScore: number
  readonly ranks: Readonly<Record<string, number>>
  readonly lexical: LexicalScore
  readonly cosine: number | null
  readonly passages: readonly PassageMatch[]
}

export interface ObjectAnswer {
  readonly found: readonly ObjectHit[]
  readonly plan: QueryPlan
  readonly sanitized: SanitizedQuery
  /** Why the model did not contribute although one is configured; null otherwise. */
  readonly degraded: string | null
}

/** Candidates per requested result; more are requested if filters leave too few. */
const LOOKED_AT = 3
const MIN_DEPTH = 30
const DEPTH_FACTORS = [1, 4, 20, 100] as const
const ENDED_STATUSES = ['superseded', 'archived'] as const
const MAX_LISTED_ITEMS = 50

export async function searchObjects(env: Environment, query: ObjectQuery): Promise<ObjectAnswer> {
  checkSize(query.text, 'query', env.settings.maxContentBytes)
  const sanitized = sanitizeQuery(query.text)
  const plan = planQuery(sanitized.text)
  await env.embedding.embedPending()
  const { vector, degraded } = await embedQueryOrDegrade(env, sanitized.text, query.signal)
  const search = { text: sanitized.text, plan, owner: query.owner, vector, nearest: query.nearest }
  let found: readonly ObjectHit[] = []
  // With filters, a larger first request saves a second one.
  const isFiltered = Object.values(query.filters).some((wanted) => wanted !== undefined)
  for (const times of isFiltered ? DEPTH_FACTORS.slice(1) : DEPTH_FACTORS) {
    const depth = times * Math.max(MIN_DEPTH, LOOKED_AT * query.limit)
    const candidates = await candidatesFor(env, { ...search, depth })
    found = await ranked(env, query, { ...search, depth }, candidates)
    if (found.length >= query.limit || !candidates.more) break
  }
  return { found: found.slice(0, query.limit), plan, sanitized, degraded }
}

/** Ended objects are returned on request only. */
const isShown = (object: MemoryObject, filters: ObjectFilters): boolean =>
  matchesFilters(object, filters) && (filters.statuses !== undefined || !ENDED_STATUSES.some((status) => status === headOf(object).status))

async function ranked(env: Environment, query: ObjectQuery, search: ObjectSearch, candidates: Candidates): Promise<readonly ObjectHit[]> {
  const { plan } = search
  const objects = new Map([...candidates.objects].filter(([, object]) => isShown(object, query.filters)))
  for (const past of await pastObjects(env, query, plan)) objects.set(past.id, past)
  const listed = plan.asksForKindAlone ? await ofAskedKind(env, query, plan) : []
  for (const object of listed) objects.set(object.id, object)
  const scores = new Map<string, LexicalScore>()
  const turn = createYieldPoint()
  for (const object of objects.values()) {
    await turn()
    const passages = (candidates.passages.get(object.id) ?? []).map(({ passage }) => passage)
    scores.set(object.id, scoreTexts(plan, loadTexts(object, passages)))
  }
  const scoreOf = (id: string): number => scores.get(id)?.score ?? 0
  const place = new Map(candidates.worded.map((id, at) => [id, at]))
  const lexical = [...objects.keys()]
    .filter((id) => scoreOf(id) > 0)
    .sort((a, b) => scoreOf(b) - scoreOf(a) || (place.get(a) ?? Number.MAX_SAFE_INTEGER) - (place.get(b) ?? Number.MAX_SAFE_INTEGER))
  const semantic = [...candidates.cosines]
    .filter(([id]) => objects.has(id))
    .sort((a, b) => b[1] - a[1])
    .map(([id]) => id)
  const { inferred } = plan
  const lifted =
    inferred === null
      ? []
      : [...new Set([...lexical, ...listed.map(({ id }) => id)])].filter((id) => passesFilter(objects.get(id), inferred))
  const graph = await aroundIds(env, query, plan, objects)
  const streams = [
    { name: 'lexical', ids: lexical },
    { name: 'graph', ids: graph },
    { name: 'semantic', ids: semantic },
    { name: 'inferred', ids: lifted },
  ]
  const titled = (id: string): boolean => {
    const object = objects.get(id)
    return object !== undefined && titlesOf(object).some((title) => isNamed(title, search.text))
  }
  return fuseStreams(streams, titled).flatMap(({ id, rankScore, ranks }) => {
    const object = objects.get(id)
    if (object === undefined) return []
    const found = {
      object,
      rankScore,
      ranks,
      lexical: scores.get(id) ?? { score: 0, matched: [] },
      cosine: candidates.cosines.get(id) ?? null,
    }
    return [{ ...found, passages: candidates.passages.get(id) ?? [] }]
  })
}

/** The title of an object, and the aliases of a node. */
const titlesOf = (object: MemoryObject): readonly string[] => [
  headOf(object).title,
  ...(object.type === 'node' ? object.entity.aliases : []),
]

const passesFilter = (object: MemoryObject | undefined, { types, kinds, statuses }: NonNullable<QueryPlan['inferred']>): boolean =>
  object !== undefined &&
  matchesFilters(object, {
    types,
    ...(kinds.length === 0 ? {} : { kinds }),
    ...(statuses.length === 0 ? {} : { statuses }),
  })

/** A query such as "todo" lists all objects of that kind. */
async function ofAskedKind(env: Environment, query: ObjectQuery, { inferred }: QueryPlan): Promise<readonly MemoryObject[]> {
  if (inferred === null) return []
  const recent = await recentObjects(env, {
    owner: query.owner,
    limit: MAX_LISTED_ITEMS,
    filters: {},
    only: (object) => passesFilter(object, inferred) && isShown(object, query.filters),
    atMost: 4000,
  })
  return recent
}

/** Objects that refer to ids in the query. */
async function aroundIds(
  env: Environment,
  query: ObjectQuery,
  { tokens }: QueryPlan,
  objects: Map<string, MemoryObject>,
): Promise<readonly string[]> {
  const named = tokens.filter((token) => objects.has(token))
  if (named.length === 0) return []
  const edges = await env.store.edges({ owner: query.owner, nodes: named, stated: true, limit: MAX_LISTED_ITEMS })
  const ends = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].filter((id) => !named.includes(id))
  const found = await loadObjects(env, ends, query.owner)
  return ends.filter((id) => {
    const object = found.get(id)
    if (object === undefined || !isShown(object, query.filters)) return false
    objects.set(id, object)
    return true
  })
}

/** Ended objects are not in the search indexes, so their words are compared one by one on request. */
async function pastObjects(env: Environment, { owner, filters }: ObjectQuery, { tokens }: QueryPlan): Promise<readonly MemoryObject[]> {
  const search = ENDED_STATUSES.filter((status) => filters.statuses?.includes(status))
  const wanted = new Set(tokens.flatMap(terms))
  const found: MemoryObject[] = []
  for (const status of search) {
    const life = status === 'archived' ? 'archived' : 'outdated'
    for (let after = 0; ; ) {
      const page = await env.graph.pastFacts(owner, life, { at: env.clock.now(), after, limit: 500 })
      for (const { fact } of page) {
        const object = ofFact(fact)
        if (matchesFilters(object, filters) && terms(`${fact.title ?? ''} ${fact.text}`).some((term) => wanted.has(term)))
          found.push(object)
      }
      const last = page[page.length - 1]
      if (last === undefined || page.length < 500) break
      after = last.rid
    }
  }
  return found
}
