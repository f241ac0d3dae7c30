import type { Edge } from '../../../core/graph/edge.js'
import { relationsOf } from '../../../core/substrate/objects/references.js'
import type { GraphContents, GraphRecord, GraphRelation } from '../../../ports/derived-index.js'
import type { Page, PageCursor, PageQuery } from '../../../ports/store.js'
import type { Environment } from '../../environment.js'
import { relationId, toRelation } from '../objects/around.js'
import { headOf, loadObjects, type MemoryObject, ofEntity, ofFact, ofSource } from '../objects/objects.js'

const PAGE_SIZE = 500
const MAX_EDGES = 100_000

export const recordOf = (object: MemoryObject, owner: string): GraphRecord => {
  const { id, type, kind, title, status } = headOf(object)
  return { id, objectType: type, owner, kind, title, status }
}

/** A relation belongs to the fact from which it is derived, otherwise to itself. */
const relationOf = (edge: Edge, objects: ReadonlyMap<string, MemoryObject>): GraphRelation => {
  const { from, to, relation, payload } = toRelation(edge, objects)
  return { id: relationId(edge), origin: edge.factId ?? edge.id, source: from, target: to, relation, payload }
}

async function everything<T>(owner: string, read: (query: PageQuery) => Promise<Page<T>>): Promise<readonly T[]> {
  const found: T[] = []
  for (let after: PageCursor | null | undefined; after !== null; ) {
    const page: Page<T> = await read({ owner, limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) })
    found.push(...page.items)
    after = page.next
  }
  return found
}

/** The complete graph of an owner. */
export async function graphOf(env: Environment, owner: string): Promise<GraphContents> {
  const { store } = env
  const objects = new Map<string, MemoryObject>()
  for (const fact of await everything(owner, store.pageFacts)) objects.set(fact.id, ofFact(fact))
  for (const entity of await everything(owner, store.pageEntities)) objects.set(entity.id, ofEntity(entity))
  for (const source of await everything(owner, store.pageSources)) objects.set(source.id, ofSource(source))
  const edges = new Map<string, Edge>()
  const ids = [...objects.keys()]
  for (let at = 0; at < ids.length; at += PAGE_SIZE)
    for (const edge of await store.edges({ owner, nodes: ids.slice(at, at + PAGE_SIZE), stated: true, limit: MAX_EDGES }))
      edges.set(edge.id, edge)
  return {
    records: [...objects.values()].map((object) => recordOf(object, owner)),
    relations: [...edges.values()].map((edge) => relationOf(edge, objects)),
  }
}

/** Records and relations derived from these ids, which may be ids of relations. */
export async function graphAround(env: Environment, owner: string, ids: readonly string[]): Promise<GraphContents> {
  const { store } = env
  const objects = await loadObjects(env, ids, owner)
  const wanted = new Set(ids)
  const facts = [...objects.values()].flatMap((object) => ('fact' in object ? [object.fact] : []))
  const starts = [...new Set(facts.flatMap((fact) => [fact.id, ...relationsOf(fact).map(({ from }) => from)]))]
  const ofFacts =
    starts.length === 0 ? [] : await store.edges({ owner, nodes: starts, direction: 'outgoing', stated: true, limit: MAX_EDGES })
  const made = await store.edgesById(ids.filter((id) => !objects.has(id)))
  const edges = [...ofFacts.filter(({ factId }) => factId !== null && wanted.has(factId)), ...made]
  const ends = new Map([...objects, ...(await loadObjects(env, [...new Set(edges.flatMap(({ from, to }) => [from, to]))], owner))])
  return {
    records: [...objects.values()].map((object) => recordOf(object, owner)),
    relations: edges.map((edge) => relationOf(edge, ends)),
  }
}
