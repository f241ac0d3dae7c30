interface WeightedEdge {
  readonly from: number
  readonly to: number
  readonly weight: number
}

interface PprOptions {
  readonly damping: number
  readonly tolerance: number
  readonly iterations: number
}

export const PPR: PprOptions = { damping: 0.5, tolerance: 1e-6, iterations: 15 }

/**
 * Personalised PageRank by power iteration over an undirected view of the edges, on typed arrays. Nodes are 0 to size - 1; restart weights
 * need not sum to one. The mass of nodes without edges returns to the restart.
 */
export function personalisedPageRank(
  size: number,
  edges: readonly WeightedEdge[],
  restart: ReadonlyMap<number, number>,
  options: PprOptions = PPR,
): Float64Array {
  const total = [...restart.values()].reduce((sum, weight) => sum + weight, 0)
  const teleport = new Float64Array(size)
  if (total <= 0) return teleport
  for (const [node, weight] of restart) teleport[node] = weight / total
  const out = new Float64Array(size)
  for (const { from, to, weight } of edges) {
    out[from] = (out[from] ?? 0) + weight
    out[to] = (out[to] ?? 0) + weight
  }
  let rank = teleport.slice()
  for (let round = 0; round < options.iterations; round++) {
    const next = new Float64Array(size)
    let dangling = 0
    for (let node = 0; node < size; node++) if (out[node] === 0) dangling += rank[node] ?? 0
    for (const { from, to, weight } of edges) {
      const forward = out[from] ?? 0
      const backward = out[to] ?? 0
      if (forward > 0) next[to] = (next[to] ?? 0) + ((rank[from] ?? 0) * weight) / forward
      if (backward > 0) next[from] = (next[from] ?? 0) + ((rank[to] ?? 0) * weight) / backward
    }
    let moved = 0
    for (let node = 0; node < size; node++) {
      const value = (1 - options.damping) * (teleport[node] ?? 0) + options.damping * ((next[node] ?? 0) + dangling * (teleport[node] ?? 0))
      moved += Math.abs(value - (rank[node] ?? 0))
      next[node] = value
    }
    rank = next
    if (moved < options.tolerance) break
  }
  return rank
}
