import type { Fact, Instant } from '../../core/facts/fact.js'
import { type AsOf, isValidAt } from '../../core/facts/validity.js'
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
const FACTS_AT_ONCE = 50

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

/** The page as of an instant has the facts that held then. */
export async function readEntityPage(context: Context, id: string, nodes: number, asOf?: Instant): Promise<EntityPage> {
  const entity = await readEntity(context, id)
  const validAt = asOf === undefined ? undefined : { at: asOf }
  const filter = { owners: [entity.owner], name: normalName(entity.name), ...(validAt === undefined ? {} : { validAt }) }
  const [page, cells, around] = await Promise.all([
    context.store.browse(filter, { limit: MAX_FACTS }),
    context.store.facets(filter),
    neighbourhood(context, entity.owner, id, { most: nodes, validAt }),
  ])
  return {
    entity,
    facts: page.items,
    factCount: cells.reduce((sum, { count }) => sum + count, 0),
    neighbourhood: around,
  }
}

/** How many nodes each entity is connected to, up to a limit. */
export async function countRelations(context: Context, entities: readonly Entity[]): Promise<ReadonlyMap<string, number>> {
  return new Map(await Promise.all(entities.map(async ({ id, owner }) => [id, await countAround(context, owner, id)] as const)))
}

/** One node at a time, because the limit of a read applies to all of its nodes together. */
const countAround = async ({ graph }: Context, owner: string, node: string): Promise<number> =>
  (await graph.neighbours(owner, [node], MAX_COUNTED)).get(node)?.length ?? 0

/** Facts have few edges, so several are read at a time. */
async function countAroundFacts({ graph }: Context, owner: string, nodes: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (let at = 0; at < nodes.length; at += FACTS_AT_ONCE)
    for (const [node, near] of await graph.neighbours(owner, nodes.slice(at, at + FACTS_AT_ONCE), MAX_COUNTED))
      counts.set(node, near.length)
  return counts
}

/** A node, its most connected neighbours, and the edges among them. */
async function neighbourhood(
  context: Context,
  owner: string,
  id: string,
  { most, validAt }: { readonly most: number; readonly validAt?: AsOf | undefined },
): Promise<EntityNeighbourhood> {
  const { store, graph } = context
  // Of an entity that thousands of facts mention, the stated relations are read for themselves.
  const [stated, all] = await Promise.all([
    store.edges({ owner, nodes: [id], stated: true, limit: MAX_EDGES }),
    store.edges({ owner, nodes: [id], limit: MAX_EDGES }),
  ])
  const near = [...new Set([...stated, ...all].map((edge) => other(edge, id)))].filter((node) => node !== id)
  const named = await store.entities([id, ...near], owner)
  const isNamed = new Set(named.map((entity) => entity.id))
  const others = [id, ...near].filter((node) => !isNamed.has(node))
  const degrees = new Map([...(await countAroundFacts(context, owner, others)), ...(await countRelations(context, named))])
  const degree = (node: string): number => degrees.get(node) ?? 0
  // Entities come first, because mentioning facts are listed below the picture anyway.
  near.sort((a, b) => Number(isNamed.has(b)) - Number(isNamed.has(a)) || degree(b) - degree(a) || (a < b ? -1 : 1))
  const chosen = [id, ...near.slice(0, most - 1)]
  const [facts, entities, among] = await Promise.all([
    store.facts(chosen, owner),
    store.entities(chosen, owner),
    graph.edgesAmong(owner, chosen),
  ])
  const held = validAt === undefined ? facts : facts.filter((fact) => isValidAt(fact, validAt))
  const nodes = [
    ...entities.map((entity): GraphNode => ({ ...nodeOf(entity.id), kind: 'entity', label: entity.name, status: entity.status })),
    ...held.map((fact): GraphNode => ({ ...nodeOf(fact.id), kind: 'fact', label: fact.text.slice(0, 120), status: fact.status })),
  ]
  function nodeOf(node: string): Pick<GraphNode, 'id' | 'degree' | 'isHub'> {
    return { id: node, degree: degree(node), isHub: node !== id && degree(node) > HUB }
  }
  const known = new Set(nodes.map((node) => node.id))
  return {
    nodes: nodes.sort((a, b) => chosen.indexOf(a.id) - chosen.indexOf(b.id)),
    edges: among.flatMap(({ from, to, type }) => (known.has(from) && known.has(to) ? [{ from, to, type }] : [])),
    more: Math.max(0, near.length + 1 - chosen.length),
  }
}

const other = (edge: Edge, id: string): string => (edge.from === id ? edge.to : edge.from)
