/** State of a breadth-first search: hops to each reached node, and the nodes to expand next. */
export interface SearchFrontier<N> {
  readonly hops: Map<N, number>
  frontier: readonly N[]
  radius: number
}

export const createFrontier = <N>(nodes: Iterable<N>): SearchFrontier<N> => {
  const frontier = [...new Set(nodes)]
  return { hops: new Map(frontier.map((node) => [node, 0])), frontier, radius: 0 }
}

interface FrontierLimits<N> {
  /** Maximum number of nodes, including the start. */
  readonly most?: number
  /** Nodes that are reached but not expanded. */
  readonly stopsAt?: (node: N) => boolean
}

/** Advances the search by one hop. `around` returns the neighbours of the frontier, including known nodes. */
export async function expandFrontier<N>(
  spread: SearchFrontier<N>,
  around: (frontier: readonly N[]) => Promise<Iterable<N>>,
  { most = Number.POSITIVE_INFINITY, stopsAt }: FrontierLimits<N> = {},
): Promise<void> {
  const next: N[] = []
  const found = await around(spread.frontier)
  spread.radius++
  for (const node of found) {
    if (spread.hops.size >= most) break
    if (spread.hops.has(node)) continue
    spread.hops.set(node, spread.radius)
    next.push(node)
  }
  spread.frontier = stopsAt === undefined ? next : next.filter((node) => !stopsAt(node))
}
