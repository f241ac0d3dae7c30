import type { Edge } from '../core/edge.js'
import { type Adjacency, routesOfLength } from '../core/paths.js'
import type { Step } from '../ports/graph-index.js'
import type { Environment } from './environment.js'
import { idOf, type MemoryNode, unknownNode, visibleNodes } from './nodes.js'
import { isAutomatic } from './relations.js'

export interface Trace {
  readonly nodes: readonly MemoryNode[]
  /** One for each step, whichever way it points. */
  readonly edges: readonly Edge[]
}

export interface TraceQuery {
  readonly owner: string
  readonly from: string
  readonly to: string
  readonly maxPaths: number
}

const MAX_DEPTH = 5
/** Steps of a hub beyond this many are not followed. */
const MAX_STEPS = 5000
/** Times that ways through expired nodes may be replaced by others. */
const DETOURS = 5

/** One end of the search: how far it has come, and what lies at its edge. */
interface Reach {
  readonly hops: Map<string, number>
  frontier: readonly string[]
  radius: number
}

/** The shortest ways between two nodes, undirected, shortest first. */
export async function tracePaths(env: Environment, query: TraceQuery): Promise<readonly Trace[]> {
  const now = env.clock.now()
  const avoid = new Set<string>()
  for (let detour = 0; ; detour++) {
    const routes = query.from === query.to ? [[query.from]] : await routesBetween(env, query, avoid)
    const ids = [...new Set([query.from, query.to, ...routes.flat()])]
    const nodes = new Map((await visibleNodes(env, ids, query.owner, now)).map((node) => [idOf(node), node]))
    for (const end of [query.from, query.to]) if (!nodes.has(end)) throw unknownNode(end)
    const hidden = ids.filter((id) => !nodes.has(id))
    if (hidden.length > 0 && detour < DETOURS) {
      for (const id of hidden) avoid.add(id)
      continue
    }
    const open = routes.filter((route) => route.every((id) => nodes.has(id)))
    const edgeOf = open.length === 0 ? () => undefined : await edgesAlong(env, query.owner, ids)
    return open.map((route) => ({
      nodes: route.flatMap((id) => nodes.get(id) ?? []),
      edges: route.slice(1).flatMap((id, i) => edgeOf(route[i] ?? '', id) ?? []),
    }))
  }
}

const pairOf = (one: string, other: string): string => (one < other ? `${one}\0${other}` : `${other}\0${one}`)

/** The edge to show for a step: one that somebody made, if there is one. */
async function edgesAlong(
  env: Environment,
  owner: string,
  ids: readonly string[],
): Promise<(one: string, other: string) => Edge | undefined> {
  const edges = new Map<string, Edge>()
  for (const edge of await env.backend.graph.edgesAmong(owner, ids)) {
    const known = edges.get(pairOf(edge.from, edge.to))
    if (known === undefined || (isAutomatic(known) && !isAutomatic(edge))) edges.set(pairOf(edge.from, edge.to), edge)
  }
  return (one, other) => edges.get(pairOf(one, other))
}

/** From both ends at once, the narrower first; the last hop only asks which steps join the two sides. */
async function routesBetween(env: Environment, query: TraceQuery, avoid: ReadonlySet<string>): Promise<readonly (readonly string[])[]> {
  const adjacency = new Map<string, Set<string>>()
  const left: Reach = { hops: new Map([[query.from, 0]]), frontier: [query.from], radius: 0 }
  const right: Reach = { hops: new Map([[query.to, 0]]), frontier: [query.to], radius: 0 }
  const routes: (readonly string[])[] = []
  for (let length = 1; length <= MAX_DEPTH && routes.length < query.maxPaths; length++) {
    if (length === MAX_DEPTH) learn(adjacency, await env.backend.graph.stepsBetween(query.owner, left.frontier, right.frontier), avoid)
    else await expand(env, query.owner, left.frontier.length <= right.frontier.length ? left : right, adjacency, avoid)
    routes.push(...findRoutes(query, length, adjacency, right, query.maxPaths - routes.length))
  }
  return routes
}

const findRoutes = (
  { from, to }: TraceQuery,
  length: number,
  adjacency: Adjacency,
  target: Reach,
  limit: number,
): readonly (readonly string[])[] => routesOfLength({ from, to, length, adjacency, toTarget: target.hops, known: target.radius, limit })

async function expand(
  env: Environment,
  owner: string,
  reach: Reach,
  adjacency: Map<string, Set<string>>,
  avoid: ReadonlySet<string>,
): Promise<void> {
  const steps = await env.backend.graph.stepsAt(owner, reach.frontier, MAX_STEPS)
  learn(adjacency, steps, avoid)
  const next: string[] = []
  reach.radius++
  for (const step of steps) {
    for (const end of [step.from, step.to]) {
      if (reach.hops.has(end) || avoid.has(end)) continue
      reach.hops.set(end, reach.radius)
      next.push(end)
    }
  }
  reach.frontier = next
}

function learn(adjacency: Map<string, Set<string>>, steps: readonly Step[], avoid: ReadonlySet<string>): void {
  const add = (here: string, there: string): void => {
    const known = adjacency.get(here)
    if (known === undefined) adjacency.set(here, new Set([there]))
    else known.add(there)
  }
  for (const { from, to } of steps) {
    if (from === to || avoid.has(from) || avoid.has(to)) continue
    add(from, to)
    add(to, from)
  }
}
