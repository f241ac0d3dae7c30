import { randomUUID } from 'node:crypto'
import { gardenOf } from '../../core/access/garden.js'
import type { JsonObject } from '../../core/encoding/json.js'
import { completeFact, type Fact, type Instant, type Scope } from '../../core/facts/fact.js'
import { withStatus } from '../../core/facts/validity.js'
import { checkNote, checkString, parseInstant } from '../../core/input/input.js'
import { refusal } from '../../core/input/refusal.js'
import { HASH, SYSTEM_NAMESPACE, TTL_RELATION, type TypedValue, toStatementText } from '../../core/statements/statement.js'
import { checkedValue } from '../../core/statements/typed-value.js'
import { isFormal, normalUri } from '../../core/statements/uri.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'
import { attestedFor, ownerOf, type StatementCaller, trustIn } from './speaker.js'

/** Input of an assertion. */
export interface Assertion {
  readonly entity: string
  readonly relation: string
  readonly value: TypedValue
  readonly source?: string | undefined
  readonly confidence?: number | undefined
  readonly scope?: Scope | undefined
  /** As sent, because it is displayed unchanged. */
  readonly validUntil?: string | undefined
  readonly derivedFrom?: readonly string[] | undefined
  readonly attestationChain?: readonly string[] | undefined
  readonly attestationIssuers?: readonly string[] | undefined
  /** Slug or URI of a garden. */
  readonly garden?: string | undefined
  readonly timestamp?: string | undefined
  readonly reason?: string | undefined
}

export const unprocessable = (message: string, hint?: string): MemoryError =>
  new MemoryError('unprocessable', message, { reason: 'invalid_input', ...(hint === undefined ? {} : { hint }) })

const MAX_RELATION_BYTES = 512
const MAX_SOURCES = 1000
const MAX_LINKS = 16
/** Allowed lead of another clock. */
const MAX_AHEAD: Instant = 5 * 60e6
const SYSTEM_PREFIX = 'system:'
/** Minimum trust of a source in strict mode. */
const MIN_TRUST = 0.2

/** Logs that have reported an informal name, which is deprecated, so that it is reported once. */
const warnedLogs = new WeakSet<Environment['log']>()

function noteInformal({ log }: Environment, entity: string): void {
  if (isFormal(entity) || warnedLogs.has(log)) return
  warnedLogs.add(log)
  log.warn('informal entity URIs are deprecated: prefer stigmem://authority/type/id', { entity })
}

export function checkRelation(wanted: string): string {
  const relation = wanted.trim()
  if (relation === '') throw unprocessable('Invalid relation: must not be empty')
  if (/\p{Cc}/u.test(relation)) throw unprocessable('Invalid relation: must not contain control characters')
  if (Buffer.byteLength(relation) > MAX_RELATION_BYTES)
    throw unprocessable(`Invalid relation: at most ${MAX_RELATION_BYTES} bytes are allowed`)
  return relation
}

export function checkReserved(relation: string, source: string): void {
  const isOwn = (relation.startsWith(SYSTEM_NAMESPACE) && relation !== TTL_RELATION) || relation.startsWith('garden:')
  if (isOwn)
    throw refusal('reserved_namespace', `Relations like ${relation} are written by the server alone`, 'Use a namespace of your own.')
  if (source.startsWith(SYSTEM_PREFIX))
    throw refusal('reserved_namespace', `No client speaks as ${source}`, 'Name the agent or person who says it.')
}

function checkDerivation(hashes: readonly string[]): readonly string[] {
  const wrong = hashes.find((hash) => !HASH.test(hash))
  if (wrong !== undefined)
    throw refusal(
      'provenance_hash_invalid',
      `Invalid derived_from: "${wrong.slice(0, 80)}" is not the hash of a fact`,
      'Give the field `hash` of the facts it was derived from: 64 hexadecimal digits in lower case.',
    )
  if (hashes.length > MAX_SOURCES) throw unprocessable(`Invalid derived_from: at most ${MAX_SOURCES} hashes are allowed`)
  return hashes
}

function instantOf(text: string, field: string): Instant {
  try {
    return parseInstant(text, `Invalid ${field}: must be an RFC 3339 time, such as 2026-05-01T12:00:00Z`)
  } catch (error) {
    throw error instanceof MemoryError ? unprocessable(error.message) : error
  }
}

