import { setImmediate } from 'node:timers/promises'
import { looksLikeCode } from '../../core/code/text.js'
import type { JsonObject } from '../../core/encoding/json.js'
import { completeFact, type Fact, IMPLICIT_SESSION, type Instant, type NewFact } from '../../core/facts/fact.js'
import { expiryOf } from '../../core/facts/lifecycle.js'
import { withStatus } from '../../core/facts/validity.js'
import { checkMetadata, checkString, checkText, isBlank } from '../../core/input/input.js'
import type { Change } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'

const LONG_TEXT = 20_000

const word = (metadata: JsonObject, ...keys: readonly string[]): string | null => {
  for (const key of keys) {
    const value = metadata[key]
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 500)
    if (typeof value === 'number') return String(value)
  }
  return null
}

/** Fields that clients pass in metadata; they affect ranking and also stay in the metadata. */
export const fieldsInMetadata = (metadata: JsonObject): Pick<Fact, 'title' | 'author' | 'session' | 'date' | 'subject' | 'predicate'> => ({
  title: word(metadata, 'title'),
  author: word(metadata, 'author', 'speaker'),
  session: word(metadata, 'session'),
  date: word(metadata, 'date'),
  subject: word(metadata, 'subject'),
  predicate: word(metadata, 'predicate'),
})

/** Builds a fact from its input. `actor` is the default source; `connection` becomes the session of facts without one. */
export function toFact(
  env: Environment,
  input: NewFact,
  now: Instant,
  caller: { readonly actor: string; readonly connection: string | null },
): Fact {
  const metadata = input.metadata ?? {}
  const named = fieldsInMetadata(metadata)
  const validFrom = beginningOf(input, now)
  const stated = {
    id: env.ids.mint(),
    owner: input.owner ?? env.settings.defaultOwner,
    text: input.text,
    kind: input.kind ?? 'semantic',
    title: input.title ?? named.title,
    subject: input.subject ?? named.subject,
    predicate: input.predicate ?? named.predicate,
    value: input.value ?? null,
    author: input.author ?? named.author,
    session: input.session ?? named.session ?? implicitSession(input, named, caller.connection),
    date: input.date ?? named.date,
    scope: input.scope ?? 'local',
    garden: null,
    status: 'active' as const,
    confidence: input.confidence ?? 1,
    importance: input.importance ?? 1,
    source: input.source ?? caller.actor,
    reason: input.reason ?? null,
    eventAt: input.eventAt ?? now,
    validFrom,
    validUntil: input.validUntil ?? null,
    recordedAt: now,
    updatedAt: now,
    expiresAt: expiryOf(input, now) ?? null,
    ttlDays: input.ttlDays ?? null,
    supersededBy: null,
    derivedFrom: input.derivedFrom ?? [],
    metadata,
    autoLink: input.autoLink ?? true,
    dedupAt: null,
    version: 1,
  }
  const fact = completeFact(stated, input)
  return input.status === undefined ? fact : withStatus(fact, input.status, now)
}

/** The default start of validity: the event time, or now if that is unknown or in the future. */
export function beginningOf({ validFrom, validUntil, eventAt }: NewFact, now: Instant): Instant {
  const happened = Math.min(eventAt ?? now, now)
  if (validUntil === undefined) return validFrom ?? happened
  const begins = validFrom ?? (validUntil < now ? (eventAt ?? now) : happened)
  if (begins <= validUntil) return begins
  if (validFrom !== undefined) throw new MemoryError('invalid_input', 'Invalid valid_until: lies before valid_from')
  throw new MemoryError('invalid_input', 'Invalid valid_until: lies in the past, and valid_from is now unless it is given', {
    hint: 'Give valid_from too, or an event_time before valid_until.',
  })
}

/** Facts from one connection form a session; notes without an author, documents and code do not. */
function implicitSession(input: NewFact, named: Pick<Fact, 'title' | 'author'>, connection: string | null): string | null {
  const spoken = (input.author ?? named.author) !== null && (input.title ?? named.title) === null
  return connection !== null && spoken && !looksLikeCode(input.text) ? `${IMPLICIT_SESSION}${connection}` : null
}

const MAX_NAME_BYTES = 1000

export function checkNewFact(env: Environment, input: NewFact): void {
  checkText(input.text, 'content', env.settings.maxContentBytes)
  if (input.metadata !== undefined) checkMetadata(input.metadata, 'metadata', env.settings.maxMetadataBytes)
  if (input.owner !== undefined) checkOwner(input.owner)
  if (input.subject !== undefined) checkText(input.subject, 'subject', MAX_NAME_BYTES)
  if (input.predicate !== undefined) checkText(input.predicate, 'predicate', MAX_NAME_BYTES)
}

export function checkOwner(owner: string): void {
  checkString(owner, 'user_id')
  if (isBlank(owner)) throw new MemoryError('invalid_input', 'Invalid user_id: must not be empty')
  if (owner.length > 256) throw new MemoryError('invalid_input', 'Invalid user_id: at most 256 characters are allowed')
}

/** The writing principal and its connection, if any. */
export interface Writer {
  readonly actor: string
  readonly connection?: string
}

/** Stores facts and related changes in one commit. When it resolves, they are searchable by keyword. */
export async function remember(
  env: Environment,
  { actor, connection }: Writer,
  inputs: readonly NewFact[],
  also?: (facts: readonly Fact[], now: Instant) => readonly Change[],
): Promise<readonly Fact[]> {
  for (const input of inputs) checkNewFact(env, input)
  let facts: readonly Fact[] = []
  const owners = [...new Set(inputs.map(({ owner }) => owner ?? env.settings.defaultOwner))]
  const { masked } = await env.store.commit({ actor, owners }, (at) => {
    facts = inputs.map((input, i) => toFact(env, input, at + i, { actor, connection: connection ?? null }))
    const puts: Change[] = facts.map((fact) => ({ op: 'fact.put', fact, ...(fact.reason === null ? {} : { reason: fact.reason }) }))
    return [...puts, ...(also?.(facts, at) ?? [])]
  })
  const ids = facts.map((fact) => fact.id)
  // Storing and splitting a long text take time, so other calls run in between.
  if (facts.some((fact) => fact.text.length > LONG_TEXT)) await setImmediate()
  await env.embedding.now(ids, masked === undefined ? facts : [])
  return masked === undefined ? facts : env.store.facts(ids)
}
