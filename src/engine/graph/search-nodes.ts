import { lexicalParts } from '../../core/embedding/fact-text.js'
import type { Fact, Instant } from '../../core/facts/fact.js'
import { isGone, type LifecycleState } from '../../core/facts/lifecycle.js'
import { isValidAt } from '../../core/facts/validity.js'
import { nameWords } from '../../core/graph/names.js'
import { removeFunctionWords } from '../../core/language/content-words.js'
import { detectLanguagesStrict } from '../../core/language/language-of.js'
import { clipQuery, queryTerms, terms } from '../../core/text/text.js'
import type { Context } from '../context.js'
import { embedQueryOrDegrade } from '../embedding/query-vector.js'
import type { NodeHit } from '../engine-services.js'
import { lifeOfNode, type MemoryNode } from '../entities/nodes.js'
import type { Environment } from '../environment.js'
import { createYieldPoint } from '../event-loop.js'
import { recall } from '../recall/recall.js'
import { withView } from '../with-view.js'

export interface NodeQuery {
  readonly text: string
  readonly owner: string
  readonly limit: number
  readonly kinds: readonly MemoryNode['kind'][]
  /** Only nodes in one of these states. */
  readonly lives: readonly LifecycleState[]
  readonly threshold: number
  /** Requires the minimum similarity for every hit, including keyword matches. */
  readonly strict?: boolean
  readonly signal: AbortSignal
}

const PAGE_SIZE = 1000
const ENTITY_WORDS = 0.35

interface NodeAnswer {
  readonly hits: readonly NodeHit[]
  /** Why the model did not contribute although one is configured; null otherwise. */
  readonly degraded: string | null
}

/** Facts and entities that match a query by meaning or keywords, best first. Repeated queries are served from a cache. */
export async function searchNodes(context: Context, query: NodeQuery): Promise<NodeAnswer> {
  const { linker, searchCache } = context.services
  await context.embedding.embedPending()
  const key = JSON.stringify([query.owner, query.text, query.limit, query.kinds, query.lives, query.threshold, query.strict === true])
  const now = context.clock.now()
  const mark = await withView(context, query.owner, async (view) => view.mark)
  const cached = searchCache.get(key, mark)
  // A cached result is used only if all of its hits are still valid.
  if (cached?.every((hit) => holds(hit.node, query.lives, now))) {
    linker.wake()
    return { hits: cached, degraded: null }
  }
  // A pure similarity search has no result without a vector.
  const embedded =
    query.strict === true && !context.embedder.disabled
      ? { vector: await context.embedding.query(query.text, query.signal), degraded: null }
      : await embedQueryOrDegrade(context, query.text, query.signal)
  // Entities are embedded when a search first needs them.
  if (embedded.vector !== undefined && query.kinds.includes('entity')) await linker.embedEntities(query.owner)
  const hits = await search(context, { ...query, vector: embedded.vector }, now)
  // A degraded result is not cached, because the model may recover.
  if (embedded.degraded === null) searchCache.put(key, mark, hits)
  linker.wake()
  return { hits, degraded: embedded.degraded }
}

const holds = (node: MemoryNode, lives: readonly LifecycleState[], at: Instant): boolean =>
  lives.includes(lifeOfNode(node, at)) && !isGone(node.kind === 'fact' ? node.fact : node.entity, at)

/** Without a vector, only keywords count. */
type VectorNodeQuery = NodeQuery & { readonly vector: Float32Array | undefined }

async function search(env: Environment, query: VectorNodeQuery, asOf: Instant): Promise<readonly NodeHit[]> {
  const facts = query.kinds.includes('fact')
  const found = [
    ...(facts && query.lives.includes('active') ? await currentFacts(env, query, asOf) : []),
    ...(facts ? await pastFacts(env, query, asOf) : []),
    ...(query.kinds.includes('entity') ? await entities(env, query, asOf) : []),
  ]
  return scaled(found, env.embedder.model.floor)
    .sort((a, b) => b.score - a.score || b.similarity - a.similarity)
    .slice(0, query.limit)
}

interface Match {
  readonly node: MemoryNode
  readonly similarity: number
  /** Relevance relative to the best fact; undefined for nodes that recall does not rank. */
  readonly fused: number | undefined
  readonly words: number
}

/** Ranked facts keep their scores; others are scored by cosine and keywords. */
function scaled(matches: readonly Match[], floor: number): NodeHit[] {
  const best = matches.reduce((most, match) => Math.max(most, match.similarity), floor + 1e-9)
  return matches.map(({ node, similarity, fused, words }) => ({
    node,
    similarity,
    score: fused ?? (1 - ENTITY_WORDS) * Math.max(0, (similarity - floor) / (best - floor)) + ENTITY_WORDS * words,
  }))
}

