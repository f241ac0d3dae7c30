import { z } from 'zod'
import { type Fact, type Instant, SCOPES } from '../../core/facts/fact.js'
import type { Peer } from '../../core/federation/peer.js'
import { isSigned } from '../../core/federation/signature.js'
import { fromWire, hasContentId, isAhead, signedText, type WireFact } from '../../core/federation/wire-fact.js'
import { parseInstant } from '../../core/input/input.js'
import type { Change } from '../../core/journal/change.js'
import { HASH, VALUE_TYPES } from '../../core/statements/statement.js'
import { readRetractionTarget, retracted, retractsFact } from '../../core/statements/statement-effects.js'
import { checkedValue } from '../../core/statements/typed-value.js'
import { normalUri } from '../../core/statements/uri.js'
import { fromHlc } from '../../core/time/hlc.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import type { Page, PageCursor } from '../../ports/store.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'
import { checkRelation, checkReserved } from '../stigmem/new-statement.js'

/** How far ahead of this clock another may be. */
const MAX_AHEAD: Instant = 5 * 60e6
const MAX_NAME_CHARS = 2048
/** Of one commit: others wait for it. */
const TAKEN_BACK_TOGETHER = 500

const wireFact = z.strictObject({
  id: z.uuid(),
  entity: z.string().max(MAX_NAME_CHARS),
  relation: z.string().max(MAX_NAME_CHARS),
  value: z.strictObject({ type: z.enum(VALUE_TYPES), v: z.union([z.string(), z.number(), z.boolean(), z.null()]) }),
  source: z.string().max(MAX_NAME_CHARS),
  timestamp: z.string(),
  hlc: z.string(),
  confidence: z.number().min(0).max(1),
  scope: z.string(),
  valid_until: z.string().nullable(),
  derived_from: z.array(z.string().regex(HASH)).max(1000).nullable(),
  attestation_chain: z.array(z.string().max(MAX_NAME_CHARS)).max(16).nullable(),
  hash: z.string().regex(HASH),
  retracts: z.string().max(MAX_NAME_CHARS).optional(),
})
const signedFact = z.strictObject({ fact: wireFact, origin: z.string().min(1).max(200), signature: z.string().max(200) })

export interface RefusedFact {
  readonly id: string | null
  readonly code: string
  readonly message: string
}

export interface ReceiveResult {
  readonly accepted: number
  readonly rejected: number
  readonly errors: readonly RefusedFact[]
  /** Those that were not there before. */
  readonly added: readonly string[]
}

const refuse = (reason: string, message: string): MemoryError => new MemoryError('unprocessable', message, { reason })

const idIn = (item: unknown): string | null => {
  const id = z.object({ fact: z.object({ id: z.string() }) }).safeParse(item)
  return id.success ? id.data.fact.id.slice(0, 100) : null
}

/** Everything that can be told of one fact before it is stored: what it says, who signed it, and when. */
function check(env: Environment, peer: Peer, item: unknown): (at: Instant) => Fact {
  const read = signedFact.safeParse(item)
  if (!read.success) throw refuse('invalid_input', z.prettifyError(read.error).slice(0, 500))
  const { fact, origin, signature } = read.data
  if (!isSigned(signedText(fact, origin), signature, peer.publicKey)) throw refuse('bad_signature', 'It was not signed by the peer.')
  const scope = peer.scopes.find((one) => one === fact.scope)
  if (scope === undefined) throw refuse('scope_not_allowed', `Facts of the scope ${fact.scope.slice(0, 50)} are not taken from this peer.`)
  const now = env.clock.now()
  if (fromHlc(fact.hlc) === undefined) throw refuse('invalid_input', 'Invalid hlc: 13 digits, a point and 3 digits are wanted.')
  const eventAt = parseInstant(fact.timestamp, 'Invalid timestamp: must be an RFC 3339 time')
  if (isAhead(fact.hlc, now, MAX_AHEAD) || eventAt > now + MAX_AHEAD) throw refuse('clock_skew', 'It is dated more than 5 minutes ahead.')
  checkContent(env, fact)
  const validUntil = fact.valid_until === null ? null : parseInstant(fact.valid_until, 'Invalid valid_until: must be an RFC 3339 time')
  const arrival = {
    owner: peer.owner,
    peer: peer.nodeId,
    origin,
    trust: peer.trust,
    eventAt,
    validUntil,
    scope: SCOPES.find((one) => one === scope) ?? 'public',
  }
  return (at) => fromWire(fact, { ...arrival, at })
}

function checkContent({ settings }: Environment, fact: WireFact): void {
  if (normalUri(fact.entity) !== fact.entity || normalUri(fact.source, 'source') !== fact.source)
    throw refuse('invalid_entity_uri', 'Its entity or source is not in normal form.')
  if (checkRelation(fact.relation) !== fact.relation) throw refuse('invalid_input', 'Its relation is not in normal form.')
  checkReserved(fact.relation, fact.source)
  if (fact.relation.startsWith('stigmem:')) throw refuse('reserved_namespace', 'Facts about facts do not travel.')
  const value = checkedValue(fact.value, settings.maxContentBytes)
  if (value.v !== fact.value.v) throw refuse('invalid_input', 'Its value is not in normal form.')
  if (!hasContentId(fact)) throw refuse('hash_mismatch', 'Its hash is not that of what it says.')
}

