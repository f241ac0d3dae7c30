import type { Entity } from '../../core/graph/entity.js'
import type { Candidate, ScoredCandidate } from '../../core/recall/candidate.js'
import { toProbability } from '../../core/recall/rank.js'
import type { Recipe } from '../../core/recall/recipe/recipe.js'
import type { View } from '../../ports/view.js'
import { type GraphWalk, NO_WALK, walkGraph } from '../edges/walk.js'
import type { Retrieval } from './retrieval.js'

const MAX_WALKED = 100
const MAX_SEEDS = 20
/** Least share of a walk, where the best has 1, for a fact to count as reached by it. */
const RELATION_MATCH_MIN = 0.2

/** Without an owner filter, looks up entities of the best match's owner, then of the default owner. */
async function findNamedEntities({
  env,
  view,
  ownerFilter,
  words,
  owner,
  namesInQuery,
}: Retrieval): Promise<{ readonly owner: string; readonly entities: readonly Entity[] }> {
  const lookUp = (inOwner: string, names: readonly string[]): Promise<readonly Entity[]> =>
    names.length === 0 ? Promise.resolve([]) : env.store.listEntities({ owner: inOwner, names, limit: 20, offset: 0 })
  const entities = await lookUp(owner, namesInQuery)
  const { defaultOwner } = env.settings
  if (entities.length > 0 || ownerFilter !== undefined || owner === defaultOwner) return { owner, entities }
  const others = await lookUp(defaultOwner, await view.links.namesIn(defaultOwner, words))
  return others.length === 0 ? { owner, entities } : { owner: defaultOwner, entities: others }
}

/** Walks from the entities that the query names and, where a caller sets weights, from the best results. */
export async function runGraphWalk(
  retrieval: Retrieval,
  ranked: readonly ScoredCandidate[],
  isUsed: boolean,
): Promise<{ readonly walk: GraphWalk; readonly entities: boolean }> {
  const { env, recipe } = retrieval
  if (recipe.weights === null ? !isUsed : recipe.weights.ppr === 0) return { walk: NO_WALK, entities: false }
  const { owner, entities } = await findNamedEntities(retrieval)
  // The tuned recipe walks only where the query names an entity: elsewhere links lead to the same facts.
  if (recipe.weights === null && entities.length === 0) return { walk: NO_WALK, entities: false }
  const facts = ranked.slice(0, MAX_SEEDS).map(({ header, logOdds }) => ({ node: header.id, weight: toProbability(logOdds) }))
  const seeds = [...entities.map((entity) => ({ node: entity.id, weight: 2 })), ...(recipe.weights === null ? [] : facts)]
  return { walk: await walkGraph(env, owner, seeds), entities: entities.length > 0 }
}

/**
 * The share of the walk for each candidate; the best has 1. A fact that names the entity itself counts less: words and
 * vectors have found it already.
 */
export function computeWalkShares(candidates: readonly Candidate[], { scores, neighbours }: GraphWalk, recipe: Recipe): readonly number[] {
  const shares = candidates.map(
    ({ header }) => (scores.get(header.id) ?? 0) * (recipe.weights === null && neighbours.has(header.id) ? recipe.besideWalk : 1),
  )
  const most = shares.reduce((max, share) => Math.max(max, share), 0)
  return shares.map((share) => (most > 0 ? share / most : 0))
}

/** The facts that the walk reached, most visited first. */
export async function findWalkedFacts(view: View, { scores }: GraphWalk): Promise<readonly number[]> {
  if (scores.size === 0) return []
  const nodes = [...scores].sort((a, b) => b[1] - a[1]).slice(0, MAX_WALKED)
  return [...(await view.rows.ridsOf(nodes.map(([node]) => node))).values()]
}

/** Facts that a walk from the entities in the query mostly leads to. */
export const findRelationMatches = ({ scores }: GraphWalk): ReadonlySet<string> =>
  new Set([...scores].filter(([, share]) => share >= RELATION_MATCH_MIN).map(([node]) => node))
