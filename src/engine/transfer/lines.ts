import { z } from 'zod'
import type { ControlRecord } from '../../core/access/control-record.js'
import type { Fact } from '../../core/facts/fact.js'
import type { Source } from '../../core/facts/source.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { MEMORY_TYPES } from '../../core/input/input.js'
import { REFERENCE_KINDS } from '../../core/journal/change.js'
import { knownHint } from '../../errors/known-names.js'
import { factSchema, id, object, scope, status } from '../facts/fact-schema.js'
import { EXPORTED_KINDS } from './control-records.js'

export const EXPORT_VERSION = 1
/** More than any line needs; deeper nesting could exhaust the stack during validation. */
export const MAX_LINE_DEPTH = 64

const instant = z.number()
const node = z.enum(['fact', 'entity', 'source', 'passage'])

export const entitySchema: z.ZodType<Entity> = z.strictObject({
  id,
  owner: z.string(),
  name: z.string(),
  type: z.string(),
  description: z.string().nullable(),
  aliases: z.array(z.string()),
  uri: z.string().nullable(),
  status,
  source: z.string(),
  metadata: object,
  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant.nullable(),
  ttlDays: z.number().nullable(),
  version: z.int().min(1),
})
export const edgeSchema: z.ZodType<Edge> = z.strictObject({
  id,
  owner: z.string(),
  from: z.string(),
  fromKind: node,
  to: z.string(),
  toKind: node,
  type: z.string(),
  weight: z.number(),
  confidence: z.number(),
  trust: z.number().nullable(),
  scope,
  properties: object,
  factId: z.string().nullable(),
  createdAt: instant,
  validUntil: instant.nullable(),
  version: z.int().min(1),
})
export const sourceSchema: z.ZodType<Source> = z.strictObject({
  id,
  owner: z.string(),
  kind: z.string(),
  title: z.string(),
  origin: z.string(),
  fingerprint: z.string(),
  status,
  metadata: object,
  createdAt: instant,
  updatedAt: instant,
  version: z.int().min(1),
})

const arrangementSchema: z.ZodType<ControlRecord> = z.strictObject({
  kind: z.enum(EXPORTED_KINDS),
  id,
  owner: z.string(),
  name: z.string().nullable(),
  data: object,
  createdAt: instant,
  updatedAt: instant,
  version: z.int().min(1),
})

const line = z.int().min(0)
/** A file of a source with its passages; a source that is not a folder has one file. */
const fileSchema = z.strictObject({
  source: id,
  path: z.string(),
  size: z.number(),
  modifiedAt: instant,
  hash: z.string(),
  skipped: z.string().optional(),
  passages: z.array(
    z.strictObject({
      id,
      text: z.string(),
      kind: z.string(),
      language: z.string().nullable(),
      name: z.string().nullable(),
      scopePath: z.string().nullable(),
      startLine: line,
      endLine: line,
      hash: z.string(),
      embedText: z.string(),
      locator: object.optional(),
    }),
  ),
  references: z.array(z.strictObject({ ordinal: line, kind: z.enum(REFERENCE_KINDS), name: z.string(), module: z.string().nullable() })),
})
export type FileLine = z.output<typeof fileSchema>

/** A plain memory, as other tools export it and as the memory contract returns it. */
const memorySchema = z.strictObject({
  content: z.string(),
  id: z
    .union([id, z.object({ tb: z.string(), id: z.object({ String: id }) }).transform((thing) => thing.id.String)], {
      error: 'expected an id',
    })
    .nullish(),
  user_id: z.string().nullish(),
  memory_type: z.enum(MEMORY_TYPES).nullish(),
  metadata: object.nullish(),
  event_time: z.string().nullish(),
  ingestion_time: z.string().nullish(),
  valid_from: z.string().nullish(),
  valid_until: z.string().nullish(),
  importance_score: z.number().min(0).max(10).nullish(),
  invalidation_reason: z.string().nullish(),
  superseded_by: z.string().nullish(),
  subject: z.string().nullish(),
  predicate: z.string().nullish(),
  version: z.int().min(1).nullish(),
  vector: z.string().nullish(),
})
export type PlainMemory = z.output<typeof memorySchema>

const headSchema = z.strictObject({
  mneme: z.literal(EXPORT_VERSION),
  model: z.strictObject({ id: z.string(), dimensions: z.int() }).nullable().optional(),
  exportedAt: z.string().optional(),
})

export type Line =
  | { readonly mneme: z.output<typeof headSchema> }
  | { readonly fact: Fact; readonly vector?: string | undefined }
  | { readonly entity: Entity }
  | { readonly edge: Edge }
  | { readonly source: Source }
  | { readonly arrangement: ControlRecord }
  | { readonly file: FileLine }
  | { readonly memory: PlainMemory }
  | { readonly entry: unknown }

/** Each kind of line has its own key, so that errors can name the kind. */
const KINDS: readonly (readonly [string, z.ZodType<Line>])[] = [
  ['mneme', headSchema.transform((mneme) => ({ mneme }))],
  ['fact', z.strictObject({ fact: factSchema, vector: z.string().optional() })],
  ['entity', z.strictObject({ entity: entitySchema })],
  ['edge', z.strictObject({ edge: edgeSchema })],
  ['source', z.strictObject({ source: sourceSchema })],
  ['arrangement', z.strictObject({ arrangement: arrangementSchema })],
  ['file', z.strictObject({ file: fileSchema })],
  ['entry', z.strictObject({ entry: z.looseObject({ seq: z.int() }) })],
  ['content', memorySchema.transform((memory) => ({ memory }))],
]

/** The kind and content of a line, or its problem. */
export function readLine(value: unknown): { readonly line: Line } | { readonly problem: string; readonly hint?: string } {
  const known = typeof value === 'object' && value !== null ? KINDS.find(([key]) => Object.hasOwn(value, key)) : undefined
  if (known === undefined) return { problem: 'is neither a line of `mneme export` nor a memory with "content".' }
  const parsed = known[1].safeParse(value)
  if (parsed.success) return { line: parsed.data }
  const [issue] = parsed.error.issues
  if (known[0] === 'mneme' && issue?.path[0] === 'mneme')
    return {
      problem: 'is of another edition of mneme, whose exports are not known here.',
      hint: 'Import it with that edition, or a newer one.',
    }
  const hint =
    known[0] === 'content' && issue?.code === 'unrecognized_keys' ? { hint: knownHint(issue.keys, Object.keys(memorySchema.shape)) } : {}
  return {
    problem: `cannot be read: ${[issue?.path.join('.') ?? '', issue?.message ?? ''].filter((part) => part !== '').join(': ')}`,
    ...hint,
  }
}