/**
 * Stores what a peer sent, fact by fact: one that is refused keeps none of the others out. What was here before is left as
 * it is. `beside` is committed together with the facts.
 */
export async function receiveFacts(
  env: Environment,
  peer: Peer,
  items: readonly unknown[],
  beside?: (at: Instant) => readonly Change[],
): Promise<ReceiveResult> {
  const errors: RefusedFact[] = []
  const good = new Map<string, (at: Instant) => Fact>()
  for (const item of items) {
    try {
      const make = check(env, peer, item)
      good.set(make(0).id, make)
    } catch (failure) {
      errors.push(refusedAs(idIn(item), failure))
    }
  }
  const known = new Map((await env.store.facts([...good.keys()], peer.owner)).map((fact) => [fact.id, fact]))
  for (const [id, fact] of known) {
    if (fact.hash !== good.get(id)?.(0).hash) errors.push(taken(id))
  }
  for (const [id, make] of good) {
    const before = known.get(id)
    const record = make(0)
    if (before?.hash === record.hash && before.receivedFrom !== null && before.receivedFrom !== peer.nodeId)
      await takeBack(env, peer, record)
  }
  const fresh = [...good].filter(([id]) => !known.has(id))
  const added = await commitAll(env, peer, fresh, beside, errors)
  for (const { id, code, message } of errors) env.log.warn('a fact of a peer was refused', { peer: peer.nodeId, id, code, message })
  if (added.length > 0) env.embedding.drain()
  return { accepted: items.length - errors.length, rejected: errors.length, errors, added }
}

/** A retraction that another peer passed on first acts on what this one sent when this one sends it. */
async function takeBack(env: Environment, { nodeId, owner }: Peer, record: Fact): Promise<void> {
  const { store, statements } = env
  if (record.confidence !== 0 || record.subject === null || record.predicate === null) return
  const takeAll = (ids: readonly string[]): Promise<void> =>
    retryOnConflict(async () => {
      const facts = (await store.facts(ids, owner)).filter((fact) => retractsFact(record, fact))
      if (facts.length === 0) return
      const changes = (at: Instant) => facts.map((fact): Change => ({ op: 'fact.put', fact: retracted(fact, at), reason: 'retracted' }))
      await store.commit({ actor: `peer:${nodeId}`, owners: [owner] }, changes)
    })
  const named = readRetractionTarget(record)
  if (named !== undefined) return takeAll([named])
  const { subject: entity, predicate: relation, source, scope } = record
  const wanted = { owner, entity, relation, source, scope, garden: null, at: env.clock.now(), contradicted: true }
  for (let before: PageCursor | null | undefined; before !== null; ) {
    const page: Page<Fact> = await statements.statements(wanted, {
      limit: TAKEN_BACK_TOGETHER,
      ...(before === undefined ? {} : { before }),
    })
    await takeAll(page.items.map(({ id }) => id))
    before = page.next
  }
}

const taken = (id: string | null): RefusedFact => ({ id, code: 'id_conflict', message: 'Another fact has this id here.' })

/** Whether a fact that is in the way is shared with the peer or not, it is told no more than that. */
const refusedAs = (id: string | null, failure: unknown): RefusedFact => {
  const { code, reason, message } = toMemoryError(failure)
  return code === 'conflict' ? taken(id) : { id, code: reason, message }
}

type Fresh = readonly (readonly [string, (at: Instant) => Fact])[]

/** All at once; where one of them cannot be stored, one by one. */
async function commitAll(
  env: Environment,
  peer: Peer,
  fresh: Fresh,
  beside: ((at: Instant) => readonly Change[]) | undefined,
  errors: RefusedFact[],
): Promise<readonly string[]> {
  if (fresh.length === 0 && beside === undefined) return []
  const put = async (facts: Fresh, also: (at: Instant) => readonly Change[]): Promise<void> => {
    const orders = facts.map(([, make]) => fromHlc(make(0).hlc ?? '') ?? 0)
    const by = { actor: `peer:${peer.nodeId}`, owners: [peer.owner], ...(orders.length === 0 ? {} : { observed: Math.max(...orders) }) }
    await env.store.commit(by, (at) => [...facts.map(([, make]): Change => ({ op: 'fact.put', fact: make(at) })), ...also(at)])
  }
  const rest = beside ?? (() => [])
  try {
    await put(inOrder(fresh), rest)
    return fresh.map(([id]) => id)
  } catch (failure) {
    if (fresh.length === 0 || !isAboutFacts(failure)) throw failure
  }
  const added: string[] = []
  for (const one of inOrder(fresh)) {
    try {
      await put([one], () => [])
      added.push(one[0])
    } catch (failure) {
      if (!isAboutFacts(failure)) throw failure
      errors.push(refusedAs(one[0], failure))
    }
  }
  if (beside !== undefined) await put([], beside)
  return added
}

const inOrder = (facts: Fresh): Fresh =>
  facts
    .map((one) => ({ one, hlc: one[1](0).hlc ?? '' }))
    .sort((a, b) => (a.hlc < b.hlc ? -1 : 1))
    .map(({ one }) => one)

/** A store that cannot be written says nothing about a fact. */
const isAboutFacts = (failure: unknown): boolean =>
  failure instanceof MemoryError && ['invalid_input', 'unprocessable', 'conflict', 'forbidden', 'too_large'].includes(failure.code)
