import { canReadFact } from '../../src/core/access/access-filter.js'
import type { Fact } from '../../src/core/facts/fact.js'
import { isCurrentStatus, isValidAt } from '../../src/core/facts/validity.js'
import type { Edge } from '../../src/core/graph/edge.js'
import type { Entity } from '../../src/core/graph/entity.js'
import { namesOfEntity } from '../../src/core/graph/names.js'
import type { FileChange } from '../../src/core/journal/change.js'
import { isSystemForm } from '../../src/core/statements/statement.js'
import { claimKey } from '../../src/core/substrate/objects/claims.js'
import type {
  ControlRecords,
  Counts,
  EdgeQuery,
  EntityQuery,
  FactQuery,
  JournalQuery,
  Page,
  PageCursor,
  PageQuery,
  Store,
} from '../../src/ports/store.js'
import { createRamDoubts, createRamFacets } from './facets.js'
import { keysOf, namesOf, type State } from './state.js'

type FactFilter = Omit<FactQuery, 'limit' | 'offset'>

const matches = (fact: Fact, query: FactFilter): boolean =>
  !isSystemForm(fact.form) &&
  (query.owner === undefined || fact.owner === query.owner) &&
  (query.session === undefined || fact.session === query.session) &&
  (query.status === undefined || fact.status === query.status) &&
  (query.subject === undefined || fact.subject === query.subject) &&
  (query.claim === undefined || (claimKey(fact) === query.claim && isCurrentStatus(fact.status))) &&
  (query.validAt === undefined || isValidAt(fact, query.validAt)) &&
  (query.recordedAfter === undefined || fact.recordedAt > query.recordedAfter) &&
  (query.recordedBefore === undefined || fact.recordedAt < query.recordedBefore) &&
  (query.kind === undefined || fact.kind === query.kind) &&
  (query.text === undefined || fact.text.toLowerCase().includes(query.text.toLowerCase())) &&
  (query.idPrefix === undefined || fact.id.startsWith(query.idPrefix)) &&
  (query.reach === undefined || canReadFact(query.reach, fact))

const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function listFacts(state: State, query: FactQuery): readonly Fact[] {
  const rows = [...state.facts.values()].filter((row) => matches(row.fact, query))
  rows.sort((a, b) => a.fact.recordedAt - b.fact.recordedAt || a.rid - b.rid)
  if (!query.oldestFirst) rows.reverse()
  return rows.slice(query.offset, query.offset + query.limit).map((row) => row.fact)
}

function listEntities(state: State, query: EntityQuery) {
  const { owner, names, keys, nameParts } = query
  const namedBy = (entity: Entity): readonly string[] =>
    namesOfEntity(entity).map(({ key, name }) => (name === '' ? key.toLowerCase() : name))
  const partsOf = (entity: Entity): number =>
    Math.max(0, ...namedBy(entity).map((name) => (nameParts ?? []).filter((part) => name.includes(part)).length))
  const charsOf = (entity: Entity): number => Math.min(...namedBy(entity).map((name) => name.length))
  if (nameParts !== undefined)
    return [...state.entities.values()]
      .filter((entity) => entity.owner === owner && partsOf(entity) > 0)
      .sort((a, b) => partsOf(b) - partsOf(a) || charsOf(a) - charsOf(b) || ascending(a.id, b.id))
      .slice(query.offset, query.offset + query.limit)
  const found = [...state.entities.values()].filter(
    (entity) =>
      (owner === undefined || entity.owner === owner) &&
      (names === undefined || namesOf(entity).some((name) => names.includes(name))) &&
      (keys === undefined || keysOf(entity).some((key) => keys.includes(key))),
  )
  return found.sort((a, b) => b.createdAt - a.createdAt || ascending(a.id, b.id)).slice(query.offset, query.offset + query.limit)
}

