import type { Edge } from '../../core/edge.js'
import type { LinkOrigin } from '../../ports/graph-index.js'
import { idOf, type MemoryNode, readNode, visibleNodes } from '../entities/nodes.js'
import type { Environment } from '../environment.js'

export interface Context {
  /** The centre first, then by distance. */
  readonly nodes: readonly MemoryNode[]
  /** Everything that holds between them. */
  readonly edges: readonly Edge[]
}

export interface ContextQuery {
  readonly owner: string
  readonly id: string
  readonly depth: number
  readonly maxNodes: number
}

const MAX_STEPS = 2000
/** What someone said before what was concluded, and names before mere likeness. */
const RANK: Readonly<Record<LinkOrigin, number>> = { made: 0, named: 1, alike: 2 }

/** A node and what lies around it, undirected, as far as a reader may see it. */
export async function contextOfNode(env: Environment, query: ContextQuery): Promise<Context> {
  const now = env.clock.now()
  const nodes = new Map<string, MemoryNode>([[query.id, await readNode(env, query.id, query.owner)]])
  const seen = new Set([query.id])
  let frontier = [query.id]
  for (let hop = 0; hop < query.depth && frontier.length > 0 && nodes.size < query.maxNodes; hop++) {
    const around = [...(await env.backend.graph.neighbours(query.owner, frontier, MAX_STEPS)).values()].flat()
    const ends = [...new Set(around.sort((a, b) => RANK[a.origin] - RANK[b.origin]).map((end) => end.id))].filter((end) => !seen.has(end))
    frontier = []
    for (let i = 0; i < ends.length && nodes.size < query.maxNodes; ) {
      const slice = ends.slice(i, i + query.maxNodes - nodes.size)
      for (const end of slice) seen.add(end)
      i += slice.length
      for (const node of await visibleNodes(env, slice, query.owner, now)) {
        nodes.set(idOf(node), node)
        frontier.push(idOf(node))
      }
    }
  }
  return {
    nodes: [...nodes.values()],
    edges: nodes.size === 1 ? await loops(env, query) : await env.backend.graph.edgesAmong(query.owner, [...nodes.keys()]),
  }
}

const loops = (env: Environment, { owner, id }: ContextQuery): Promise<readonly Edge[]> => env.backend.graph.edgesAmong(owner, [id])