/** Share of the query terms in the fact, 0 to 1. */
function wordShare(fact: Fact, wanted: readonly string[]): number {
  if (wanted.length === 0) return 0
  const { title, head, text } = lexicalParts(fact)
  const there = new Set(terms(`${title} ${head} ${text}`))
  return wanted.filter((term) => there.has(term)).length / wanted.length
}

/** Half of the query terms are a match regardless of the vectors. */
const matches = (similarity: number, words: number, { threshold, strict }: NodeQuery): boolean =>
  similarity >= threshold || (words >= 0.5 && strict !== true)

function termsOf(text: string): readonly string[] {
  const question = clipQuery(text)
  return queryTerms(removeFunctionWords(question, detectLanguagesStrict(question)))
}

async function currentFacts(env: Environment, query: NodeQuery, asOf: Instant): Promise<readonly Match[]> {
  const most = Math.max(50, query.limit * 3)
  const recipe = { ...env.settings.recipe, candidates: Math.max(env.settings.recipe.candidates, most) }
  const { results } = await recall(env, {
    text: query.text,
    owner: query.owner,
    limit: most,
    recipe,
    effort: 'fast',
    signal: query.signal,
  })
  const wanted = termsOf(query.text)
  const turn = createYieldPoint()
  const found: Match[] = []
  const best = results.reduce((most, { relevance }) => Math.max(most, relevance), 1e-9)
  for (const { fact, cosine, relevance } of results) {
    await turn()
    const words = wordShare(fact, wanted)
    const similarity = cosine ?? 0
    // Skips facts that ended after they were retrieved.
    if (!isValidAt(fact, { at: asOf, present: true }) || !matches(similarity, words, query)) continue
    found.push({ node: { kind: 'fact', fact }, similarity, fused: relevance / best, words })
  }
  return found
}

/** Ended facts are not in the search indexes, so they are compared one by one. */
async function pastFacts(env: Environment, query: VectorNodeQuery, asOf: Instant): Promise<readonly Match[]> {
  const { vector } = query
  const past = (['outdated', 'archived'] as const).filter((life) => query.lives.includes(life))
  if (past.length === 0) return []
  const wanted = termsOf(query.text)
  const found: Match[] = []
  const turn = createYieldPoint()
  for (const life of past) {
    for (let after = 0; ; ) {
      const page = await env.graph.pastFacts(query.owner, life, { at: asOf, after, limit: PAGE_SIZE })
      const rids = page.map((placed) => placed.rid)
      const cosines =
        vector === undefined
          ? new Map<number, number>()
          : await withView(env, query.owner, (view) => view.vectors.similarities(vector, rids))
      for (const { rid, fact } of page) {
        await turn()
        const similarity = cosines.get(rid) ?? 0
        const words = wordShare(fact, wanted)
        if (matches(similarity, words, query)) found.push({ node: { kind: 'fact', fact }, similarity, fused: undefined, words })
      }
      const last = page[page.length - 1]
      if (last === undefined || page.length < PAGE_SIZE) break
      after = last.rid
    }
  }
  return found
}

async function entities(env: Environment, query: VectorNodeQuery, asOf: Instant): Promise<readonly Match[]> {
  const { vector } = query
  const names = await withView(env, query.owner, (view) => view.links.namesIn(query.owner, nameWords(clipQuery(query.text))))
  const named = names.length === 0 ? [] : await env.store.listEntities({ owner: query.owner, names, limit: query.limit, offset: 0 })
  const alike = vector === undefined ? [] : await env.graph.similarEntities(vector, query.owner, -1)
  const cosines = new Map(alike.map((hit) => [hit.id, hit.score]))
  const near = [...cosines].filter(([, score]) => score >= query.threshold).map(([id]) => id)
  const mentioned = new Set(
    named.map((entity) => entity.id).filter((id) => query.strict !== true || (cosines.get(id) ?? 0) >= query.threshold),
  )
  const found: Match[] = []
  const ids = [...new Set([...mentioned, ...near])]
  for (let i = 0; i < ids.length && found.length < query.limit + mentioned.size; i += PAGE_SIZE) {
    for (const entity of await env.store.entities(ids.slice(i, i + PAGE_SIZE))) {
      const node: MemoryNode = { kind: 'entity', entity }
      if (entity.owner !== query.owner || !holds(node, query.lives, asOf)) continue
      found.push({ node, similarity: cosines.get(entity.id) ?? 0, fused: undefined, words: mentioned.has(entity.id) ? 1 : 0 })
    }
  }
  return found
}
