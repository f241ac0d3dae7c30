import type { Fact, Instant } from '../../core/facts/fact.js'
import { checkSize } from '../../core/input/input.js'
import { OWN_WORDS } from '../../core/recall/recipe/recipe.js'
import { clampToNow } from '../../core/time/instants.js'
import type { View } from '../../ports/view.js'
import { resolveAsOf } from '../as-of.js'
import type { Environment } from '../environment.js'
import { withView } from '../with-view.js'
import { searchLexical } from './lexical-search.js'

interface SearchQuery {
  readonly text: string
  readonly limit: number
  readonly owner?: string | undefined
  readonly asOf?: Instant | undefined
  readonly signal: AbortSignal
}

export interface SearchHit {
  readonly fact: Fact
  readonly score: number
}

/** By meaning alone: exact cosine. */
export async function searchByMeaning(env: Environment, query: SearchQuery): Promise<readonly SearchHit[]> {
  checkSize(query.text, 'query', env.settings.maxContentBytes)
  await env.embedding.embedPending()
  const vector = await env.embedding.query(query.text, query.signal)
  return withView(env, query.owner, async (view) =>
    withRows(env, view, query.owner, await view.vectors.search(vector, resolveAsOf(env.clock, query.asOf), query.limit)),
  )
}

/** By words alone: needs no model. */
export async function searchByWords(env: Environment, query: SearchQuery): Promise<readonly SearchHit[]> {
  checkSize(query.text, 'query', env.settings.maxContentBytes)
  return withView(env, query.owner, async (view) => {
    const pool = resolveAsOf(env.clock, query.asOf)
    const answer = await searchLexical(view, query.text, pool, { limit: query.limit, fields: OWN_WORDS })
    return withRows(env, view, query.owner, answer.hits)
  })
}

async function withRows(
  env: Environment,
  view: View,
  owner: string | undefined,
  hits: readonly { readonly rid: number; readonly score: number }[],
): Promise<readonly SearchHit[]> {
  const ids = await view.rows.idsOf(hits.map((hit) => hit.rid))
  const facts = new Map((await env.store.facts([...ids.values()], owner)).map((fact) => [fact.id, fact]))
  const now = env.clock.now()
  return hits.flatMap((hit) => {
    const fact = facts.get(ids.get(hit.rid) ?? '')
    return fact === undefined ? [] : [{ fact: clampToNow(fact, now), score: hit.score }]
  })
}