/** The garden with a name, if it exists and allows the scope. */
export async function gardenNamed(
  env: Environment,
  owner: string,
  wanted: string | undefined,
): Promise<ReturnType<typeof gardenOf> | null> {
  if (wanted === undefined) return null
  const slug = wanted.slice(wanted.lastIndexOf('/') + 1)
  const [found] = await env.store.arrangements({ kind: 'garden', owner, name: slug })
  if (found === undefined || gardenOf(found).isDeleted)
    throw new MemoryError('not_found', `There is no garden ${slug}`, {
      reason: 'garden_not_found',
      hint: 'GET /v1/gardens lists those you may see.',
    })
  return gardenOf(found)
}

/** Checks everything that can be checked before the commit and returns a function that builds the fact. */
export async function prepareStatement(
  context: Context,
  speaker: StatementCaller,
  assertion: Assertion,
): Promise<(now: Instant, metadata?: JsonObject) => Fact> {
  const { principal, actor } = speaker
  const owner = ownerOf(context, speaker)
  const entity = normalUri(assertion.entity)
  const relation = checkRelation(assertion.relation)
  const value = checkedValue(assertion.value, context.settings.maxContentBytes)
  const source = normalUri(assertion.source ?? principal.entity ?? `agent:${actor}`, 'source')
  checkReserved(relation, source)
  const derivedFrom = checkDerivation(assertion.derivedFrom ?? [])
  const chain = assertion.attestationChain ?? []
  if (chain.length > MAX_LINKS) throw unprocessable(`Invalid attestation_chain: at most ${MAX_LINKS} links are allowed`)
  for (const link of [...chain, ...(assertion.attestationIssuers ?? [])]) checkString(link, 'attestation_chain')
  if (assertion.reason !== undefined) checkNote(assertion.reason, 'reason', context.settings.maxContentBytes)
  const attested = attestedFor(context, speaker, source)
  const garden = await gardenNamed(context, owner, assertion.garden)
  const scope = assertion.scope ?? (garden === null ? 'local' : scopeOf(garden.scope))
  if (garden !== null && garden.scope !== scope)
    throw unprocessable(`Invalid scope: facts of the garden ${garden.slug} have the scope ${garden.scope}`)
  const validUntil = assertion.validUntil === undefined ? null : instantOf(assertion.validUntil, 'valid_until')
  const stamped = assertion.timestamp === undefined ? undefined : instantOf(assertion.timestamp, 'timestamp')
  if (stamped !== undefined && stamped > context.clock.now() + MAX_AHEAD)
    throw unprocessable('Invalid timestamp: lies more than 5 minutes ahead', 'Set the clock, or leave timestamp out.')
  const trust = await trustIn(context, speaker, { owner, source, scope })
  if (context.settings.statements.trust === 'strict' && trust !== null && trust < MIN_TRUST)
    throw refusal(
      'trust_below_threshold',
      `${source} is not trusted enough to be heard`,
      'Use a key for that source, or ask the administrator of this node.',
    )
  const confidence = assertion.confidence ?? 1
  if (!(confidence >= 0 && confidence <= 1)) throw unprocessable('Invalid confidence: must be from 0 to 1')
  const warnings = isFormal(entity) ? [] : ['informal_entity_uri']
  noteInformal(context, entity)
  const id = randomUUID()
  return (now, metadata = {}) => {
    const eventAt = Math.floor((stamped ?? now) / 1000) * 1000
    const stated = {
      ...{
        id,
        owner,
        text: toStatementText({ entity, relation, value }),
        kind: 'semantic',
        title: null,
        subject: entity,
        predicate: relation,
      },
      ...{ value: value.v, author: null, session: null, date: null, scope, garden: garden?.slug ?? null, status: 'active' as const },
      ...{ confidence, importance: 1, source, reason: assertion.reason ?? null, eventAt, recordedAt: now, updatedAt: now, expiresAt: null },
      // An expired fact was valid until its end; one that starts slightly in the future is valid from now on.
      ...{ validFrom: stamped === undefined && validUntil === null ? now : Math.min(stamped ?? now, now, validUntil ?? now), validUntil },
      ...{ ttlDays: null, supersededBy: null, derivedFrom, metadata, autoLink: garden === null, dedupAt: null, version: 1 },
    }
    const attestation = {
      attested,
      ...(chain.length === 0 ? {} : { chain: [...chain], issuers: [...(assertion.attestationIssuers ?? [])] }),
    }
    const fact = completeFact(stated, {
      ...{ valueType: value.type, assertedConfidence: confidence, attestation, trust },
      ...(garden?.quarantine === true ? { quarantine: 'pending' } : {}),
      details: { ...(assertion.validUntil === undefined ? {} : { validUntil: assertion.validUntil }), warnings },
    })
    return confidence === 0 ? withStatus(fact, 'retracted', now) : fact
  }
}

const scopeOf = (text: string): Scope => (['local', 'team', 'company', 'public'] as const).find((scope) => scope === text) ?? 'local'
