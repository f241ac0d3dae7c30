import type { Edge } from '../../core/graph/edge.js'
import { routesOfLength } from '../../core/graph/paths.js'
import { createFrontier, expandFrontier, type SearchFrontier } from '../breadth-first.js'
import { isAutomatic } from '../edges/relations.js'
import { idOf, type MemoryNode, unknownNode, visibleNodes } from '../entities/nodes.js'
import type { Environment } from '../environment.js'

interface Trace {
  readonly nodes: readonly MemoryNode[]
  /** One per step, in either direction. */
  readonly edges: readonly Edge[]
}

interface TraceQuery {
  readonly owner: string
  readonly from: string
  readonly to: string
  readonly maxPaths: number
  /** Maximum number of steps; 5 by default. */
  readonly maxDepth?: number
}

const DEFAULT_DEPTH = 5
/** Limit of followed edges of a hub. */
const MAX_STEPS = 5000
/** Nodes per request when the two sides are joined. */
const JOINED_BATCH_SIZE = 32
/** Maximum number of retries for paths that lead through expired nodes. */
const MAX_DETOURS = 5

/** State of a bidirectional search. */
interface Search {
  readonly query: TraceQuery
  /** Frontier of each end. */
  readonly from: SearchFrontier<string>
  readonly to: SearchFrontier<string>
  /** Steps from the start towards the target. */
  readonly ahead: Map<string, Set<string>>
  readonly avoid: ReadonlySet<string>
}

/** The shortest paths between two nodes, ignoring direction, shortest first. */
export async function tracePaths(env: Environment, query: TraceQuery): Promise<readonly Trace[]> {
  const now = env.clock.now()
  const avoid = new Set<string>()
  for (let detour = 0; ; detour++) {
    const routes = query.from === query.to ? [[query.from]] : await routesBetween(env, query, avoid)
    const ids = [...new Set([query.from, query.to, ...routes.flat()])]
    const nodes = new Map((await visibleNodes(env, ids, query.owner, now)).map((node) => [idOf(node), node]))
    for (const end of [query.from, query.to]) if (!nodes.has(end)) throw unknownNode(end)
    const hidden = ids.filter((id) => !nodes.has(id))
    if (hidden.length > 0 && detour < MAX_DETOURS) {
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

const pairOf = (a: string, b: string): string => (a < b ? `${a}\0${b}` : `${b}\0${a}`)

/** The edge that represents a step; an explicit one if it exists. */
async function edgesAlong(env: Environment, owner: string, ids: readonly string[]): Promise<(a: string, b: string) => Edge | undefined> {
  const edges = new Map<string, Edge>()
  for (const edge of await env.graph.edgesAmong(owner, ids)) {
    const known = edges.get(pairOf(edge.from, edge.to))
    if (known === undefined || (isAutomatic(known) && !isAutomatic(edge))) edges.set(pairOf(edge.from, edge.to), edge)
  }
  return (a, b) => edges.get(pairOf(a, b))
}

/** Expands the smaller frontier first; the last hop only searches for edges between the two sides. */
async function routesBetween(env: Environment, query: TraceQuery, avoid: ReadonlySet<string>): Promise<readonly (readonly string[])[]> {
  const search: Search = { query, from: createFrontier([query.from]), to: createFrontier([query.to]), ahead: new Map(), avoid }
  const routes: (readonly string[])[] = []
  for (let length = 1; length < (query.maxDepth ?? DEFAULT_DEPTH) && routes.length < query.maxPaths; length++) {
    await expand(env, search, narrower(search))
    routes.push(...findRoutes(search, length, query.maxPaths - routes.length))
  }
  if (routes.length < query.maxPaths) routes.push(...(await joinSides(env, search, query.maxPaths - routes.length)))
  return routes
}

const narrower = ({ from, to }: Search): SearchFrontier<string> => (from.frontier.length <= to.frontier.length ? from : to)

const findRoutes = ({ query, ahead, to }: Search, length: number, limit: number): readonly (readonly string[])[] =>
  routesOfLength({ from: query.from, to: query.to, length, adjacency: ahead, toTarget: to.hops, known: to.radius, limit })

const expand = (env: Environment, search: Search, reach: SearchFrontier<string>): Promise<void> =>
  expandFrontier(reach, async (frontier) => {
    const next: string[] = []
    for (const [node, around] of await env.graph.neighbours(search.query.owner, frontier, MAX_STEPS)) {
      for (const { id } of around) {
        if (search.avoid.has(id)) continue
        learn(search, reach, node, id)
        next.push(id)
      }
    }
    return next
  })

/** Joins the two sides in batches and stops once enough paths are found. */
async function joinSides(env: Environment, search: Search, wanted: number): Promise<readonly (readonly string[])[]> {
  const reach = narrower(search)
  const beyond = new Set((reach === search.from ? search.to : search.from).frontier)
  // Some paths consist of known steps only.
  let routes = findRoutes(search, search.query.maxDepth ?? DEFAULT_DEPTH, wanted)
  for (let i = 0; i < reach.frontier.length && routes.length < wanted; i += JOINED_BATCH_SIZE) {
    const nodes = reach.frontier.slice(i, i + JOINED_BATCH_SIZE)
    let joined = false
    for (const [node, around] of await env.graph.neighbours(search.query.owner, nodes, MAX_STEPS)) {
      for (const { id } of around) {
        if (!beyond.has(id)) continue
        learn(search, reach, node, id)
        joined = true
      }
    }
    if (joined) routes = findRoutes(search, search.query.maxDepth ?? DEFAULT_DEPTH, wanted)
  }
  return routes
}

/** Records a step that one side of the search found from one of its nodes. */
function learn({ ahead, from }: Search, reach: SearchFrontier<string>, own: string, other: string): void {
  const [here, there] = reach === from ? [own, other] : [other, own]
  const known = ahead.get(here)
  if (known === undefined) ahead.set(here, new Set([there]))
  else known.add(there)
}
