import type { Fact } from '../../core/facts/fact.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { namesOfEntity } from '../../core/graph/names.js'
import type { Change } from '../../core/journal/change.js'
import type { EmbeddedText } from '../../ports/backlog.js'
import type { JournalRange, Store } from '../../ports/store.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'
import { importControlRecord } from './control-records.js'
import { type EdgeItem, edgesWithEnds } from './edge-ends.js'
import { type Item, ownersOf } from './items.js'
import { importSources, isCounted } from './sources.js'

const PAGE_SIZE = 500
/** Ids are random, so a commit rewrites most index pages and a batch is large. While other writers wait for it, batches are smaller. */
const BATCH_LIMITS = { lines: 4000, withOtherWriters: 400, characters: 8_000_000 }

export interface ItemCounts {
  facts: number
  entities: number
  edges: number
  /** Sources, and the files of repositories. */
  sources: number
  arrangements: number
  /** Existing facts with new wording. */
  revised: number
  /** Existing ids and names, which stay unchanged. */
  skipped: number
}

/** Receives items one by one. */
export interface ItemSink {
  readonly counts: ItemCounts
  /** `characters` estimates the memory that the item uses until it is stored. */
  add(item: Item, characters: number): Promise<void>
  /** Stores the remaining items; returns the edges without endpoints. */
  finish(signal: AbortSignal): Promise<readonly EdgeItem[]>
}

/** Existing entities by the id of an imported entity with the same name. */
type Namesakes = ReadonlyMap<string, string>

/**
 * Commits items in batches and skips existing ones. An entity whose name or alias exists is replaced by the existing one, also in its
 * edges. Edges wait for their endpoints.
 */
export function createItemWriter(env: Environment, actor: string, onCommit: () => Promise<void> | void): ItemSink {
  const counts: ItemCounts = { facts: 0, entities: 0, edges: 0, sources: 0, arrangements: 0, revised: 0, skipped: 0 }
  const others = detectOtherWriters()
  let namesakes: Namesakes = new Map()
  let batch: Item[] = []
  let waiting: EdgeItem[] = []
  let limit: number = BATCH_LIMITS.withOtherWriters
  let characters = 0
  const flush = async (): Promise<void> => {
    const evidence = batch.filter(({ kind }) => kind === 'source' || kind === 'file')
    const captured = evidence.length === 0 ? 0 : await importSources(env, evidence, actor)
    counts.sources += captured
    counts.skipped += evidence.filter(isCounted).length - captured
    for (const item of batch) {
      if (item.kind !== 'arrangement') continue
      if (await importControlRecord(env.store, item.arrangement, actor)) counts.arrangements++
      else counts.skipped++
    }
    batch = batch.filter(({ kind }) => kind !== 'source' && kind !== 'file' && kind !== 'arrangement')
    const { stored, revised, known, danglingEdges, entries } = await commitBatch(env, batch, actor, namesakes)
    limit = others.wroteBefore(entries) ? BATCH_LIMITS.withOtherWriters : BATCH_LIMITS.lines
    namesakes = known
    for (const { op } of stored) counts[op === 'fact.put' ? 'facts' : op === 'entity.put' ? 'entities' : 'edges']++
    counts.revised += revised
    counts.skipped += batch.length - stored.length - revised - danglingEdges.length
    waiting.push(...danglingEdges)
    batch = []
    characters = 0
    await onCommit()
  }
  return {
    counts,
    async add(item, size) {
      batch.push(item)
      characters += size
      if (batch.length >= limit || characters >= BATCH_LIMITS.characters) await flush()
    },
    async finish(signal) {
      await flush()
      const late = waiting
      waiting = []
      for (let i = 0; i < late.length; i += PAGE_SIZE) {
        signal.throwIfAborted()
        batch = late.slice(i, i + PAGE_SIZE)
        await flush()
      }
      env.embedding.drain()
      return waiting
    },
  }
}

/**
 * Detects commits of other writers by gaps in the journal numbers. Owners may be numbered separately or together, so only a gap in both
 * counts is evidence.
 */
function detectOtherWriters(): { wroteBefore(entries: readonly JournalRange[]): boolean } {
  const last = new Map<string, number>()
  let end = 0
  return {
    /** Before the first commit, other writers are unknown. */
    wroteBefore(entries) {
      const isFirst = last.size === 0
      const gap = entries.some(({ owner, firstSeq }) => firstSeq > (last.get(owner) ?? firstSeq) + 1)
      const others = isFirst || (gap && entries.every(({ firstSeq }) => firstSeq > end + 1))
      for (const { owner, lastSeq } of entries) {
        last.set(owner, lastSeq)
        end = Math.max(end, lastSeq)
      }
      return others
    },
  }
}

interface CommittedBatch {
  readonly stored: readonly Change[]
  /** Existing facts with new wording. */
  readonly revised: number
  readonly known: Namesakes
  /** Edges omitted because an endpoint is missing. */
  readonly danglingEdges: readonly EdgeItem[]
  readonly entries: readonly JournalRange[]
}

