import type { Fact } from '../../core/facts/fact.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { normalName } from '../../core/graph/names.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'

/** Nodes with more edges are drawn collapsed. */
const HUB = 40
const MAX_FACTS = 20
const MAX_EDGES = 400
const MAX_COUNTED = 1000

export interface GraphNode {
  readonly id: string
  readonly kind: 'entity' | 'fact'
  readonly label: string
  readonly status: string
  /** Number of edges, up to a limit. */
  readonly degree: number
  readonly isHub: boolean
}

interface EntityNeighbourhood {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly { readonly from: string; readonly to: string; readonly type: string }[]
  /** Neighbours that are not among the nodes. */
  readonly more: number
}

interface EntityPage {
  readonly entity: Entity
  readonly facts: readonly Fact[]
  readonly factCount: number
  readonly neighbourhood: EntityNeighbourhood
}

const unknownEntity = (id: string): MemoryError =>
  new MemoryError('not_found', `There is no entity ${id.slice(0, 100)}.`, {
    reason: 'gone',
    hint: 'It was deleted or merged, or this key may not see it.',
  })

export async function readEntity({ store }: Context, id: string): Promise<Entity> {
  const [entity] = await store.entities([id])
  if (entity === undefined) throw unknownEntity(id)
  return entity
}

export async function readEntityPage(context: Context, id: string, nodes: number): Promise<EntityPage> {
  const entity = await readEntity(context, id)
  const filter = { owners: [entity.owner], name: normalName(entity.name) }
  const [page, cells, around] = await Promise.all([
    context.store.browse(filter, { limit: MAX_FACTS }),
    context.store.facets(filter),
    neighbourhood(context, entity.owner, id, nodes),
  ])
  return {
    entity,
    facts: page.items,
    factCount: cells.reduce((sum, { count }) => sum + count, 0),
    neighbourhood: around,
  }
}

/** How many nodes each entity is connected to, up to a limit. */
export async function countRelations({ graph }: Context, entities: readonly Entity[]): Promise<ReadonlyMap<string, number>> {
  const owners = [...new Set(entities.map(({ owner }) => owner))]
  const found = await Promise.all(
    owners.map((owner) => {
      const own = entities.filter((entity) => entity.owner === owner)
      return graph.neighbours(
        owner,
        own.map(({ id }) => id),
        MAX_COUNTED,
      )
    }),
  )
  return new Map(found.flatMap((degrees) => [...degrees].map(([id, near]) => [id, near.length] as const)))
}

/** A node, its most connected neighbours, and the edges among them. */
export async function neighbourhood(context: Context, owner: string, id: string, most: number): Promise<EntityNeighbourhood> {
  const { store, graph } = context
  const edges = await store.edges({ owner, nodes: [id], limit: MAX_EDGES })
  const near = [...new Set(edges.map((edge) => other(edge, id)))].filter((one) => one !== id)
  const degrees = await graph.neighbours(owner, [id, ...near], MAX_COUNTED)
  const degree = (node: string): number => degrees.get(node)?.length ?? 0
  const isNamed = new Set((await store.entities(near, owner)).map((entity) => entity.id))
  // Entities come first, because mentioning facts are listed below the picture anyway.
  near.sort((a, b) => Number(isNamed.has(b)) - Number(isNamed.has(a)) || degree(b) - degree(a) || (a < b ? -1 : 1))
  const chosen = [id, ...near.slice(0, most - 1)]
  const [facts, entities, among] = await Promise.all([
    store.facts(chosen, owner),
    store.entities(chosen, owner),
    graph.edgesAmong(owner, chosen),
  ])
  const nodes = [
    ...entities.map((one): GraphNode => ({ ...nodeOf(one.id), kind: 'entity', label: one.name, status: one.status })),
    ...facts.map((one): GraphNode => ({ ...nodeOf(one.id), kind: 'fact', label: one.text.slice(0, 120), status: one.status })),
  ]
  function nodeOf(node: string): Pick<GraphNode, 'id' | 'degree' | 'isHub'> {
    return { id: node, degree: degree(node), isHub: node !== id && degree(node) > HUB }
  }
  const known = new Set(nodes.map((node) => node.id))
  return {
    nodes: nodes.sort((a, b) => chosen.indexOf(a.id) - chosen.indexOf(b.id)),
    edges: among.flatMap(({ from, to, type }) => (known.has(from) && known.has(to) ? [{ from, to, type }] : [])),
    more: Math.max(0, near.length + 1 - nodes.length),
  }
}

const other = (edge: Edge, id: string): string => (edge.from === id ? edge.to : edge.from)
