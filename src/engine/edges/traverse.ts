import type { Edge } from '../../core/graph/edge.js'
import { createFrontier, expandFrontier } from '../breadth-first.js'
import { idOf, type NodeRef, visibleNodes } from '../entities/nodes.js'
import type { Environment } from '../environment.js'
import { isAutomatic } from './relations.js'

export interface Neighbourhood {
  /** Hops from the start to each reached node, without the start. */
  readonly hops: ReadonlyMap<string, number>
  readonly edges: readonly Edge[]
}

const MAX_EDGES_PER_HOP = 2000
const NODE_KINDS: readonly string[] = ['entity', 'fact']

/** Explicit relations only: mentions and similarities are derived by each recall. */
const isStated = (edge: Edge): boolean => NODE_KINDS.includes(edge.fromKind) && NODE_KINDS.includes(edge.toKind) && !isAutomatic(edge)

/** Breadth-first search from one node over explicit relations of its owner. */
export async function traverse(
  env: Environment,
  start: NodeRef,
  options: {
    readonly depth: number
    readonly direction: 'outgoing' | 'incoming' | 'both'
    readonly maxNodes: number
  },
): Promise<Neighbourhood> {
  const edges = new Map<string, Edge>()
  const spread = createFrontier([start.id])
  while (spread.radius < options.depth && spread.frontier.length > 0) {
    let followed: readonly Edge[] = []
    await expandFrontier(
      spread,
      async (frontier) => {
        const { owner } = start
        const found = await env.store.edges({ owner, nodes: frontier, direction: options.direction, limit: MAX_EDGES_PER_HOP })
        followed = found.filter((edge) => edge.validUntil === null && isStated(edge))
        const ends = [...new Set(followed.flatMap((edge) => [edge.from, edge.to]))]
        return (await visibleNodes(env, ends, owner, env.clock.now())).map(idOf)
      },
      { most: options.maxNodes + 1 },
    )
    for (const edge of followed) if (spread.hops.has(edge.from) && spread.hops.has(edge.to)) edges.set(edge.id, edge)
  }
  const hops = new Map(spread.hops)
  hops.delete(start.id)
  return { hops, edges: [...edges.values()] }
}
