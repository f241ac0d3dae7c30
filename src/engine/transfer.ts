import { z } from 'zod'
import type { Change } from '../core/change.js'
import type { Edge } from '../core/edge.js'
import type { Entity } from '../core/entity.js'
import { FACT_STATUSES, type Fact } from '../core/fact.js'
import { checkMetadata, checkText, parseInstant } from '../core/input.js'
import type { Json, JsonObject } from '../core/json.js'
import { MemoryError } from '../errors.js'
import type { EmbeddedText } from '../ports/backlog.js'
import type { Environment } from './environment.js'
import { checkOwner, type NewFact, toFact } from './remember.js'

export const EXPORT_VERSION = 1
const PAGE = 500

const json: z.ZodType<Json> = z.json()
const object: z.ZodType<JsonObject> = z.record(z.string(), json)
const instant = z.number()
const status = z.enum(FACT_STATUSES)
const scope = z.enum(['local', 'team', 'company', 'public'])
const node = z.enum(['fact', 'entity', 'source', 'passage'])
const id = z.string().min(1).max(200)

export const factSchema: z.ZodType<Fact> = z.strictObject({
  id, owner: z.string(), text: z.string(), kind: z.string(), title: z.string().nullable(), subject: z.string().nullable(), predicate: z.string().nullable(), value: json,
  author: z.string().nullable(), session: z.string().nullable(), date: z.string().nullable(), scope, garden: z.string().nullable(), status, confidence: z.number(),
  importance: z.number(), source: z.string(), reason: z.string().nullable(), eventAt: instant, validFrom: instant, validUntil: instant.nullable(), recordedAt: instant,
  updatedAt: instant, expiresAt: instant.nullable(), ttlDays: z.number().nullable(), supersededBy: z.string().nullable(), derivedFrom: z.array(z.string()), metadata: object,
  autoLink: z.boolean(), dedupAt: instant.nullable(), version: z.int().min(1),
})
export const entitySchema: z.ZodType<Entity> = z.strictObject({
  id, owner: z.string(), name: z.string(), type: z.string(), description: z.string().nullable(), aliases: z.array(z.string()), uri: z.string().nullable(), status, source: z.string(),
  metadata: object, createdAt: instant, updatedAt: instant, expiresAt: instant.nullable(), ttlDays: z.number().nullable(), version: z.int().min(1),
})
export const edgeSchema: z.ZodType<Edge> = z.strictObject({
  id, owner: z.string(), from: z.string(), fromKind: node, to: z.string(), toKind: node, type: z.string(), weight: z.number(), confidence: z.number(), trust: z.number().nullable(),
  scope, properties: object, factId: z.string().nullable(), createdAt: instant, validUntil: instant.nullable(), version: z.int().min(1),
})
/** A plain memory, as other tools write them. */
const memorySchema = z.strictObject({
  content: z.string(), user_id: z.string().optional(), memory_type: z.string().optional(), metadata: object.optional(), event_time: z.string().optional(), valid_from: z.string().optional(),
  valid_until: z.string().optional(), importance_score: z.number().min(0).max(10).optional(), vector: z.string().optional(),
})
const lineSchema = z.union([
  z.strictObject({ mneme: z.literal(EXPORT_VERSION), model: z.strictObject({ id: z.string(), dimensions: z.int() }).nullable().optional(), exportedAt: z.string().optional() }),
  z.strictObject({ fact: factSchema, vector: z.string().optional() }),
  z.strictObject({ entity: entitySchema }),
  z.strictObject({ edge: edgeSchema }),
  memorySchema,
])

/** The whole memory of one owner, or of all, one JSON value per line: facts in the order they were recorded. */
export async function* exportLines(env: Environment, owner: string | undefined): AsyncGenerator<string> {
  yield JSON.stringify({ mneme: EXPORT_VERSION })
  const by = owner === undefined ? {} : { owner }
  for (let offset = 0; ; offset += PAGE) {
    const facts = await env.backend.store.listFacts({ ...by, oldestFirst: true, limit: PAGE, offset })
    for (const fact of facts) yield JSON.stringify({ fact })
    if (facts.length < PAGE) break
  }
  for (let offset = 0; ; offset += PAGE) {
    const entities = await env.backend.store.listEntities({ ...by, limit: PAGE, offset })
    for (const entity of entities) yield JSON.stringify({ entity })
    if (entities.length < PAGE) break
  }
  const edges = await env.backend.store.edges({ ...by, limit: Number.MAX_SAFE_INTEGER })
  for (const edge of edges) if (edge.properties['auto_linked'] !== true) yield JSON.stringify({ edge })
}

export interface ImportReport {
  readonly facts: number
  readonly entities: number
  readonly edges: number
  /** Ids that were there already and stay as they are. */
  readonly skipped: number
}

export interface ImportOptions {
  readonly actor: string
  readonly signal: AbortSignal
  progress(lines: number): void
}

interface Batch {
  readonly changes: ((at: number) => Change)[]
  readonly ids: string[]
  readonly vectors: Map<string, Float32Array>
}

