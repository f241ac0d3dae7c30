import { z } from 'zod'
import type { Change } from '../core/change.js'
import type { Edge } from '../core/edge.js'
import type { Entity } from '../core/entity.js'
import type { Fact } from '../core/fact.js'
import { checkMetadata, checkString, checkText, parseInstant } from '../core/input.js'
import { depthExceeds, type JsonObject } from '../core/json.js'
import { normalName } from '../core/names.js'
import { isCurrentStatus } from '../core/validity.js'
import { MemoryError } from '../errors.js'
import type { EmbeddedText } from '../ports/backlog.js'
import type { Page, PageQuery, Place, Store } from '../ports/store.js'
import type { Environment } from './environment.js'
import { checkOwner, type NewFact, toFact } from './remember.js'
import { retryOnConflict } from './revise.js'
import { EXPORT_VERSION, lineSchema, MAX_LINE_DEPTH, type memorySchema } from './transfer-lines.js'

const PAGE = 500

/** The whole memory of one owner, or of all, one JSON value per line: facts in the order they were recorded. */
export async function* exportLines(env: Environment, owner: string | undefined): AsyncGenerator<string> {
  yield JSON.stringify({ mneme: EXPORT_VERSION })
  const by = owner === undefined ? {} : { owner }
  const { store } = env.backend
  for await (const fact of everyPage(by, (query) => store.pageFacts(query))) yield JSON.stringify({ fact })
  for await (const entity of everyPage(by, (query) => store.pageEntities(query))) yield JSON.stringify({ entity })
  const edges = await store.edges({ ...by, limit: Number.MAX_SAFE_INTEGER })
  for (const edge of edges) if (edge.properties.auto_linked !== true) yield JSON.stringify({ edge })
}

async function* everyPage<T>(by: Pick<PageQuery, 'owner'>, read: (query: PageQuery) => Promise<Page<T>>): AsyncGenerator<T> {
  let after: Place | null | undefined
  while (after !== null) {
    const page: Page<T> = await read({ ...by, limit: PAGE, ...(after === undefined ? {} : { after }) })
    yield* page.items
    after = page.next
  }
}

export interface ImportReport {
  readonly facts: number
  readonly entities: number
  readonly edges: number
  /** Ids and names that were there already and stay as they are. */
  readonly skipped: number
}

export interface ImportOptions {
  readonly actor: string
  readonly signal: AbortSignal
  progress(lines: number): void
}

type Item =
  | {
      readonly kind: 'fact'
      readonly id: string
      readonly vector: Float32Array | undefined
      change(at: number): Change & { readonly op: 'fact.put' }
    }
  | { readonly kind: 'entity'; readonly id: string; readonly entity: Entity }
  | { readonly kind: 'edge'; readonly id: string; readonly edge: Edge }

/** Imported entities whose name was taken, with the entity that stands for each. */
type Namesakes = ReadonlyMap<string, string>

/**
 * Reads what `exportLines` wrote, or plain memories. A line that cannot be read stops it, naming the line; earlier
 * batches stay. An entity whose name or alias belongs to another becomes that other one, for its edges too.
 */
export async function importLines(env: Environment, lines: AsyncIterable<string>, options: ImportOptions): Promise<ImportReport> {
  const report = { facts: 0, entities: 0, edges: 0, skipped: 0 }
  let namesakes: Namesakes = new Map()
  let batch: Item[] = []
  let number = 0
  const flush = async (): Promise<void> => {
    const { stored, known } = await commitBatch(env, batch, options.actor, namesakes)
    namesakes = known
    for (const { op } of stored) report[op === 'fact.put' ? 'facts' : op === 'entity.put' ? 'entities' : 'edges']++
    report.skipped += batch.length - stored.length
    batch = []
    options.progress(number)
  }
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    options.signal.throwIfAborted()
    const item = await take(env, line, number)
    if (item !== undefined) batch.push(item)
    if (batch.length >= PAGE) await flush()
  }
  await flush()
  env.vectoriser.drain()
  return report
}

