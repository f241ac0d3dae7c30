import type { z } from 'zod'
import type { JsonObject } from '../../../core/encoding/json.js'
import type { Instant } from '../../../core/facts/fact.js'
import type { JournalEntry } from '../../../core/journal/change.js'
import type { ObjectType } from '../../../core/substrate/objects/objects.js'
import type { Environment } from '../../environment.js'
import { factSchema } from '../../facts/fact-schema.js'
import { entitySchema, sourceSchema } from '../../transfer/lines.js'
import { type MemoryObject, ofEntity, ofFact, ofSource } from '../objects/objects.js'
import { eventId } from '../patches/patches.js'

type EventType = 'create_object' | 'update_object' | 'change_status' | 'archive_object' | 'delete_object'

/** The state of a target before or after a change: an object if possible, otherwise the stored JSON. */
export type AuditState = { readonly object: MemoryObject } | { readonly raw: JsonObject } | null

interface AuditEvent {
  readonly id: string
  readonly type: EventType
  readonly actor: { readonly type: string; readonly id: string }
  readonly targetType: ObjectType | 'relation' | 'memory' | 'settings'
  readonly target: string
  readonly before: AuditState
  readonly after: AuditState
  readonly reason: string | null
  readonly at: Instant
}

/** The newest changes of an owner, oldest first. */
export async function auditTrail(env: Environment, owner: string, limit: number): Promise<readonly AuditEvent[]> {
  const entries = await env.store.journal({ owner, newestFirst: true, limit })
  return [...entries].reverse().map(toEvent)
}

function toEvent(entry: JournalEntry): AuditEvent {
  const before = stateOf(entry, entry.before)
  const after = stateOf(entry, entry.after)
  const known = after ?? before
  return {
    id: eventId(entry),
    type: eventTypeOf(entry),
    actor: actorOf(entry.actor),
    targetType: known !== null && 'object' in known ? known.object.type : targetTypeOf(entry),
    target: entry.target,
    before,
    after,
    reason: entry.reason,
    at: entry.at,
  }
}

/** The journal omits fields without a value. */
function stateOf({ targetKind }: JournalEntry, state: JsonObject | null): AuditState {
  if (state === null) return null
  const read = <T>(schema: z.ZodType<T>, make: (noun: T) => MemoryObject): AuditState => {
    const parsed = schema.safeParse(nulled(state))
    return parsed.success ? { object: make(parsed.data) } : { raw: state }
  }
  if (targetKind === 'fact') return read(factSchema, ofFact)
  if (targetKind === 'entity') return read(entitySchema, ofEntity)
  if (targetKind !== 'source') return { raw: state }
  const { files: _, ...source } = state
  const parsed = sourceSchema.safeParse(source)
  return parsed.success ? { object: ofSource(parsed.data) } : { raw: state }
}

/** Nullable fields that are omitted. */
const ABSENT_FIELDS = Object.fromEntries(
  [
    ...['title', 'subject', 'predicate', 'value', 'author', 'session', 'date', 'garden', 'reason', 'validUntil', 'expiresAt', 'ttlDays'],
    ...['supersededBy', 'dedupAt'],
  ].map((name) => [name, null]),
)
const ABSENT_OF_ENTITIES = { description: null, uri: null, expiresAt: null, ttlDays: null }

const nulled = (state: JsonObject): JsonObject => ('text' in state ? { ...ABSENT_FIELDS, ...state } : { ...ABSENT_OF_ENTITIES, ...state })

const targetTypeOf = ({ targetKind }: JournalEntry): AuditEvent['targetType'] => {
  if (targetKind === 'fact') return 'knowledge'
  if (targetKind === 'entity') return 'node'
  if (targetKind === 'source' || targetKind === 'settings') return targetKind
  return targetKind === 'edge' ? 'relation' : 'memory'
}

/** Fields that follow from a change of status or change with every write. */
const STATUS_FIELDS = new Set(['status', 'stage', 'validUntil', 'updatedAt', 'version', 'supersededBy', 'verifiedAt'])

function eventTypeOf({ op, before, after }: JournalEntry): EventType {
  if (op.endsWith('.delete') || op === 'reset') return 'delete_object'
  if (before === null || after === null) return 'create_object'
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (!changed.includes('status') && !changed.includes('stage')) return 'update_object'
  if (after.status === 'archived') return 'archive_object'
  return changed.every((name) => STATUS_FIELDS.has(name)) ? 'change_status' : 'update_object'
}

/** `mcp:client` and the like; an actor without a kind is a person or program of that name. */
function actorOf(actor: string): AuditEvent['actor'] {
  const at = actor.indexOf(':')
  return at < 0 ? { type: 'system', id: actor } : { type: actor.slice(0, at), id: actor.slice(at + 1) }
}
