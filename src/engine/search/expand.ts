import type { Fact, Instant, Scope } from '../../core/fact.js'
import { edgeScore } from '../../core/recall/stages.js'
import { factIdIn } from '../../core/uri.js'
import type { StatedEdge } from '../../ports/statements.js'
import { readable } from '../edges/neighbours.js'
import type { Environment } from '../environment.js'

/** Facts that a reached entity brings. */
const FACTS_EACH = 20
/** Entities that are looked into, those of the best edges first. */
const MOST_ENTITIES = 200

export interface ReachedFact {
  readonly fact: Fact
  readonly hops: number
  /** Of the edge by which its entity was reached. */
  readonly score: number
}

export interface Expansion {
  readonly owner: string
  readonly at: Instant
  readonly depth: number
  /** Whether an edge, or a fact, is to be followed at all. */
  isStrong(of: { readonly confidence: number; readonly trust: number | null }): boolean
}

interface Reached {
  readonly hops: number
  readonly score: number
}

/** What stands at entities around those of some facts. A path stays in the scope in which it begins. */
export async function expand(
  env: Environment,
  seeds: ReadonlyMap<Scope, ReadonlySet<string>>,
  query: Expansion,
): Promise<readonly ReachedFact[]> {
  const found: ReachedFact[] = []
  for (const [scope, entities] of seeds) {
    const reached = await reach(env, scope, entities, query)
    const best = [...reached].sort(([, a], [, b]) => b.score - a.score).slice(0, MOST_ENTITIES)
    const facts = await factsAt(
      env,
      best.map(([entity]) => entity),
      scope,
      query,
    )
    for (const [entity, { hops, score }] of best)
      for (const fact of facts.get(entity) ?? []) if (query.isStrong(fact)) found.push({ fact, hops, score })
  }
  return found
}

async function reach(
  env: Environment,
  scope: Scope,
  seeds: ReadonlySet<string>,
  { owner, at, depth, isStrong }: Expansion,
): Promise<ReadonlyMap<string, Reached>> {
  const reached = new Map<string, Reached>()
  let frontier: readonly string[] = [...seeds]
  for (let hops = 1; hops <= depth && frontier.length > 0; hops++) {
    const edges = (await readable(env, await env.backend.statements.statedEdges({ owner, nodes: frontier, scope, at }))).filter(isStrong)
    const near = new Set(frontier)
    const isNew = (entity: string): boolean => !seeds.has(entity) && !reached.has(entity)
    const useful = edges.filter(({ from, to }) => (near.has(from) && isNew(to)) || (near.has(to) && isNew(from)))
    const nodes = [...new Set(useful.map(({ from }) => from))]
    const degrees = nodes.length === 0 ? new Map<string, number>() : await env.backend.statements.outDegrees({ owner, nodes, scope, at })
    const wave = new Map<string, Reached>()
    const offer = (entity: string, edge: StatedEdge): void => {
      const score = edgeScore(hops, edge.confidence, degrees.get(edge.from) ?? 1)
      if (score > (wave.get(entity)?.score ?? 0)) wave.set(entity, { hops, score })
    }
    for (const edge of useful) {
      if (near.has(edge.from) && isNew(edge.to)) offer(edge.to, edge)
      if (near.has(edge.to) && isNew(edge.from)) offer(edge.from, edge)
    }
    for (const [entity, one] of wave) reached.set(entity, one)
    frontier = [...wave]
      .sort(([, a], [, b]) => b.score - a.score)
      .slice(0, MOST_ENTITIES)
      .map(([entity]) => entity)
  }
  return reached
}

/** The strongest statements of each entity; what has no statement of its own is told by itself. */
async function factsAt(
  env: Environment,
  entities: readonly string[],
  scope: Scope,
  { owner, at }: Expansion,
): Promise<ReadonlyMap<string, readonly Fact[]>> {
  const stated = await env.backend.statements.strongest({ owner, nodes: entities, scope, at }, FACTS_EACH)
  const plain = entities.flatMap((entity) => factIdIn(entity) ?? [])
  if (plain.length === 0) return stated
  const facts = new Map((await env.backend.store.facts(plain)).map((fact) => [fact.id, fact]))
  return new Map(
    entities.map((entity) => {
      const own = facts.get(factIdIn(entity) ?? '')
      return [entity, [...(stated.get(entity) ?? []), ...(own === undefined ? [] : [own])]]
    }),
  )
}