/** Reads what `exportLines` wrote, or plain memories. A line that cannot be read stops it, naming the line; earlier batches stay. */
export async function importLines(env: Environment, lines: AsyncIterable<string>, options: ImportOptions): Promise<ImportReport> {
  const report = { facts: 0, entities: 0, edges: 0, skipped: 0 }
  let batch: Batch = { changes: [], ids: [], vectors: new Map() }
  let number = 0
  const flush = async (): Promise<void> => {
    await commitBatch(env, batch, options.actor, report)
    batch = { changes: [], ids: [], vectors: new Map() }
    options.progress(number)
  }
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    options.signal.throwIfAborted()
    await take(env, line, number, batch)
    if (batch.changes.length >= PAGE) await flush()
  }
  await flush()
  env.vectoriser.drain()
  return report
}

async function take(env: Environment, line: string, number: number, batch: Batch): Promise<void> {
  const parsed = lineSchema.safeParse(parseLine(line, number))
  if (!parsed.success) {
    throw new MemoryError('invalid_input', `Line ${number} is neither a line of \`mneme export\` nor a memory with "content": ${z.prettifyError(parsed.error).split('\n', 1)[0]}`, {
      hint: 'Nothing of this batch was stored; lines before it may have been. Importing again skips what is there.',
    })
  }
  const value = parsed.data
  if ('mneme' in value) {
    if (value.model) await env.vectoriser.prepare()
    return
  }
  const add = (id: string, change: (at: number) => Change, vector: string | undefined): void => {
    batch.ids.push(id)
    batch.changes.push(change)
    if (vector !== undefined) batch.vectors.set(id, toVector(vector, env.embedder.model.dimensions, number))
  }
  if ('fact' in value) {
    checkText(value.fact.text, `line ${number}: text`, env.settings.maxContentBytes)
    checkOwner(value.fact.owner)
    add(value.fact.id, () => ({ op: 'fact.put', fact: value.fact, imported: true }), value.vector)
  } else if ('entity' in value) add(value.entity.id, () => ({ op: 'entity.put', entity: value.entity, imported: true }), undefined)
  else if ('edge' in value) add(value.edge.id, () => ({ op: 'edge.put', edge: value.edge, imported: true }), undefined)
  else {
    const input = toNewFact(env, value, number)
    const fact = toFact(env, input, 0, null)
    add(fact.id, (at) => ({ op: 'fact.put', fact: { ...toFact(env, input, at, null), id: fact.id } }), value.vector)
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new MemoryError('invalid_input', `Line ${number} is not JSON.`, { hint: 'Each line must hold one JSON object.' })
  }
}

function toNewFact(env: Environment, value: z.output<typeof memorySchema>, number: number): NewFact {
  checkText(value.content, `line ${number}: content`, env.settings.maxContentBytes)
  if (value.metadata !== undefined) checkMetadata(value.metadata, `line ${number}: metadata`, env.settings.maxMetadataBytes)
  if (value.user_id !== undefined) checkOwner(value.user_id)
  const time = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseInstant(text, `Line ${number}: invalid timestamp`))
  return {
    text: value.content, owner: value.user_id, kind: value.memory_type, metadata: value.metadata, importance: value.importance_score,
    eventAt: time(value.event_time), validFrom: time(value.valid_from), validUntil: time(value.valid_until), source: 'import',
  }
}

function toVector(text: string, dimensions: number, number: number): Float32Array {
  const raw = Buffer.from(text, 'base64')
  if (raw.byteLength !== dimensions * 4) throw new MemoryError('invalid_input', `Line ${number}: the vector has ${raw.byteLength / 4} dimensions, the model ${dimensions}.`)
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength))
}

async function commitBatch(env: Environment, batch: Batch, actor: string, report: { facts: number; entities: number; edges: number; skipped: number }): Promise<void> {
  if (batch.changes.length === 0) return
  const { store, backlog, rows } = env.backend
  const there = new Set([...(await store.facts(batch.ids)), ...(await store.entities(batch.ids))].map((one) => one.id))
  const edges = new Set((await store.edgesById(batch.ids)).map((edge) => edge.id))
  const wanted = batch.changes.filter((_, i) => !there.has(batch.ids[i] ?? '') && !edges.has(batch.ids[i] ?? ''))
  report.skipped += batch.changes.length - wanted.length
  const stored: EmbeddedText[] = []
  await store.commit(actor, (at) =>
    wanted.map((make, i) => {
      const change = make(at + i)
      if (change.op === 'fact.put') {
        report.facts++
        const vector = batch.vectors.get(change.fact.id)
        if (vector !== undefined) stored.push({ rid: 0, id: change.fact.id, version: change.fact.version, vector })
      } else if (change.op === 'entity.put') report.entities++
      else report.edges++
      return change
    }),
  )
  if (stored.length === 0) return
  const rids = await rows.ridsOf(stored.map((one) => one.id))
  await backlog.fill('facts', stored.map((one) => ({ ...one, rid: rids.get(one.id) ?? 0 })), env.embedder.model)
}