async function take(env: Environment, line: string, number: number): Promise<Item | undefined> {
  const parsed = lineSchema.safeParse(parseLine(line, number))
  if (!parsed.success) {
    throw new MemoryError(
      'invalid_input',
      `Line ${number} is neither a line of \`mneme export\` nor a memory with "content": ${z.prettifyError(parsed.error).split('\n', 1)[0]}`,
      {
        hint: 'Nothing of this batch was stored; lines before it may have been. Importing again skips what is there.',
      },
    )
  }
  const value = parsed.data
  if ('mneme' in value) {
    if (value.model) await env.vectoriser.prepare()
    return undefined
  }
  const where = `line ${number}`
  const { maxContentBytes, maxMetadataBytes } = env.settings
  if ('fact' in value) {
    const { fact } = value
    checkText(fact.text, `${where}: text`, maxContentBytes)
    checkNoun(fact, fact.metadata, where, maxMetadataBytes)
    checkMetadata({ value: fact.value }, `${where}: value`, Number.POSITIVE_INFINITY)
    // The window alone keeps what has ended out of recall.
    if (!isCurrentStatus(fact.status) && fact.validUntil === null)
      throw new MemoryError('invalid_input', `${where}: a fact that is ${fact.status} needs validUntil, the instant it ended`)
    return {
      kind: 'fact',
      id: fact.id,
      vector: vectorOf(env, value.vector, number),
      change: () => ({ op: 'fact.put', fact, imported: true }),
    }
  }
  if ('entity' in value) {
    const { entity } = value
    checkText(entity.name, `${where}: name`, maxContentBytes)
    checkNoun(entity, entity.metadata, where, maxMetadataBytes)
    return { kind: 'entity', id: entity.id, entity }
  }
  if ('edge' in value) {
    const { edge } = value
    checkNoun(edge, edge.properties, where, maxMetadataBytes)
    return { kind: 'edge', id: edge.id, edge }
  }
  const input = toNewFact(env, value, number)
  const { id } = toFact(env, input, 0, null)
  return {
    kind: 'fact',
    id,
    vector: vectorOf(env, value.vector, number),
    change: (at) => ({ op: 'fact.put', fact: { ...toFact(env, input, at, null), id } }),
  }
}

/** What the contracts check before they store anything. */
function checkNoun(noun: Fact | Entity | Edge, metadata: JsonObject, where: string, maxMetadataBytes: number): void {
  checkOwner(noun.owner)
  checkMetadata(metadata, `${where}: metadata`, maxMetadataBytes)
  const members: Readonly<Record<string, unknown>> = { ...noun }
  for (const [field, member] of Object.entries(members)) {
    for (const text of Array.isArray(member) ? member : [member]) if (typeof text === 'string') checkString(text, `${where}: ${field}`)
  }
}

function parseLine(line: string, number: number): unknown {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new MemoryError('invalid_input', `Line ${number} is not JSON.`, { hint: 'Each line must hold one JSON object.' })
  }
  if (depthExceeds(value, MAX_LINE_DEPTH))
    throw new MemoryError('invalid_input', `Line ${number} is nested more than ${MAX_LINE_DEPTH} levels deep.`)
  return value
}

function toNewFact(env: Environment, value: z.output<typeof memorySchema>, number: number): NewFact {
  checkText(value.content, `line ${number}: content`, env.settings.maxContentBytes)
  if (value.metadata !== undefined) checkMetadata(value.metadata, `line ${number}: metadata`, env.settings.maxMetadataBytes)
  if (value.memory_type !== undefined) checkString(value.memory_type, `line ${number}: memory_type`)
  if (value.user_id !== undefined) checkOwner(value.user_id)
  const time = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : parseInstant(text, `Line ${number}: invalid timestamp`)
  return {
    text: value.content,
    owner: value.user_id,
    kind: value.memory_type,
    metadata: value.metadata,
    importance: value.importance_score,
    eventAt: time(value.event_time),
    validFrom: time(value.valid_from),
    validUntil: time(value.valid_until),
    source: 'import',
  }
}

function vectorOf(env: Environment, text: string | undefined, number: number): Float32Array | undefined {
  if (text === undefined) return undefined
  const { dimensions } = env.embedder.model
  const raw = Buffer.from(text, 'base64')
  if (raw.byteLength !== dimensions * 4)
    throw new MemoryError('invalid_input', `Line ${number}: the vector has ${raw.byteLength / 4} dimensions, the model ${dimensions}.`)
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength))
}

