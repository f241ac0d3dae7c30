import type { Instant, Scope } from '../../core/facts/fact.js'
import { isValidAt } from '../../core/facts/validity.js'
import { computeEdgeScore } from '../../core/recall/statements/stages.js'
import { factIdIn } from '../../core/statements/uri.js'
import type { View } from '../../ports/view.js'
import type { Environment } from '../environment.js'
import { readable } from './neighbours.js'

/** Facts per reached entity. */
const FACTS_EACH = 20
/** Limit of expanded entities, by their best edge. */
const MAX_ENTITIES = 200

/** Edges read per 64 entities; edges of a hub carry little information and are not read completely. */
const MAX_EDGES = 2000

interface ReachedRow {
  readonly rid: number
  readonly hops: number
  /** Score of the edge that reached its entity. */
  readonly score: number
}

interface Expansion {
  readonly owner: string
  readonly at: Instant
  readonly depth: number
  /** Whether an edge is followed. */
  isStrong(link: { readonly confidence: number; readonly trust: number | null }): boolean
}

interface ReachedEntity {
  readonly hops: number
  readonly score: number
}

/** Statements about entities next to those of some facts. A path stays in the scope of its start. */
export async function expand(
  env: Environment,
  view: View,
  seeds: ReadonlyMap<Scope, ReadonlySet<string>>,
  query: Expansion,
): Promise<readonly ReachedRow[]> {
  const found: ReachedRow[] = []
  for (const [scope, begin] of seeds) {
    const reached = await reach(env, scope, begin, query)
    const best = [...reached].sort(([, a], [, b]) => b.score - a.score).slice(0, MAX_ENTITIES)
    const entities = best.map(([entity]) => entity)
    const rows = await rowsAt(env, view, entities, scope, query)
    for (const [entity, { hops, score }] of best) for (const rid of rows.get(entity) ?? []) found.push({ rid, hops, score })
  }
  return found
}

async function reach(
  env: Environment,
  scope: Scope,
  seeds: ReadonlySet<string>,
  { owner, at, depth, isStrong }: Expansion,
): Promise<ReadonlyMap<string, ReachedEntity>> {
  const reached = new Map<string, ReachedEntity>()
  let frontier: readonly string[] = [...seeds]
  for (let hops = 1; hops <= depth && frontier.length > 0; hops++) {
    const edges = (await readable(env, await env.statements.statedEdges({ owner, nodes: frontier, scope, at, atMost: MAX_EDGES }))).filter(
      isStrong,
    )
    const near = new Set(frontier)
    const isNew = (entity: string): boolean => !seeds.has(entity) && !reached.has(entity)
    const ways = edges
      .flatMap((edge) => [
        { edge, from: edge.from, to: edge.to },
        { edge, from: edge.to, to: edge.from },
      ])
      .filter(({ from, to }) => near.has(from) && isNew(to))
    const nodes = [...new Set(ways.map(({ edge }) => edge.from))]
    const degrees = nodes.length === 0 ? new Map<string, number>() : await env.statements.outDegrees({ owner, nodes, scope, at })
    const wave = new Map<string, ReachedEntity>()
    for (const { edge, to } of ways) {
      const score = computeEdgeScore(hops, edge.confidence, degrees.get(edge.from) ?? 1)
      if (score > (wave.get(to)?.score ?? 0)) wave.set(to, { hops, score })
    }
    for (const [entity, reach] of wave) reached.set(entity, reach)
    frontier = [...wave]
      .sort(([, a], [, b]) => b.score - a.score)
      .slice(0, MAX_ENTITIES)
      .map(([entity]) => entity)
  }
  return reached
}

/** The strongest statements of each entity; a fact without statements represents itself. */
async function rowsAt(
  env: Environment,
  view: View,
  entities: readonly string[],
  scope: Scope,
  { owner, at }: Expansion,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const stated = await env.statements.strongestRows({ owner, nodes: entities, scope, at }, FACTS_EACH)
  const plain = entities.flatMap((entity) => factIdIn(entity) ?? [])
  if (plain.length === 0) return stated
  const rids = [...(await view.rows.ridsOf(plain)).values()]
  const living = (await view.links.sketches(rids)).filter((sketch) => isValidAt(sketch, { at, present: true }))
  const own = new Map(living.map(({ id, rid }) => [id, rid]))
  return new Map(entities.map((entity) => [entity, [...(stated.get(entity) ?? []), ...[own.get(factIdIn(entity) ?? '') ?? []].flat()]]))
}
