import {
  ANY_OWNER,
  allowsClass,
  canReadFact,
  classOf,
  findOwnerAccess,
  isAllowed,
  isUnrestricted,
  mayWriteInto,
  type OwnerAccess,
  type Principal,
  seesAllScopes,
} from '../../core/access/access-filter.js'
import type { Json } from '../../core/encoding/json.js'
import type { Fact, FactStatus } from '../../core/facts/fact.js'
import type { Edge } from '../../core/graph/edge.js'
import { type Change, type JournalEntry, ownerOf } from '../../core/journal/change.js'
import { isFieldEdge } from '../../core/substrate/objects/references.js'
import { MemoryError } from '../../errors.js'
import type { Counts, EdgeQuery, EntityQuery, FactQuery, JournalQuery, Page, PageQuery, Store } from '../../ports/store.js'

const PAGE_SIZE = 500
const ZERO_COUNTS: Counts = {
  facts: 0,
  entities: 0,
  edges: 0,
  relations: 0,
  sources: 0,
  passages: 0,
  activeFacts: 0,
  outdatedFacts: 0,
}

export const forbidden = (what: string): MemoryError =>
  new MemoryError('forbidden', `This key does not allow ${what}.`, {
    hint: 'Use a key that does, or ask the administrator who issued this one.',
  })

