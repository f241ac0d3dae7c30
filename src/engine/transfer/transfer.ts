import { type Fact, isLate } from '../../core/facts/fact.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { namesOfEntity } from '../../core/graph/names.js'
import type { Change, JournalEntry } from '../../core/journal/change.js'
import { clampToNow } from '../../core/time/instants.js'
import type { EmbeddedText } from '../../ports/backlog.js'
import type { JournalRange, Page, PageCursor, PageQuery, Store } from '../../ports/store.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'
import { exportControlRecords, importControlRecord } from './control-records.js'
import { type EdgeItem, edgesWithEnds, refuseEdges, WrittenNodes } from './edge-ends.js'
import { type Item, ownersOf, type Repeats, takeLine } from './items.js'
import { EXPORT_VERSION } from './lines.js'
import { importSources, sourceLines } from './sources.js'

const PAGE_SIZE = 500
/** Rows of one instant are found from its first one on: the more are read at once, the fewer are read again. */
const EXPORT_PAGE = 2000
/**
 * Ids are random, so a commit rewrites most pages of their indexes: many lines share one. Whoever else writes waits for
 * it, so it is shorter as long as someone does.
 */
const BATCH_LIMITS = { lines: 4000, besideOthers: 400, characters: 8_000_000 }

export interface ExportOptions {
  readonly owner?: string | undefined
  /** Also what the journal tells, for whoever reads the file: an import makes a history of its own. */
  readonly history?: boolean
}

/** The whole memory of one owner, or of all, one JSON value per line: facts in the order they were recorded. */
export async function* exportLines(env: Environment, { owner, history }: ExportOptions): AsyncGenerator<string> {
  yield JSON.stringify({ mneme: EXPORT_VERSION })
  const by = owner === undefined ? {} : { owner }
  const { store } = env
  yield* exportControlRecords(store, by)
  const written = new WrittenNodes()
  const factLine = (fact: Fact): string => JSON.stringify({ fact: withoutAbsent(clampToNow(fact, env.clock.now())) })
  for await (const fact of each(by, (query) => store.pageFacts(query))) {
    written.add(fact)
    yield factLine(fact)
  }
  for await (const entity of each(by, (query) => store.pageEntities(query))) {
    written.add(entity)
    yield JSON.stringify({ entity })
  }
  for await (const source of each(by, (query) => store.pageSources(query))) yield* sourceLines(store, source)
  for await (const page of everyPage(by, (query) => store.pageEdges(query))) {
    const made = page.filter((edge) => edge.properties.auto_linked !== true)
    const { facts, entities, edges } = await written.complete(store, made)
    for (const fact of facts) yield factLine(fact)
    for (const entity of entities) yield JSON.stringify({ entity })
    for (const edge of edges) yield JSON.stringify({ edge })
  }
  if (history !== true) return
  for (let last: JournalEntry | undefined; ; ) {
    const entries: readonly JournalEntry[] = await store.journal({
      ...by,
      ...(last === undefined ? {} : { beyond: last }),
      limit: PAGE_SIZE,
    })
    for (const entry of entries) yield JSON.stringify({ entry })
    last = entries[entries.length - 1]
    if (last === undefined || entries.length < PAGE_SIZE) return
  }
}

/** Fields that few facts have are left out where they say nothing: a line stays short, and older programs can read it. */
const withoutAbsent = (fact: Fact): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fact).filter(([name, value]) => value !== null || !isLate(name)))

type Read<T> = (query: PageQuery) => Promise<Page<T>>

async function* each<T>(by: Pick<PageQuery, 'owner'>, read: Read<T>): AsyncGenerator<T> {
  for await (const page of everyPage(by, read)) yield* page
}

async function* everyPage<T>(by: Pick<PageQuery, 'owner'>, read: Read<T>): AsyncGenerator<readonly T[]> {
  let after: PageCursor | null | undefined
  while (after !== null) {
    const page: Page<T> = await read({ ...by, limit: EXPORT_PAGE, ...(after === undefined ? {} : { after }) })
    yield page.items
    after = page.next
  }
}

export interface ImportReport {
  readonly facts: number
  readonly entities: number
  readonly edges: number
  /** Sources and files of them; absent when there were none. */
  readonly sources?: number
  /** Gardens, policies and peers; absent when there were none. */
  readonly arrangements?: number
  /** Ids and names that were there already and stay as they are. */
  readonly skipped: number
}

export interface ImportOptions {
  readonly actor: string
  readonly signal: AbortSignal
  progress(lines: number): void
}

/** Imported entities whose name was taken, with the entity that stands for each. */
type Namesakes = ReadonlyMap<string, string>

/**
 * Reads what `exportLines` wrote, or plain memories. A line that cannot be read stops it, naming the line; earlier
 * batches stay. An entity whose name or alias belongs to another becomes that other one, for its edges too. Edges may
 * stand before their ends: they wait for them, and those whose ends never come are named in the end.
 */