async function commitBatch(
  env: Environment,
  batch: readonly Item[],
  actor: string,
  known: Namesakes,
): Promise<{ readonly stored: readonly Change[]; readonly known: Namesakes }> {
  if (batch.length === 0) return { stored: [], known }
  const { store, backlog, rows } = env.backend
  const done = await retryOnConflict(async () => {
    const fresh = await withoutKnownIds(store, batch)
    const namesakes = new Map([
      ...known,
      ...(await findNamesakes(
        store,
        fresh.flatMap((item) => (item.kind === 'entity' ? [item.entity] : [])),
      )),
    ])
    const puts = fresh.flatMap((item) => toPut(item, namesakes))
    let stored: readonly Change[] = []
    await store.commit(actor, (at) => {
      stored = puts.map((put, i) => put(at + i))
      return stored
    })
    return { stored, known: namesakes }
  })
  const vectors = new Map(batch.flatMap((item) => (item.kind === 'fact' && item.vector !== undefined ? [[item.id, item.vector]] : [])))
  const embedded: EmbeddedText[] = done.stored.flatMap((change) => {
    const vector = change.op === 'fact.put' ? vectors.get(change.fact.id) : undefined
    return change.op === 'fact.put' && vector !== undefined ? [{ rid: 0, id: change.fact.id, version: change.fact.version, vector }] : []
  })
  if (embedded.length > 0) {
    const rids = await rows.ridsOf(embedded.map((one) => one.id))
    await backlog.fill(
      'facts',
      embedded.map((one) => ({ ...one, rid: rids.get(one.id) ?? 0 })),
    )
  }
  return done
}

/** What is neither stored already nor said twice in the batch. */
async function withoutKnownIds(store: Store, batch: readonly Item[]): Promise<readonly Item[]> {
  const ids = batch.map((item) => item.id)
  const seen = new Set([...(await store.facts(ids)), ...(await store.entities(ids)), ...(await store.edgesById(ids))].map((one) => one.id))
  return batch.filter(({ id }) => !seen.has(id) && seen.add(id))
}

const namesOf = (entity: Entity): readonly string[] => [entity.name, ...entity.aliases].map(normalName).filter((name) => name !== '')

/** The entities among these whose name is taken, in the store or by one before them. */
async function findNamesakes(store: Store, entities: readonly Entity[]): Promise<Namesakes> {
  const holders = new Map<string, string>()
  const key = (owner: string, name: string): string => `${owner}\0${name}`
  for (const owner of new Set(entities.map((entity) => entity.owner))) {
    const names = [...new Set(entities.filter((entity) => entity.owner === owner).flatMap(namesOf))]
    for (let i = 0; i < names.length; i += PAGE) {
      const found = await store.listEntities({ owner, names: names.slice(i, i + PAGE), limit: PAGE, offset: 0 })
      for (const entity of found) for (const name of namesOf(entity)) holders.set(key(owner, name), entity.id)
    }
  }
  const namesakes = new Map<string, string>()
  for (const entity of entities) {
    const keys = namesOf(entity).map((name) => key(entity.owner, name))
    const holder = keys.map((one) => holders.get(one)).find((id) => id !== undefined)
    if (holder !== undefined) namesakes.set(entity.id, holder)
    else for (const one of keys) holders.set(one, entity.id)
  }
  return namesakes
}

/** Nothing for an entity that another stands for, nor for an edge between two that became one. */
function toPut(item: Item, namesakes: Namesakes): readonly ((at: number) => Change)[] {
  if (item.kind === 'fact') return [(at) => item.change(at)]
  if (item.kind === 'entity') return namesakes.has(item.id) ? [] : [() => ({ op: 'entity.put', entity: item.entity, imported: true })]
  const end = (id: string, kind: Edge['fromKind']): string => (kind === 'entity' ? (namesakes.get(id) ?? id) : id)
  const { from, fromKind, to, toKind } = item.edge
  const edge: Edge = { ...item.edge, from: end(from, fromKind), to: end(to, toKind) }
  return edge.from === edge.to && from !== to ? [] : [() => ({ op: 'edge.put', edge, imported: true })]
}
