type Adjacency = ReadonlyMap<string, ReadonlySet<string>>

interface RouteQuery {
  readonly from: string
  readonly to: string
  /** Exact number of steps. */
  readonly length: number
  readonly adjacency: Adjacency
  /** Distance to the target of every node within `known` hops of it. */
  readonly toTarget: ReadonlyMap<string, number>
  readonly known: number
  readonly limit: number
}

/** Maximum number of steps of the search: a dense graph has more routes than are useful. */
const MAX_STEPS = 20_000

/** Routes of one length that pass no node twice, each as its nodes in order. */
export function routesOfLength(query: RouteQuery): readonly (readonly string[])[] {
  const found: (readonly string[])[] = []
  const nodes = [query.from]
  let steps = 0
  const visit = (node: string): void => {
    const left = query.length + 1 - nodes.length
    if (left === 0) {
      if (node === query.to) found.push([...nodes])
      return
    }
    for (const next of query.adjacency.get(node) ?? []) {
      if (found.length >= query.limit || ++steps > MAX_STEPS) return
      const hops = query.toTarget.get(next) ?? query.known + 1
      if (hops > left - 1 || nodes.includes(next) || (next === query.to && left > 1)) continue
      nodes.push(next)
      visit(next)
      nodes.pop()
    }
  }
  visit(query.from)
  return found
}
