/** A record with its scopes. */
export interface GraphNode {
  readonly id: string
  readonly scopes: readonly string[]
}

interface GraphLink {
  readonly from: string
  readonly to: string
}

interface Cluster {
  readonly ids: readonly string[]
  readonly edges: number
  readonly density: number
}

interface WeakScope {
  readonly scope: string
  readonly records: number
  readonly edges: number
}

export interface GraphInsights {
  readonly isolated: readonly string[]
  readonly sparse: readonly Cluster[]
  readonly bridges: readonly { readonly id: string; readonly degree: number }[]
  readonly weakScopes: readonly WeakScope[]
  /** Endpoints of relations without a record. */
  readonly stubs: readonly string[]
}

const MAX_LISTED = { isolated: 20, sparse: 10, bridges: 20, weakScopes: 10 } as const
const MAX_DENSITY = 0.5

const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Connectivity of the records. Only relations between existing records count; each pair once. */
export function graphInsights(nodes: readonly GraphNode[], links: readonly GraphLink[]): GraphInsights {
  const steps = insightSteps(nodes, links)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

/** The same as a generator that yields between steps, so that the event loop is not blocked. */
export function* insightSteps(nodes: readonly GraphNode[], links: readonly GraphLink[]): Generator<undefined, GraphInsights> {
  const around = new Map<string, Set<string>>(nodes.map(({ id }) => [id, new Set()]))
  const stubs = new Set<string>()
  for (const { from, to } of links) {
    for (const end of [from, to]) if (!around.has(end)) stubs.add(end)
    if (from === to) continue
    const [start, end] = [around.get(from), around.get(to)]
    if (start === undefined || end === undefined) continue
    start.add(to)
    end.add(from)
  }
  yield
  const isolated = [...around].filter(([, near]) => near.size === 0).map(([id]) => id)
  const sparse = componentsOf(around)
    .map((ids) => toCluster(ids, around))
    // Groups of two or three are never sparse: a spanning tree has more than half of all possible relations.
    .filter(({ density }) => density <= MAX_DENSITY)
    .sort((a, b) => b.ids.length - a.ids.length || ascending(a.ids[0] ?? '', b.ids[0] ?? ''))
  yield
  const bridges = [...cutNodes(around)]
    .map((id) => ({ id, degree: around.get(id)?.size ?? 0 }))
    .sort((a, b) => b.degree - a.degree || ascending(a.id, b.id))
  yield
  return {
    isolated: isolated.sort(ascending).slice(0, MAX_LISTED.isolated),
    sparse: sparse.slice(0, MAX_LISTED.sparse),
    bridges: bridges.slice(0, MAX_LISTED.bridges),
    weakScopes: weakScopes(nodes, around).slice(0, MAX_LISTED.weakScopes),
    stubs: [...stubs].sort(ascending),
  }
}

type NeighbourLists = ReadonlyMap<string, ReadonlySet<string>>

function componentsOf(around: NeighbourLists): readonly (readonly string[])[] {
  const seen = new Set<string>()
  const components: string[][] = []
  for (const start of around.keys()) {
    if (seen.has(start)) continue
    const ids = [start]
    seen.add(start)
    for (let index = 0; index < ids.length; index++) {
      for (const next of around.get(ids[index] ?? '') ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        ids.push(next)
      }
    }
    components.push(ids.sort(ascending))
  }
  return components
}

function toCluster(ids: readonly string[], around: NeighbourLists): Cluster {
  const edges = ids.reduce((sum, id) => sum + (around.get(id)?.size ?? 0), 0) / 2
  return { ids, edges, density: Math.round(((2 * edges) / (ids.length * (ids.length - 1))) * 1e6) / 1e6 }
}

interface Visit {
  readonly id: string
  readonly parent: string | null
  readonly rest: Iterator<string>
  children: number
}

/** Articulation points of the graph, by an iterative depth-first search over each edge once. */
function cutNodes(around: NeighbourLists): ReadonlySet<string> {
  const depth = new Map<string, number>()
  const low = new Map<string, number>()
  const cuts = new Set<string>()
  const lower = (id: string, value: number): void => {
    low.set(id, Math.min(low.get(id) ?? value, value))
  }
  for (const start of around.keys()) {
    if (depth.has(start)) continue
    const path: Visit[] = []
    const enter = (id: string, parent: string | null): void => {
      depth.set(id, path.length)
      low.set(id, path.length)
      path.push({ id, parent, rest: (around.get(id) ?? new Set<string>()).values(), children: 0 })
    }
    enter(start, null)
    for (let visit = path[path.length - 1]; visit !== undefined; visit = path[path.length - 1]) {
      const next = visit.rest.next()
      if (next.done === true) {
        path.pop()
        const above = path[path.length - 1]
        if (above === undefined) {
          if (visit.children > 1) cuts.add(visit.id)
          continue
        }
        const reached = low.get(visit.id) ?? 0
        lower(above.id, reached)
        if (above.parent !== null && reached >= (depth.get(above.id) ?? 0)) cuts.add(above.id)
        continue
      }
      const known = depth.get(next.value)
      if (known === undefined) {
        visit.children++
        enter(next.value, visit.id)
      } else if (next.value !== visit.parent) lower(visit.id, known)
    }
  }
  return cuts
}

/** Scopes with fewer relations than a spanning tree of their records. */
function weakScopes(nodes: readonly GraphNode[], around: NeighbourLists): readonly WeakScope[] {
  const members = new Map<string, Set<string>>()
  for (const { id, scopes } of nodes) {
    for (const scope of scopes) {
      const ids = members.get(scope) ?? new Set<string>()
      ids.add(id)
      members.set(scope, ids)
    }
  }
  return [...members]
    .map(([scope, ids]) => {
      let ends = 0
      for (const id of ids) for (const near of around.get(id) ?? []) if (ids.has(near)) ends++
      return { scope, records: ids.size, edges: ends / 2 }
    })
    .filter(({ records, edges }) => records >= 2 && edges < records - 1)
    .sort((a, b) => b.records - b.edges - (a.records - a.edges) || ascending(a.scope, b.scope))
}
