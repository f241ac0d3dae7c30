export type Adjacency = ReadonlyMap<string, ReadonlySet<string>>

export interface RouteQuery {
  readonly from: string
  readonly to: string
  /** Exactly so many steps. */
  readonly length: number
  readonly adjacency: Adjacency
  /** Hops to the target of every node within `known` hops of it. */
  readonly toTarget: ReadonlyMap<string, number>
  readonly known: number
  readonly limit: number
}

/** A dense graph has more ways than anyone reads: the search ends after that many steps. */
const MAX_STEPS = 20_000

/** Ways of one length that pass no node twice, each as its nodes in order. */
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