function pageOf<T>(rows: readonly { readonly item: T; readonly place: PageCursor }[], { after, limit }: PageQuery): Page<T> {
  const order = (a: PageCursor, b: PageCursor): number => a.at - b.at || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
  const sorted = [...rows].sort((a, b) => order(a.place, b.place)).filter((row) => after === undefined || order(row.place, after) > 0)
  const taken = sorted.slice(0, limit)
  return { items: taken.map((row) => row.item), next: taken.length < limit ? null : (taken[taken.length - 1]?.place ?? null) }
}

function pageFacts(state: State, query: PageQuery): Page<Fact> {
  const rows = [...state.facts.values()].filter(({ fact }) => query.owner === undefined || fact.owner === query.owner)
  return pageOf(
    rows.map(({ fact, rid }) => ({ item: fact, place: { at: fact.recordedAt, key: rid } })),
    query,
  )
}

function pageEntities(state: State, query: PageQuery): Page<Entity> {
  const entities = [...state.entities.values()].filter((entity) => query.owner === undefined || entity.owner === query.owner)
  return pageOf(
    entities.map((entity) => ({ item: entity, place: { at: entity.createdAt, key: entity.id } })),
    query,
  )
}

function touches(edge: Edge, nodes: readonly string[], direction: NonNullable<EdgeQuery['direction']>): boolean {
  if (direction !== 'incoming' && nodes.includes(edge.from)) return true
  return direction !== 'outgoing' && nodes.includes(edge.to)
}

function listEdges(state: State, query: EdgeQuery): readonly Edge[] {
  const { nodes, types, betweenKinds: kinds } = query
  const found = [...state.edges.values()]
    .filter((row) => query.stated !== true || !row.derived || row.edge.factId !== null)
    .map((row) => row.edge)
    .filter(
      (edge) =>
        (query.owner === undefined || edge.owner === query.owner) &&
        (nodes === undefined || touches(edge, nodes, query.direction ?? 'both')) &&
        (types === undefined || types.includes(edge.type)) &&
        (query.from === undefined || edge.from === query.from) &&
        (query.to === undefined || edge.to === query.to) &&
        (kinds === undefined || (edge.fromKind === kinds[0] && edge.toKind === kinds[1])),
    )
  return found.sort((a, b) => a.createdAt - b.createdAt || ascending(a.id, b.id)).slice(0, query.limit)
}

const byCreation = <T extends { readonly id: string; readonly owner: string; readonly createdAt: number }>(
  items: readonly T[],
  query: PageQuery,
): Page<T> =>
  pageOf(
    items.flatMap((item) =>
      query.owner === undefined || item.owner === query.owner ? [{ item, place: { at: item.createdAt, key: item.id } }] : [],
    ),
    query,
  )

function sourceFiles(
  state: State,
  sourceId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): readonly FileChange[] {
  const stored = state.sources.get(sourceId)
  const passages = [...state.passages.values()].map(({ passage }) => passage).filter((passage) => passage.sourceId === sourceId)
  return [...(stored?.files ?? [])]
    .filter(([path]) => path > after)
    .sort(([a], [b]) => ascending(a, b))
    .slice(0, limit)
    .map(([path, { size, modifiedAt, hash, skipped, references }]) => ({
      ...{ path, size, modifiedAt, hash, gone: false },
      ...(skipped === undefined ? {} : { skipped }),
      passages: passages.filter((passage) => passage.path === path).sort((a, b) => a.ordinal - b.ordinal),
      references,
    }))
}

function journal(state: State, query: JournalQuery) {
  const { beyond } = query
  const found = state.journal.filter(
    (entry) =>
      (beyond === undefined || (query.newestFirst ? entry.hlc < beyond.hlc : entry.hlc > beyond.hlc)) &&
      (query.after === undefined || entry.seq > query.after) &&
      (query.before === undefined || entry.seq < query.before) &&
      (query.owner === undefined || entry.owner === query.owner) &&
      (query.target === undefined || entry.target === query.target),
  )
  return (query.newestFirst ? found.reverse() : found).slice(0, query.limit)
}

