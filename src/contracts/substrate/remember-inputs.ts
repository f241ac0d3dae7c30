import { z } from 'zod'
import type { Json, JsonObject } from '../../core/encoding/json.js'
import { isBlank, parseInstant } from '../../core/input/input.js'
import { defaultStatus } from '../../core/substrate/governance/governance.js'
import type { NewObject } from '../../core/substrate/governance/new-object.js'
import { ACTIVITY_STATUSES, KNOWLEDGE_STATUSES, WORK_ITEM_STATUSES } from '../../core/substrate/objects/objects.js'
import type { ObjectInput } from '../../engine/substrate/knowledge/write.js'
import { MemoryError } from '../../errors.js'
import { optional } from './envelope.js'
import { iso } from './shapes.js'

const ids = optional(z.array(z.string().min(1, 'Input should not be empty')))
const text = optional(z.string())
/** Blank text counts as absent. */
const name = text.transform((value) => (value === undefined || isBlank(value) ? undefined : value))
const json = optional(z.json())
const object = optional(z.record(z.string(), z.json()))

export const actorSchema = z.strictObject({ type: z.string().min(1), id: z.string().min(1), name: text, metadata: object })

export const instant = z
  .string()
  .nullish()
  .transform((value, context) => {
    if (value === null || value === undefined) return undefined
    try {
      return parseInstant(value, 'Input should be an ISO 8601 date and time')
    } catch (failure) {
      if (!(failure instanceof MemoryError)) throw failure
      context.addIssue({ code: 'custom', message: failure.message })
      return z.NEVER
    }
  })

/** Fields of every remembered object. */
const common = {
  kind: z.string().min(1),
  title: z.string(),
  summary: z.string(),
  reason: z.string(),
  memory_source: z.string(),
  scope_refs: z.array(z.string()),
  actor: optional(actorSchema),
}
type Common = z.output<z.ZodObject<typeof common>>

/** Fields of a decision or procedure in addition to a claim. */
const conventions = {
  ...{
    question: json,
    outcome: json,
    rationale: json,
    alternatives: json,
    constraints: json,
    consequences: json,
    revisit_conditions: json,
  },
  ...{ goal: json, steps: json, preconditions: json, expected_outcome: json, failure_modes: json, examples: json },
}

const payload = z.strictObject({ subject: name, predicate: name, value: json, object: json, metadata: object, ...conventions })

export const knowledgeInput = z.strictObject({
  ...common,
  status: optional(z.enum(KNOWLEDGE_STATUSES)),
  subject_refs: ids,
  evidence_refs: optional(z.array(z.strictObject({ source_id: text, segment_id: text, locator: object, hash: text }))),
  payload: optional(payload),
  confidence: optional(z.number().min(0).max(1)),
  valid_from: instant,
  valid_until: instant,
  last_verified_at: instant,
  allow_duplicate: optional(z.boolean()),
})

export const activityInput = z.strictObject({
  ...common,
  status: optional(z.enum(ACTIVITY_STATUSES)),
  started_at: instant,
  ended_at: instant,
  ...{ related_node_refs: ids, related_work_item_refs: ids, source_refs: ids, produced_object_refs: ids, artifact_refs: ids },
})

export const workItemInput = z.strictObject({
  ...common,
  status: optional(z.enum(WORK_ITEM_STATUSES)),
  lifecycle_state: optional(z.enum(['active', 'archived'])),
  priority: text,
  resolution: text,
  due_at: instant,
  opened_at: instant,
  ...{ owner_refs: ids, related_node_refs: ids, related_knowledge_refs: ids, source_refs: ids, depends_on: ids, blocked_by: ids },
  ...{ parent_ref: name, child_refs: ids },
})

const governed = (input: Common) => ({
  ...{ kind: input.kind, title: input.title, summary: input.summary, reason: input.reason },
  ...{ origin: input.memory_source, scopes: input.scope_refs },
})

/** Only members with a value. */
const withoutUndefined = (members: Readonly<Record<string, Json | undefined>>): JsonObject => {
  const kept: Record<string, Json> = {}
  for (const [name, value] of Object.entries(members)) if (value !== undefined) kept[name] = value
  return kept
}

export function toKnowledge(input: z.output<typeof knowledgeInput>): ObjectInput {
  const { subject, predicate, value, object: target, metadata, ...more } = input.payload ?? {}
  checkWindow(input)
  return {
    ...governed(input),
    type: 'knowledge',
    status: input.status ?? defaultStatus(input.memory_source),
    ...{ subject, predicate, value, object: target },
    details: withoutUndefined({ ...more, metadata }),
    references: { subject_refs: input.subject_refs },
    evidence: input.evidence_refs ?? [],
    confidence: input.confidence,
    validFrom: input.valid_from,
    validUntil: input.valid_until,
    verifiedAt: input.last_verified_at,
    allowDuplicate: input.allow_duplicate,
  }
}

function checkWindow({
  valid_from,
  valid_until,
}: {
  readonly valid_from?: number | undefined
  readonly valid_until?: number | undefined
}): void {
  if (valid_from !== undefined && valid_until !== undefined && valid_until < valid_from)
    throw new MemoryError('invalid_input', 'valid_until lies before valid_from')
}

export function toActivity(input: z.output<typeof activityInput>): ObjectInput {
  const { related_node_refs, related_work_item_refs, source_refs, produced_object_refs, artifact_refs } = input
  return {
    ...governed(input),
    type: 'activity',
    status: input.status === 'archived' ? 'archived' : 'active',
    stage: input.status === undefined || input.status === 'archived' ? 'finalized' : input.status,
    details: withoutUndefined({ ended_at: input.ended_at === undefined ? undefined : iso(input.ended_at) }),
    references: { related_node_refs, related_work_item_refs, source_refs, produced_object_refs, artifact_refs },
    evidence: [],
    eventAt: input.started_at,
  }
}

export function toWorkItem(input: z.output<typeof workItemInput>): ObjectInput {
  const { owner_refs, related_node_refs, related_knowledge_refs, source_refs, depends_on, blocked_by, child_refs, parent_ref } = input
  const references: NewObject['references'] = {
    ...{ owner_refs, related_node_refs, related_knowledge_refs, source_refs, depends_on, blocked_by, child_refs },
    parent_ref: parent_ref === undefined ? undefined : [parent_ref],
  }
  return {
    ...governed(input),
    type: 'work_item',
    status: input.lifecycle_state ?? 'active',
    stage: input.status ?? 'open',
    details: withoutUndefined({
      priority: input.priority ?? 'medium',
      resolution: input.resolution,
      due_at: input.due_at === undefined ? undefined : iso(input.due_at),
    }),
    references,
    evidence: [],
    eventAt: input.opened_at,
  }
}
