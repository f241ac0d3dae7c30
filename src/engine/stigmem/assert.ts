import type { Fact, Instant } from '../../core/facts/fact.js'
import { isCurrentStatus } from '../../core/facts/validity.js'
import { parseInstant } from '../../core/input/input.js'
import { refusal } from '../../core/input/refusal.js'
import type { Change } from '../../core/journal/change.js'
import { isStatement, isSystemForm, statementOf, TTL_RELATION } from '../../core/statements/statement.js'
import { RETRACTS_KEY, retracted } from '../../core/statements/statement-effects.js'
import { factIdIn } from '../../core/statements/uri.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'
import { type Assertion, prepareStatement, unprocessable } from './new-statement.js'
import { mayRetractFor, ownerOf, type StatementCaller } from './speaker.js'

export const unknownFact = (id: string): MemoryError => refusal('fact_not_found', `There is no fact ${id.slice(0, 200)}`)

/** A fact by its id, if the caller may read it; facts of other owners do not exist. */
export async function readStatement(env: Environment, speaker: StatementCaller, id: string): Promise<Fact> {
  const [fact] = await env.store.facts([factIdIn(id) ?? id])
  if (fact === undefined || fact.owner !== ownerOf(env, speaker)) throw unknownFact(id)
  return fact
}

interface AssertResult {
  readonly fact: Fact
  /** False if its source has asserted the same before. */
  readonly isNew: boolean
}

/** Stores a statement unless its source already asserts it. Conflicts and retractions are resolved in the same commit. */
export async function assertStatement(context: Context, speaker: StatementCaller, assertion: Assertion): Promise<AssertResult> {
  const make = await prepareStatement(context, speaker, assertion)
  const ttl = assertion.relation.trim() === TTL_RELATION ? await ttlOf(context, speaker, assertion) : undefined
  const asserted = await retryOnConflict(async () => {
    let id = ''
    const target = ttl === undefined ? undefined : await readStatement(context, speaker, ttl.target)
    const { repeats } = await context.store.commit({ actor: speaker.actor, owners: [ownerOf(context, speaker)] }, (at) => {
      const fact = make(at)
      id = fact.id
      const once = assertion.timestamp === undefined && fact.confidence > 0
      const put: Change = { op: 'fact.put', fact, ...(once ? { once } : {}), ...(fact.reason === null ? {} : { reason: fact.reason }) }
      return target === undefined || ttl === undefined
        ? [put]
        : [put, { op: 'fact.put', fact: ending(target, ttl.until, at), reason: 'ttl' }]
    })
    const known = repeats?.get(id)
    const [fact] = await context.store.facts([known ?? id])
    if (fact === undefined) throw new MemoryError('internal', 'The fact was not stored.')
    if (known === undefined && fact.confidence > 0) await context.embedding.now([fact.id], [fact])
    return { fact, isNew: known === undefined }
  })
  if (asserted.isNew) context.services.cards.wake()
  return asserted
}

/** A statement about the lifetime of another fact, whose id is its entity. */
async function ttlOf(
  env: Environment,
  speaker: StatementCaller,
  { entity, value }: Assertion,
): Promise<{ readonly target: string; readonly until: Instant }> {
  if (value.type !== 'datetime' || typeof value.v !== 'string') throw unprocessable(`Invalid value: ${TTL_RELATION} takes a datetime`)
  const target = await readStatement(env, speaker, entity.trim())
  checkSpeaks(speaker, target)
  return { target: target.id, until: parseInstant(value.v, 'Invalid value: must be an RFC 3339 time') }
}

const ending = (fact: Fact, until: Instant, at: Instant): Fact => ({
  ...fact,
  validUntil: Math.max(until, fact.validFrom),
  details: { ...fact.details, validUntil: new Date(Math.floor(until / 1000)).toISOString() },
  updatedAt: at,
  version: fact.version + 1,
})

function checkSpeaks(speaker: StatementCaller, fact: Fact): void {
  if (isSystemForm(fact.form)) throw refusal('reserved_namespace', 'What the server notes itself is not changed by clients')
  if (!mayRetractFor(speaker, fact.source))
    throw refusal('access_denied', `Only ${fact.source} can take this back`, 'Use a key of that source, or one with the right admin.')
}

/** Retracts a fact: its confidence becomes zero and a record is stored. The asserted content is kept. */
export async function retractStatement(
  context: Context,
  speaker: StatementCaller,
  { id, reason }: { readonly id: string; readonly reason?: string | undefined },
): Promise<Fact> {
  const original = await readStatement(context, speaker, id)
  checkSpeaks(speaker, original)
  if (!isCurrentStatus(original.status)) return original
  const why = reason ?? 'retracted'
  await retryOnConflict(async () => {
    const fact = await readStatement(context, speaker, id)
    if (!isCurrentStatus(fact.status)) return
    const make = isStatement(fact) ? await recordOf(context, speaker, fact, why) : undefined
    await context.store.commit({ actor: speaker.actor, owners: [fact.owner] }, (now) => [
      make === undefined
        ? { op: 'fact.put', fact: retracted(fact, now), reason: why }
        : // Readers who cannot see the fact cannot see its retraction either.
          { op: 'fact.put', fact: { ...make(now, { [RETRACTS_KEY]: fact.id }), receivedFrom: fact.receivedFrom }, reason: why },
    ])
  })
  context.services.cards.wake()
  return readStatement(context, speaker, id)
}

/** The statement of zero confidence that retracts a fact, on behalf of the fact's source. */
async function recordOf(context: Context, speaker: StatementCaller, fact: Fact, reason: string) {
  const { entity, relation, value } = statementOf(fact)
  const { principal } = speaker
  const sources = [...principal.sources, fact.source]
  const assertion = {
    entity,
    relation,
    value,
    source: fact.source,
    confidence: 0,
    scope: fact.scope,
    reason,
    garden: fact.garden ?? undefined,
  }
  return prepareStatement(context, { ...speaker, principal: { ...principal, sources } }, assertion)
}