export async function importLines(env: Environment, lines: AsyncIterable<string>, options: ImportOptions): Promise<ImportReport> {
  const report = { facts: 0, entities: 0, edges: 0, skipped: 0 }
  let sources = 0
  let arranged = 0
  let namesakes: Namesakes = new Map()
  let batch: Item[] = []
  let waiting: EdgeItem[] = []
  const repeats: Repeats = new Map()
  const others = createOthers()
  let most: number = BATCH_LIMITS.besideOthers
  let number = 0
  let characters = 0
  const flush = async (): Promise<void> => {
    const evidence = batch.filter(({ kind }) => kind === 'source' || kind === 'file')
    const captured = evidence.length === 0 ? 0 : await importSources(env, evidence, options.actor)
    sources += captured
    report.skipped += evidence.length - captured
    for (const item of batch) {
      if (item.kind !== 'arrangement') continue
      if (await importControlRecord(env.store, item.arrangement, options.actor)) arranged++
      else report.skipped++
    }
    batch = batch.filter(({ kind }) => kind !== 'source' && kind !== 'file' && kind !== 'arrangement')
    const { stored, known, endless, entries } = await commitBatch(env, batch, options.actor, namesakes)
    most = others.wroteBefore(entries) ? BATCH_LIMITS.besideOthers : BATCH_LIMITS.lines
    namesakes = known
    for (const { op } of stored) report[op === 'fact.put' ? 'facts' : op === 'entity.put' ? 'entities' : 'edges']++
    report.skipped += batch.length - stored.length - endless.length
    waiting.push(...endless)
    batch = []
    characters = 0
    options.progress(number)
  }
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    options.signal.throwIfAborted()
    const item = await takeLine(env, number === 1 ? line.replace(/^\uFEFF/u, '') : line, number, repeats)
    if (item !== undefined) batch.push(item)
    characters += line.length
    if (batch.length >= most || characters >= BATCH_LIMITS.characters) await flush()
  }
  await flush()
  const late = waiting
  waiting = []
  for (let i = 0; i < late.length; i += PAGE_SIZE) {
    options.signal.throwIfAborted()
    batch = late.slice(i, i + PAGE_SIZE)
    await flush()
  }
  env.embedding.drain()
  await refuseEdges(env.store, waiting)
  return { ...report, ...(sources === 0 ? {} : { sources }), ...(arranged === 0 ? {} : { arrangements: arranged }) }
}

/**
 * Tells by the numbers of the journal whether someone else has written since the commit before. Owners may have numbers of
 * their own or share them: only a gap in both ways of counting is another's.
 */
function createOthers(): { wroteBefore(entries: readonly JournalRange[]): boolean } {
  const last = new Map<string, number>()
  let end = 0
  return {
    /** After the first commit there may be others. */
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

interface Committed {
  readonly stored: readonly Change[]
  readonly known: Namesakes
  /** Edges that were left out: an end of them is not there. */
  readonly endless: readonly EdgeItem[]
  readonly entries: readonly JournalRange[]
}

async function commitBatch(env: Environment, batch: readonly Item[], actor: string, known: Namesakes): Promise<Committed> {
  if (batch.length === 0) return { stored: [], known, endless: [], entries: [] }
  const { store, backlog } = env
  const done = await retryOnConflict(async () => {
    const fresh = await withoutKnownIds(store, batch)
    const namesakes = new Map([
      ...known,
      ...(await findNamesakes(
        store,
        fresh.flatMap((item) => (item.kind === 'entity' ? [item.entity] : [])),
      )),
    ])
    const nodes = fresh.filter(({ kind, id }) => kind === 'fact' || (kind === 'entity' && !namesakes.has(id)))
    const edges = fresh.flatMap((item) => (item.kind === 'edge' ? withNamesakes(item, namesakes) : []))
    const whole = await edgesWithEnds(
      store,
      edges.map(({ edge }) => edge),
      nodes.flatMap((item) => ownersOf(item).map((owner) => ({ id: item.id, owner }))),
    )
    // Edges after their ends, which the commit asks for.
    const puts = [...nodes, ...edges.filter(({ id }) => whole.has(id))].flatMap(toPut)
    let stored: readonly Change[] = []
    const owners = [...new Set(fresh.flatMap(ownersOf))]
    const { entries } = await store.commit({ actor, owners }, (at) => {
      stored = puts.map((put, i) => put(at + i))
      return stored
    })
    return { stored, known: namesakes, endless: edges.filter(({ id }) => !whole.has(id)), entries }
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

/** What is neither stored already nor said twice in the batch. */
async function withoutKnownIds(store: Store, batch: readonly Item[]): Promise<readonly Item[]> {
  const ids = batch.map((item) => item.id)
  const seen = new Set([...(await store.facts(ids)), ...(await store.entities(ids)), ...(await store.edgesById(ids))].map((one) => one.id))
  return batch.filter(({ id }) => !seen.has(id) && seen.add(id))
}

const keysOf = (entity: Entity): readonly string[] => namesOfEntity(entity).map(({ key }) => key)

/** The entities among these whose name is taken, in the store or by one before them. */
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
    const holder = keys.map((one) => holders.get(one)).find((id) => id !== undefined)
    if (holder !== undefined) namesakes.set(entity.id, holder)
    else for (const one of keys) holders.set(one, entity.id)
  }
  return namesakes
}

/** An edge of an entity that another stands for is an edge of that other; nothing for one between two that became one. */
function withNamesakes(item: EdgeItem, namesakes: Namesakes): readonly EdgeItem[] {
  const end = (id: string, kind: Edge['fromKind']): string => (kind === 'entity' ? (namesakes.get(id) ?? id) : id)
  const { from, fromKind, to, toKind } = item.edge
  const edge: Edge = { ...item.edge, from: end(from, fromKind), to: end(to, toKind) }
  return edge.from === edge.to && from !== to ? [] : [{ ...item, edge }]
}

function toPut(item: Item): readonly ((at: number) => Change)[] {
  if (item.kind === 'fact') return [(at) => item.change(at)]
  if (item.kind === 'entity') return [() => ({ op: 'entity.put', entity: item.entity, imported: true })]
  return item.kind === 'edge' ? [() => ({ op: 'edge.put', edge: item.edge, imported: true })] : []
}
