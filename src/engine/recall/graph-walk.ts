import type { Entity } from '../../core/graph/entity.js'
import type { ScoredCandidate } from '../../core/recall/candidate.js'
import { byScore } from '../../core/recall/fuse.js'
import type { Recipe } from '../../core/recall/recipe.js'
import type { View } from '../../ports/view.js'
import { NO_WALK, type Walk, walkGraph } from '../edges/walk.js'
import type { Retrieval } from './retrieval.js'

const MAX_WALKED = 100
/** Least share of a walk, where the best has 1, for a fact to count as told by it. */
const RELATION_MATCH_MIN = 0.2

/** Whoever names nobody asks everyone: the owner of the nearest fact first, then the one that is meant by default. */
async function entitiesNamed({
  env,
  view,
  ownerFilter: asksFor,
  words,
  owner,
  namesInQuery: asked,
}: Retrieval): Promise<{ readonly owner: string; readonly entities: readonly Entity[] }> {
  const among = (of: string, names: readonly string[]): Promise<readonly Entity[]> =>
    names.length === 0 ? Promise.resolve([]) : env.store.listEntities({ owner: of, names, limit: 20, offset: 0 })
  const entities = await among(owner, asked)
  const { defaultOwner } = env.settings
  if (entities.length > 0 || asksFor !== undefined || owner === defaultOwner) return { owner, entities }
  const others = await among(defaultOwner, await view.links.namesIn(defaultOwner, words))
  return others.length === 0 ? { owner, entities } : { owner: defaultOwner, entities: others }
}

/** Walks from the entities the question names and from the best results. */
export async function runGraphWalk(
  inquiry: Retrieval,
  scored: readonly ScoredCandidate[],
): Promise<{ readonly walk: Walk; readonly entities: boolean }> {
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
export function addWalk(scored: readonly ScoredCandidate[], { scores, beside }: Walk, recipe: Recipe): void {
  const { weights } = recipe
  const shareOf = ({ sketch }: ScoredCandidate): number =>
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

/** The facts that the walk reached, most visited first. */
export async function walkedFacts(view: View, { scores }: Walk): Promise<readonly number[]> {
  if (scores.size === 0) return []
  const nodes = [...scores].sort((a, b) => b[1] - a[1]).slice(0, MAX_WALKED)
  return [...(await view.rows.ridsOf(nodes.map(([node]) => node))).values()]
}

/** What a walk from the entities that the question names has mostly led to. */
export const findRelationMatches = ({ scores }: Walk): ReadonlySet<string> =>
  new Set([...scores].filter(([, share]) => share >= RELATION_MATCH_MIN).map(([node]) => node))