async function commitBatch(env: Environment, batch: readonly Item[], actor: string, known: Namesakes): Promise<CommittedBatch> {
  if (batch.length === 0) return { stored: [], revised: 0, known, danglingEdges: [], entries: [] }
  const { store, backlog } = env
  const done = await retryOnConflict(async () => {
    const { fresh, repeated } = await splitByKnownIds(store, batch)
    const namesakes = new Map([
      ...known,
      ...(await findNamesakes(
        store,
        fresh.flatMap((item) => (item.kind === 'entity' ? [item.entity] : [])),
      )),
    ])
    const nodes = fresh.filter(({ kind, id }) => kind === 'fact' || (kind === 'entity' && !namesakes.has(id)))
    const edges = fresh.flatMap((item) => (item.kind === 'edge' ? withNamesakes(item, namesakes) : []))
    const completeEdges = await edgesWithEnds(
      store,
      edges.map(({ edge }) => edge),
      nodes.flatMap((item) => ownersOf(item).map((owner) => ({ id: item.id, owner }))),
    )
    // Edges follow their endpoints, which the commit requires.
    const puts = [...nodes, ...edges.filter(({ id }) => completeEdges.has(id))].flatMap(toPut)
    let stored: readonly Change[] = []
    let revisions: readonly Change[] = []
    const owners = [...new Set([...fresh.flatMap(ownersOf), ...repeated.map(({ fact }) => fact.owner)])]
    const { entries } = await store.commit({ actor, owners }, (at) => {
      stored = puts.map((put, i) => put(at + i))
      revisions = repeated.flatMap(({ item, fact }) => {
        const revised = item.revise?.(fact, at)
        return revised === undefined ? [] : [{ op: 'fact.put', fact: revised, reason: 'imported again' } as const]
      })
      return [...stored, ...revisions]
    })
    return { stored, revised: revisions.length, known: namesakes, danglingEdges: edges.filter(({ id }) => !completeEdges.has(id)), entries }
  })
  const vectors = new Map(batch.flatMap((item) => (item.kind === 'fact' && item.vector !== undefined ? [[item.id, item.vector]] : [])))
  const embedded: EmbeddedText[] = done.stored.flatMap((change) => {
    const vector = change.op === 'fact.put' ? vectors.get(change.fact.id) : undefined
    return change.op === 'fact.put' && vector !== undefined
      ? [{ owner: change.fact.owner, rid: 0, id: change.fact.id, version: change.fact.version, vector }]
      : []
  })
  if (embedded.length > 0) await backlog.fill('facts', embedded)
  return done
}

type FactItem = Extract<Item, { readonly kind: 'fact' }>

interface SplitBatch {
  /** Neither stored already nor repeated within the batch. */
  readonly fresh: readonly Item[]
  /** Existing facts that may have been revised since. */
  readonly repeated: readonly { readonly item: FactItem; readonly fact: Fact }[]
}

async function splitByKnownIds(store: Store, batch: readonly Item[]): Promise<SplitBatch> {
  const ids = batch.map((item) => item.id)
  const facts = new Map((await store.facts(ids)).map((fact) => [fact.id, fact]))
  const seen = new Set([...facts.keys(), ...[...(await store.entities(ids)), ...(await store.edgesById(ids))].map((row) => row.id)])
  const repeated = batch.flatMap((item) => {
    const fact = facts.get(item.id)
    return item.kind === 'fact' && item.revise !== undefined && fact?.owner === item.owner ? [{ item, fact }] : []
  })
  return {
    fresh: batch.filter(({ id }) => !seen.has(id) && seen.add(id)),
    repeated: [...new Map(repeated.map((match) => [match.fact.id, match])).values()],
  }
}

const keysOf = (entity: Entity): readonly string[] => namesOfEntity(entity).map(({ key }) => key)

/** The entities among these whose name exists in the store or earlier in the batch. */
async function findNamesakes(store: Store, entities: readonly Entity[]): Promise<Namesakes> {
  const holders = new Map<string, string>()
  const key = (owner: string, name: string): string => `${owner}\0${name}`
  for (const owner of new Set(entities.map((entity) => entity.owner))) {
    const names = [...new Set(entities.filter((entity) => entity.owner === owner).flatMap(keysOf))]
    for (let i = 0; i < names.length; i += PAGE_SIZE) {
      const found = await store.listEntities({ owner, keys: names.slice(i, i + PAGE_SIZE), limit: PAGE_SIZE, offset: 0 })
      for (const entity of found) for (const name of keysOf(entity)) holders.set(key(owner, name), entity.id)
    }
  }
  const namesakes = new Map<string, string>()
  for (const entity of entities) {
    const keys = keysOf(entity).map((name) => key(entity.owner, name))
    const holder = keys.map((holderKey) => holders.get(holderKey)).find((id) => id !== undefined)
    if (holder !== undefined) namesakes.set(entity.id, holder)
    else for (const holderKey of keys) holders.set(holderKey, entity.id)
  }
  return namesakes
}

/** Redirects an edge to the existing entity; none if both endpoints became the same entity. */
function withNamesakes(item: EdgeItem, namesakes: Namesakes): readonly EdgeItem[] {
  const end = (id: string, kind: Edge['fromKind']): string => (kind === 'entity' ? (namesakes.get(id) ?? id) : id)
  const { from, fromKind, to, toKind } = item.edge
  const edge: Edge = { ...item.edge, from: end(from, fromKind), to: end(to, toKind) }
  return edge.from === edge.to && from !== to ? [] : [{ ...item, edge }]
}

function toPut(item: Item): readonly ((now: number) => Change)[] {
  if (item.kind === 'fact') return [(now) => item.change(now)]
  if (item.kind === 'entity') return [() => ({ op: 'entity.put', entity: item.entity, imported: true })]
  return item.kind === 'edge' ? [() => ({ op: 'edge.put', edge: item.edge, imported: true })] : []
}
