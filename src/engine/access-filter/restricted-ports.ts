import {
  type AccessFilter,
  canReadFact,
  findOwnerAccess,
  intersectFilters,
  isUnrestricted,
  type Principal,
} from '../../core/access/access-filter.js'
import type { StoragePorts } from '../../ports/backend.js'
import type { GraphIndex, Neighbour, PlacedFact } from '../../ports/graph-index.js'
import { restrictCode } from './restricted-code.js'
import { restrictDeliveries } from './restricted-deliveries.js'
import { restrictStatements } from './restricted-statements.js'
import { forbidden, restrictStore } from './restricted-store.js'

/** The same ports, limited to what a principal may read and write. An unrestricted principal gets them unchanged. */
export function restrictPorts<T extends StoragePorts>(ports: T, principal: Principal): T {
  if (principal.reach === 'everything' && principal.mayWrite) return ports
  const store = restrictStore(ports.store, principal)
  if (principal.reach === 'everything') return { ...ports, store }
  return {
    ...ports,
    isRestricted: true,
    memoryBytes: () => 0,
    backlog: { ...ports.backlog, pending: async () => 0 },
    store,
    graph: limitGraph(ports, principal),
    code: restrictCode(ports.code, ports.store, principal),
    maintenance: refuseAll(ports.maintenance),
    deliveries: restrictDeliveries(ports.deliveries, principal),
    statements: restrictStatements(ports.statements, principal),
    view: (owner: string | undefined, reach?: AccessFilter) =>
      ports.view(owner, reach === undefined ? principal.reach : intersectFilters(principal.reach, reach)),
  }
}

/** Limit of the neighbours of a node for restricted readers. */
const MAX_NEIGHBOURS = 5000

/** Maintenance requires unrestricted access. */
const refuseAll = <T extends object>(port: T): T => new Proxy(port, { get: () => () => Promise.reject(forbidden('keeping the store')) })

function limitGraph({ graph, store }: StoragePorts, { reach }: Principal): GraphIndex {
  const reached = (owner: string): boolean => findOwnerAccess(reach, owner) !== undefined
  const open = <T extends PlacedFact>(placed: readonly T[]): readonly T[] => placed.filter(({ fact }) => canReadFact(reach, fact))
  /** The hidden facts among these nodes. */
  const closed = async (owner: string, nodes: readonly string[]): Promise<ReadonlySet<string>> => {
    const into = findOwnerAccess(reach, owner)
    if (into !== undefined && isUnrestricted(into)) return new Set()
    return new Set((await store.facts([...new Set(nodes)])).filter((fact) => !canReadFact(reach, fact)).map((fact) => fact.id))
  }
  /** Pairs connected by a visible fact. */
  const readablePairs = async (owner: string, found: ReadonlyMap<string, readonly Neighbour[]>): Promise<ReadonlySet<string>> => {
    const stating = [...found].filter(([, near]) => near.some(({ origin }) => origin === 'stated')).map(([node]) => node)
    if (stating.length === 0) return new Set()
    const edges = await store.edges({ owner, nodes: stating, limit: Number.MAX_SAFE_INTEGER })
    const untold = await closed(
      owner,
      edges.flatMap(({ factId }) => factId ?? []),
    )
    return new Set(
      edges.filter(({ factId }) => factId === null || !untold.has(factId)).flatMap(({ from, to }) => [`${from}\0${to}`, `${to}\0${from}`]),
    )
  }
  return {
    ...graph,
    async neighbours(owner, nodes, limit) {
      if (!reached(owner)) return new Map()
      const into = findOwnerAccess(reach, owner)
      if (into !== undefined && isUnrestricted(into)) return graph.neighbours(owner, nodes, limit)
      // Hidden rows do not count against the limit.
      const found = await graph.neighbours(owner, nodes, MAX_NEIGHBOURS)
      const hidden = await closed(
        owner,
        [...found].flatMap(([node, near]) => [node, ...near.map(({ id }) => id)]),
      )
      const allowedPairs = await readablePairs(owner, found)
      const isOpen = (node: string, { id, origin }: Neighbour): boolean =>
        !hidden.has(id) && (origin !== 'stated' || allowedPairs.has(`${node}\0${id}`))
      return new Map(
        [...found].flatMap(([node, near]) => (hidden.has(node) ? [] : [[node, near.filter((neighbour) => isOpen(node, neighbour))]])),
      )
    },
    async edgesAmong(owner, nodes) {
      if (!reached(owner)) return []
      const hidden = await closed(owner, nodes)
      const open = nodes.filter((node) => !hidden.has(node))
      const edges = await graph.edgesAmong(owner, open)
      const untold = await closed(
        owner,
        edges.flatMap(({ factId }) => factId ?? []),
      )
      return edges.filter(({ factId }) => factId === null || !untold.has(factId))
    },
    async census(owner, asOf) {
      const into = findOwnerAccess(reach, owner)
      if (into === undefined) throw forbidden(`counting what belongs to ${owner}`)
      return isUnrestricted(into) ? graph.census(owner, asOf) : graph.census(owner, asOf, { owners: [into] })
    },
    owners: async () => (await graph.owners()).filter(reached),
    pastFacts: async (owner, status, page) => (reached(owner) ? open(await graph.pastFacts(owner, status, page)) : []),
    expiredFacts: async (owner, page) => (reached(owner) ? open(await graph.expiredFacts(owner, page)) : []),
    uncheckedFacts: async (owner, page) => (reached(owner) ? open(await graph.uncheckedFacts(owner, page)) : []),
    rebuildReferenceEdges: async (owner, after, limit) => {
      if (!reached(owner)) throw forbidden(`rebuilding the relations of ${owner}`)
      return graph.rebuildReferenceEdges(owner, after, limit)
    },
    journalOf: async (actor, limit) =>
      (await graph.journalOf(actor, limit)).filter((entry) => {
        const into = findOwnerAccess(reach, entry.owner)
        return into !== undefined && isUnrestricted(into)
      }),
    unlinked: async (limit) => (await graph.unlinked(limit)).filter(({ owner }) => reached(owner)),
    vectorsAfter: async (owner, place, limit) => (reached(owner) ? open(await graph.vectorsAfter(owner, place, limit)) : []),
    entitiesToEmbed: async (owner, limit) => (reached(owner) ? graph.entitiesToEmbed(owner, limit) : []),
    similarEntities: async (query, owner, least) => (reached(owner) ? graph.similarEntities(query, owner, least) : []),
  }
}