function counts(state: State, owner: string | undefined): Counts {
  const count = <T>(values: Iterable<T>, ownerOf: (value: T) => string): number =>
    [...values].filter((entry) => owner === undefined || ownerOf(entry) === owner).length
  const facts = [...state.facts.values()].map((row) => row.fact).filter((fact) => !isSystemForm(fact.form))
  const factOwner = (fact: Fact): string => fact.owner
  return {
    facts: count(facts, factOwner),
    entities: count(state.entities.values(), (entity) => entity.owner),
    edges: count(state.edges.values(), (entry) => entry.edge.owner),
    relations: count(
      [...state.edges.values()].filter((edge) => !edge.derived),
      (entry) => entry.edge.owner,
    ),
    sources: count(state.sources.values(), (source) => source.source.owner),
    passages: count(state.passages.values(), (passage) => passage.passage.owner),
    activeFacts: count(
      facts.filter((fact) => isCurrentStatus(fact.status)),
      factOwner,
    ),
    outdatedFacts: count(
      facts.filter((fact) => !isCurrentStatus(fact.status) && fact.status !== 'archived'),
      factOwner,
    ),
  }
}

const ownedBy =
  (owner: string | undefined) =>
  (entry: { readonly owner: string }): boolean =>
    owner === undefined || entry.owner === owner

const travels = (fact: Fact, except: string): boolean =>
  fact.assertedConfidence !== null &&
  fact.subject !== null &&
  fact.predicate !== null &&
  fact.form === null &&
  fact.garden === null &&
  !fact.predicate.startsWith('stigmem:') &&
  (fact.receivedFrom === null || (fact.receivedFrom !== except && fact.scope === 'public'))

export const createRamReads = (current: () => State): Omit<Store, 'commit' | 'recordedCall' | 'recordAnswer' | keyof ControlRecords> => ({
  facts: async (ids, owner) => ids.flatMap((id) => current().facts.get(id)?.fact ?? []).filter(ownedBy(owner)),
  listFacts: async (query) => listFacts(current(), query),
  countFacts: async (query) => [...current().facts.values()].filter((row) => matches(row.fact, query)).length,
  pageFacts: async (query) => pageFacts(current(), query),
  entities: async (ids, owner) => ids.flatMap((id) => current().entities.get(id) ?? []).filter(ownedBy(owner)),
  listEntities: async (query) => listEntities(current(), query),
  pageEntities: async (query) => pageEntities(current(), query),
  edges: async (query) => listEdges(current(), query),
  edgesById: async (ids, owner) => ids.flatMap((id) => current().edges.get(id)?.edge ?? []).filter(ownedBy(owner)),
  pageEdges: async (query) =>
    byCreation(
      [...current().edges.values()].flatMap(({ edge, derived }) => (derived ? [] : [edge])),
      query,
    ),
  sources: async (ids, owner) => ids.flatMap((id) => current().sources.get(id)?.source ?? []).filter(ownedBy(owner)),
  pageSources: async (query) =>
    byCreation(
      [...current().sources.values()].map(({ source }) => source),
      query,
    ),
  sourceFiles: async (sourceId, page) => sourceFiles(current(), sourceId, page),
  passages: async (sourceId, { path, from, limit }) =>
    [...current().passages.values()]
      .map(({ passage }) => passage)
      .filter((passage) => passage.sourceId === sourceId && passage.path === path && passage.ordinal >= from)
      .sort((a, b) => a.ordinal - b.ordinal)
      .slice(0, limit),
  journal: async (query) => journal(current(), query),
  journalTrimmed: async () => 0,
  feed: async ({ owner, scopes, after, limit, except }) => {
    const rows = [...current().facts.values()].filter((row) => row.fact.owner === owner).sort((a, b) => a.rid - b.rid)
    const end = Math.max(after, ...rows.map(({ rid }) => rid))
    const items = rows
      .filter(({ rid, fact }) => rid > after && scopes.includes(fact.scope) && travels(fact, except))
      .slice(0, limit)
      .map(({ rid, fact }) => ({ rid, fact }))
    return { items, last: items.length < limit ? end : (items[items.length - 1]?.rid ?? end) }
  },
  counts: async (owner) => counts(current(), owner),
  ...createRamFacets(current),
  ...createRamDoubts(current),
})
