import type { Edge } from '../../core/graph/edge.js'
import { PPR, personalisedPageRank } from '../../core/graph/ppr.js'
import { SIMILAR_TO } from '../../core/graph/relation-type.js'
import { createFrontier, expandFrontier } from '../breadth-first.js'
import type { Environment } from '../environment.js'

interface WalkSeed {
  readonly node: string
  readonly weight: number
}

export interface GraphWalk {
  /** Share of the walk at each node without restarts, scaled so that the best is 1. */
  readonly scores: ReadonlyMap<string, number>
  readonly nodes: number
  /** Nodes one step from the start. */
  readonly neighbours: ReadonlySet<string>
}

export const NO_WALK: GraphWalk = { scores: new Map(), nodes: 0, neighbours: new Set() }

/** A node with more edges than this is reached, but not expanded. */
const HUB_DEGREE = 200
const MAX_EDGES = 5000
const MAX_HOPS = 2

/** Personalised PageRank over the neighbourhood of some nodes, along stored and derived edges of one owner. */
export async function walkGraph(env: Environment, owner: string, seeds: readonly WalkSeed[]): Promise<GraphWalk> {
  const edges = new Map<string, Edge>()
  const spread = createFrontier(seeds.map((seed) => seed.node))
  while (spread.radius < MAX_HOPS && spread.frontier.length > 0 && edges.size < MAX_EDGES) {
    const degree = new Map<string, number>()
    const around = async (frontier: readonly string[]): Promise<Iterable<string>> => {
      for (const edge of await env.store.edges({ owner, nodes: frontier, limit: MAX_EDGES })) {
        // Vector search already accounts for similarity.
        if (edge.validUntil !== null || edge.type === SIMILAR_TO) continue
        edges.set(edge.id, edge)
        for (const end of [edge.from, edge.to]) degree.set(end, (degree.get(end) ?? 0) + 1)
      }
      return degree.keys()
    }
    await expandFrontier(spread, around, { stopsAt: (node) => (degree.get(node) ?? 0) >= HUB_DEGREE })
  }
  if (edges.size === 0) return NO_WALK
  const neighbours = new Set([...spread.hops].flatMap(([node, hops]) => (hops === 1 ? [node] : [])))
  return { ...computeShares(seeds, [...edges.values()]), neighbours }
}

function computeShares(seeds: readonly WalkSeed[], edges: readonly Edge[]): Omit<GraphWalk, 'neighbours'> {
  const numbers = new Map<string, number>()
  const numberOf = (node: string): number => {
    const known = numbers.get(node)
    if (known !== undefined) return known
    numbers.set(node, numbers.size)
    return numbers.size - 1
  }
  const links = edges.map((edge) => ({ from: numberOf(edge.from), to: numberOf(edge.to), weight: Math.max(0.01, edge.weight) }))
  const degree = new Map<number, number>()
  for (const { from, to } of links) for (const end of [from, to]) degree.set(end, (degree.get(end) ?? 0) + 1)
  const restart = new Map<number, number>()
  for (const seed of seeds) {
    const node = numbers.get(seed.node)
    if (node !== undefined) restart.set(node, seed.weight / Math.sqrt(degree.get(node) ?? 1))
  }
  const total = [...restart.values()].reduce((sum, weight) => sum + weight, 0)
  const ranks = personalisedPageRank(numbers.size, links, restart)
  const raw = new Map<string, number>()
  let best = 0
  for (const [node, number] of numbers) {
    const share = (ranks[number] ?? 0) - (1 - PPR.damping) * ((restart.get(number) ?? 0) / (total || 1))
    if (share <= 0) continue
    raw.set(node, share)
    best = Math.max(best, share)
  }
  return { scores: new Map([...raw].map(([node, share]) => [node, share / best])), nodes: numbers.size }
}
