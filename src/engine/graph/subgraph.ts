import type { Edge } from '../../core/graph/edge.js'
import type { EdgeOrigin } from '../../ports/graph-index.js'
import { createFrontier, expandFrontier } from '../breadth-first.js'
import type { Context } from '../context.js'
import { idOf, type MemoryNode, readNode, visibleNodes } from '../entities/nodes.js'

interface Subgraph {
  /** The centre first, then by distance. */
  readonly nodes: readonly MemoryNode[]
  /** All edges between them. */
  readonly edges: readonly Edge[]
}

interface SubgraphQuery {
  readonly owner: string
  readonly id: string
  readonly depth: number
  readonly maxNodes: number
}

const MAX_STEPS = 2000
/** Explicit before derived edges, and mentions before similarity. */
const ORIGIN_RANK: Readonly<Record<EdgeOrigin, number>> = { made: 0, stated: 1, named: 2, alike: 3 }

/** A node and its surroundings, ignoring direction, restricted to what the caller may read. */
export async function loadSubgraph(context: Context, query: SubgraphQuery): Promise<Subgraph> {
  const now = context.clock.now()
  const nodes = new Map<string, MemoryNode>([[query.id, await readNode(context, query.id, query.owner)]])
  const hidden = new Set<string>()
  const spread = createFrontier([query.id])
  const around = async (frontier: readonly string[]): Promise<readonly string[]> => {
    const found = [...(await context.graph.neighbours(query.owner, frontier, MAX_STEPS)).values()].flat()
    const ranked = found.sort((a, b) => ORIGIN_RANK[a.origin] - ORIGIN_RANK[b.origin]).map((end) => end.id)
    const ends = [...new Set(ranked)].filter((end) => !spread.hops.has(end) && !hidden.has(end))
    const reached: string[] = []
    for (let i = 0; i < ends.length && nodes.size < query.maxNodes; ) {
      const slice = ends.slice(i, i + query.maxNodes - nodes.size)
      for (const end of slice) hidden.add(end)
      i += slice.length
      for (const node of await visibleNodes(context, slice, query.owner, now)) {
        hidden.delete(idOf(node))
        nodes.set(idOf(node), node)
        reached.push(idOf(node))
      }
    }
    return reached
  }
  while (spread.radius < query.depth && spread.frontier.length > 0 && nodes.size < query.maxNodes) await expandFrontier(spread, around)
  const edges = await context.graph.edgesAmong(query.owner, [...nodes.keys()])
  context.services.linker.wake()
  return { nodes: [...nodes.values()], edges }
}