/** A store restricted to what a principal may read and write. */
export function restrictStore(store: Store, { reach, mayWrite, rights }: Principal): Store {
  if (reach === 'everything') return mayWrite ? store : { ...store, commit: () => Promise.reject(forbidden('changes')) }
  /** Filters facts by class. A hidden fact cannot be deleted by id either. */
  const seen = new Set<string>()

  const open = (facts: readonly Fact[]): readonly Fact[] => {
    const found = facts.filter((fact) => canReadFact(reach, fact))
    for (const { id } of found) seen.add(id)
    return found
  }

  /** The owners a query may return; without an owner, all accessible ones. */
  const into = (owner: string | undefined): readonly OwnerAccess[] => {
    if (owner !== undefined) return [findOwnerAccess(reach, owner)].flatMap((access) => access ?? [])
    const anyone = reach.owners.find((access) => access.owner === ANY_OWNER)
    return anyone === undefined ? reach.owners : [anyone]
  }
  const toOwnerFilter = (owner: string): { readonly owner?: string } => (owner === ANY_OWNER ? {} : { owner })

  /** The accessible owners among these; all for an unrestricted filter. */
  const ownersOf = (named: readonly string[] | undefined): { readonly owners?: readonly string[] } => {
    if (named !== undefined) return { owners: named.filter((owner) => findOwnerAccess(reach, owner) !== undefined) }
    return reach.owners.some(({ owner }) => owner === ANY_OWNER) ? {} : { owners: reach.owners.map(({ owner }) => owner) }
  }

  const listFacts = async (query: FactQuery): Promise<readonly Fact[]> => open(await store.listFacts({ ...query, reach }))

  const countFacts = (query: Omit<FactQuery, 'limit' | 'offset'>): Promise<number> => store.countFacts({ ...query, reach })

  /** Pages by position are filtered after reading, so that positions stay stable. */
  const page = async <T extends { readonly owner: string }>(
    query: PageQuery,
    read: (query: PageQuery) => Promise<Page<T>>,
    keep: (items: readonly T[]) => readonly T[],
  ): Promise<Page<T>> => {
    if (query.owner !== undefined && into(query.owner).length === 0) return { items: [], next: null }
    const { items, next } = await read(query)
    return { items: keep(items), next }
  }

  /** Endpoints that are facts may be in an inaccessible garden. */
  const openEdges = async (edges: readonly Edge[]): Promise<readonly Edge[]> => {
    const mine = edges.filter((edge) => findOwnerAccess(reach, edge.owner) !== undefined)
    const doubtful = mine.filter((edge) => into(edge.owner).some((access) => !isUnrestricted(access)))
    if (doubtful.length === 0) return mine
    const ends = await store.facts([
      ...new Set(doubtful.flatMap((edge) => [edge.from, edge.to, ...(edge.factId === null ? [] : [edge.factId])])),
    ])
    const closed = new Set(ends.filter((fact) => !canReadFact(reach, fact)).map((fact) => fact.id))
    return mine.filter((edge) => ![edge.from, edge.to, edge.factId].some((end) => end !== null && closed.has(end)))
  }

  const edges = async (query: EdgeQuery): Promise<readonly Edge[]> => {
    const found: Edge[] = []
    for (const { owner } of into(query.owner)) found.push(...(await openEdges(await store.edges({ ...query, ...toOwnerFilter(owner) }))))
    return found.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)).slice(0, query.limit)
  }

  const isOpenEntry = (entry: JournalEntry): boolean => {
    const access = findOwnerAccess(reach, entry.owner)
    if (access === undefined) return false
    if (isUnrestricted(access)) return true
    if (entry.targetKind !== 'fact') return ['entity', 'edge', 'source', 'passage', 'store'].includes(entry.targetKind)
    const versions = [entry.before, entry.after].flatMap((fact) => (fact === null ? [] : [fact]))
    return (
      versions.length > 0 &&
      versions.every((fact) =>
        allowsClass(access, { scope: String(fact.scope), garden: wordIn(fact.garden), federated: wordIn(fact.receivedFrom) !== null }),
      )
    )
  }

  const journal = async (query: JournalQuery): Promise<readonly JournalEntry[]> => {
    const found: JournalEntry[] = []
    for (const { owner } of into(query.owner)) {
      let { beyond } = query
      for (let taken = 0; taken < query.limit; ) {
        const limit = Math.max(PAGE_SIZE, query.limit)
        const entries = await store.journal({
          ...query,
          ...toOwnerFilter(owner),
          limit,
          ...(beyond === undefined ? {} : { beyond }),
        })
        const open = entries.filter(isOpenEntry)
        found.push(...open)
        taken += open.length
        const last = entries[entries.length - 1]
        if (last === undefined || entries.length < limit) break
        beyond = last
      }
    }
    const sign = query.newestFirst === true ? -1 : 1
    return found.sort((a, b) => sign * (a.hlc < b.hlc ? -1 : 1)).slice(0, query.limit)
  }

  const counts = async (owner: string | undefined): Promise<Counts> => {
    let sum = ZERO_COUNTS
    for (const access of into(owner)) {
      const all = await store.counts(toOwnerFilter(access.owner).owner)
      const own = isUnrestricted(access) ? all : { ...all, ...(await countOpen(access)) }
      sum = add(sum, own)
    }
    return sum
  }

  const countOpen = async (
    access: OwnerAccess,
  ): Promise<Pick<Counts, 'facts' | 'activeFacts' | 'outdatedFacts' | 'edges' | 'relations'>> => {
    const { owner } = access
    const ofStatuses = async (statuses: readonly FactStatus[]): Promise<number> => {
      const counted = await Promise.all(statuses.map((status) => countFacts({ ...toOwnerFilter(owner), status })))
      return counted.reduce((sum, count) => sum + count, 0)
    }
    const found = {
      facts: await countFacts(toOwnerFilter(owner)),
      activeFacts: await ofStatuses(['active', 'candidate', 'contested', 'stale']),
      outdatedFacts: await ofStatuses(['outdated', 'superseded', 'retracted']),
    }
    const all = await edges({ ...toOwnerFilter(owner), limit: Number.MAX_SAFE_INTEGER })
    return { ...found, edges: all.length, relations: all.filter((edge) => !edge.id.startsWith('auto-') && !isFieldEdge(edge)).length }
  }

  /** Checks every change before the commit. */
  const check = (change: Change): void => {
    const owner = ownerOf(change)
    const access = owner === null ? undefined : findOwnerAccess(reach, owner)
    if (!mayWrite) throw forbidden('changes')
    if (access === undefined) throw forbidden(owner === null ? "changing everyone's memory" : `changing what belongs to ${owner}`)
    const arranged = change.op === 'arrangement.put' ? change.arrangement.kind : change.op === 'arrangement.delete' ? change.kind : 'garden'
    if (arranged !== 'garden' && !isAllowed({ rights }, 'admin')) throw forbidden(`changing a ${arranged}`)
    if (change.op === 'reset' && !isUnrestricted(access)) throw forbidden(`erasing what belongs to ${access.owner}`)
    if (change.op === 'fact.put' && change.fact.version > 1 && !isUnrestricted(access) && !seen.has(change.fact.id))
      throw forbidden('changing that')
    if (change.op === 'fact.put' && !mayWriteInto(access, classOf(change.fact))) throw forbidden('writing there')
    if (change.op === 'fact.delete' && !isUnrestricted(access) && !seen.has(change.id)) throw forbidden('deleting that')
  }

  /** Evidence requires access to all scopes of its owner. */
  const isOpenSource = ({ owner }: { readonly owner: string }): boolean => into(owner).some(seesAllScopes)

  const entities = async (query: EntityQuery) => {
    const found = []
    for (const { owner } of into(query.owner))
      found.push(...(await store.listEntities({ ...query, ...toOwnerFilter(owner), limit: query.offset + query.limit, offset: 0 })))
    return found.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)).slice(query.offset, query.offset + query.limit)
  }

  return {
    commit: (commitContext, decide) =>
      store.commit(commitContext, (now) => {
        const changes = decide(now)
        for (const change of changes) check(change)
        return changes.map((change) =>
          change.op === 'fact.put' && change.claimants !== undefined ? { ...change, claimants: { ...change.claimants, reach } } : change,
        )
      }),
    recordedCall: async (call) => (findOwnerAccess(reach, call.owner) === undefined ? undefined : store.recordedCall(call)),
    recordAnswer: store.recordAnswer,
    facts: async (ids, owner) => open(await store.facts(ids, owner)),
    listFacts,
    countFacts,
    pageFacts: (query) => page(query, store.pageFacts, open),
    entities: async (ids, owner) =>
      (await store.entities(ids, owner)).filter((entity) => findOwnerAccess(reach, entity.owner) !== undefined),
    listEntities: entities,
    pageEntities: (query) =>
      page(query, store.pageEntities, (items) => items.filter((entity) => findOwnerAccess(reach, entity.owner) !== undefined)),
    edges,
    edgesById: async (ids, owner) => openEdges(await store.edgesById(ids, owner)),
    async pageEdges(query) {
      const { items, next } = await page(query, store.pageEdges, (all) => all)
      return { items: await openEdges(items), next }
    },
    sources: async (ids, owner) => (await store.sources(ids, owner)).filter(isOpenSource),
    pageSources: (query) => page(query, store.pageSources, (all) => all.filter(isOpenSource)),
    sourceFiles: async (id, page) => ((await store.sources([id])).some(isOpenSource) ? store.sourceFiles(id, page) : []),
    passages: async (id, range) => ((await store.sources([id])).some(isOpenSource) ? store.passages(id, range) : []),
    journal,
    journalTrimmed: store.journalTrimmed,
    counts,
    arrangements: async (query) => (await store.arrangements(query)).filter((record) => findOwnerAccess(reach, record.owner) !== undefined),
    arrangementsMark: store.arrangementsMark,
    async feed(query) {
      if (findOwnerAccess(reach, query.owner) === undefined) return { items: [], last: query.after }
      const { items, last } = await store.feed(query)
      return { items: items.filter(({ fact }) => canReadFact(reach, fact)), last }
    },
    async browse(filter, page) {
      const { items, next } = await store.browse({ ...filter, reach }, page)
      return { items: open(items), next }
    },
    facets: (filter) => store.facets({ ...filter, reach }),
    subjects: (filter, limit) => store.subjects({ ...filter, reach }, limit),
    histogram: (filter, query) => store.histogram({ ...filter, reach }, query),
    rivals: (query) => store.rivals({ ...query, ...ownersOf(query.owners) }),
    alike: (query) => store.alike({ ...query, ...ownersOf(query.owners) }),
    digestOf: () => Promise.reject(forbidden('reading secrets')),
    useNonce: store.useNonce,
  }
}

const wordIn = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

const add = (a: Counts, b: Counts): Counts => ({
  facts: a.facts + b.facts,
  entities: a.entities + b.entities,
  edges: a.edges + b.edges,
  relations: a.relations + b.relations,
  sources: a.sources + b.sources,
  passages: a.passages + b.passages,
  activeFacts: a.activeFacts + b.activeFacts,
  outdatedFacts: a.outdatedFacts + b.outdatedFacts,
})
