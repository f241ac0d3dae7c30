import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { originOf } from '../../core/access/attestation.js'
import { type Fact, type Instant, SCOPES } from '../../core/facts/fact.js'
import type { Peer } from '../../core/federation/peer.js'
import { isPublicKey, isSigned, nodeIdOf } from '../../core/federation/signature.js'
import { type Arrival, fromWire, hasContentId, isAhead, localIdOf, signedText, type WireFact } from '../../core/federation/wire-fact.js'
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

/** Allowed lead of another clock. */
const MAX_AHEAD: Instant = 5 * 60e6
const MAX_NAME_CHARS = 2048
/** Retractions per commit, because other writes wait for it. */
const TAKEN_BACK_TOGETHER = 500
const CHECKED_TOGETHER = 50

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
const signedFact = z.strictObject({
  fact: wireFact,
  origin: z.string().min(1).max(200),
  signature: z.string().max(200),
  origin_key: z.string().max(100).optional(),
})

interface RefusedFact {
  readonly id: string | null
  readonly code: string
  readonly message: string
}

interface ReceiveResult {
  readonly accepted: number
  readonly rejected: number
  readonly errors: readonly RefusedFact[]
  /** Ids of new facts. */
  readonly added: readonly string[]
}

const refuse = (reason: string, message: string): MemoryError => new MemoryError('unprocessable', message, { reason })

const idIn = (item: unknown): string | null => {
  const id = z.object({ fact: z.object({ id: z.string() }) }).safeParse(item)
  return id.success ? id.data.fact.id.slice(0, 100) : null
}

/** Ids under which a fact and its target are stored, if not their own. */
type ArrivalReference = Pick<Arrival, 'id' | 'retracts'>

interface CheckedFact {
  readonly id: string
  readonly origin: string
  readonly hash: string
  readonly retracts: string | undefined
  make(now: Instant, placing?: ArrivalReference): Fact
}

/** The key that must have signed a fact of this origin; the id of a node follows from its key. */
function keyOf(peer: Peer, origin: string, key: string | undefined): string {
  if (origin === peer.nodeId) return peer.publicKey
  if (key === undefined || !isPublicKey(key) || nodeIdOf(key) !== origin)
    throw refuse('bad_signature', 'It was passed on without the key of its origin.')
  return key
}

/** Checks the content, signature and time of one fact before it is stored. */
function check(env: Environment, peer: Peer, item: unknown): CheckedFact {
  const read = signedFact.safeParse(item)
  if (!read.success) throw refuse('invalid_input', z.prettifyError(read.error).slice(0, 500))
  const { fact, origin, signature, origin_key } = read.data
  const key = keyOf(peer, origin, origin_key)
  if (!isSigned(signedText(fact, origin), signature, key)) throw refuse('bad_signature', 'It was not signed by its origin.')
  const scope = peer.scopes.find((known) => known === fact.scope)
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
    scope: SCOPES.find((known) => known === scope) ?? 'public',
    seal: { signature, key },
  }
  const { id, hash, retracts } = fact
  return { id, origin, hash, retracts, make: (committedAt, placing) => fromWire(fact, { ...arrival, ...placing, at: committedAt }) }
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
 * Stores facts of a peer. Each is accepted or rejected separately; existing facts stay unchanged. `also` is committed together
 * with the facts.
 */
export async function receiveFacts(
  env: Environment,
  peer: Peer,
  items: readonly unknown[],
  also?: (now: Instant) => readonly Change[],
): Promise<ReceiveResult> {
  const errors: RefusedFact[] = []
  const good: CheckedFact[] = []
  for (const [index, item] of items.entries()) {
    // Yields to other calls, because signatures take time.
    if (index % CHECKED_TOGETHER === CHECKED_TOGETHER - 1) await setImmediate()
    try {
      good.push(check(env, peer, item))
    } catch (failure) {
      errors.push(refusedAs(idIn(item), failure))
    }
  }
  const { fresh, repeated, refused } = await placed(env, peer, good)
  errors.push(...refused)
  for (const record of repeated) await takeBack(env, peer, record)
  const added = await commitAll(env, peer, fresh, also, errors)
  for (const { id, code, message } of errors) env.log.warn('a fact of a peer was refused', { peer: peer.nodeId, id, code, message })
  if (added.length > 0) env.embedding.drain()
  return { accepted: items.length - errors.length, rejected: errors.length, errors, added }
}

/** The new facts with the ids under which they are stored. Ids are distinct per origin. */
async function placed(
  env: Environment,
  peer: Peer,
  good: readonly CheckedFact[],
): Promise<{ readonly fresh: PlacedFacts; readonly repeated: readonly Fact[]; readonly refused: readonly RefusedFact[] }> {
  const own = (await env.node()).id
  const named = good.flatMap(({ id, origin, retracts }) => [
    [origin, id] as const,
    ...(retracts === undefined ? [] : [[origin, retracts] as const]),
  ])
  const ids = [...new Set(named.flatMap(([origin, id]) => [id, localIdOf(origin, id)]))]
  const known = new Map((await env.store.facts(ids, peer.owner)).map((fact) => [fact.id, fact]))
  const fromOrigin = (id: string, origin: string): Fact | undefined =>
    [id, localIdOf(origin, id)].map((key) => known.get(key)).find((fact) => fact !== undefined && (originOf(fact) ?? own) === origin)
  const fresh = new Map<string, PlacedFact>()
  const repeated: Fact[] = []
  const refused: RefusedFact[] = []
  for (const checked of good) {
    const { id, origin, retracts } = checked
    const target = retracts === undefined ? undefined : fromOrigin(retracts, origin)?.id
    const before = fromOrigin(id, origin)
    if (before !== undefined) {
      if (before.hash !== checked.hash) refused.push(taken(id))
      else if (before.receivedFrom !== null && before.receivedFrom !== peer.nodeId)
        repeated.push(checked.make(0, { id: before.id, ...(target === undefined ? {} : { retracts: target }) }))
      continue
    }
    const local = known.has(id) || fresh.has(id) ? localIdOf(origin, id) : id
    const make = (storedAs: string) => (at: Instant) =>
      checked.make(at, { id: storedAs, ...(target === undefined ? {} : { retracts: target }) })
    fresh.set(local, {
      id: local,
      wireId: id,
      make: make(local),
      elsewhere: local === id ? { id: localIdOf(origin, id), make: make(localIdOf(origin, id)) } : undefined,
    })
  }
  return { fresh: [...fresh.values()], repeated, refused }
}

/** Applies a known retraction to facts that arrived after it. */
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

/** The same error whether or not the conflicting fact is shared with the peer. */
const refusedAs = (id: string | null, failure: unknown): RefusedFact => {
  const { code, reason, message } = toMemoryError(failure)
  return code === 'conflict' ? taken(id) : { id, code: reason, message }
}

interface PlacedFact {
  readonly id: string
  readonly wireId: string
  make(now: Instant): Fact
  /** The alternative if a fact of another owner has the id. */
  readonly elsewhere: { readonly id: string; make(now: Instant): Fact } | undefined
}
type PlacedFacts = readonly PlacedFact[]
type StoredFact = Pick<PlacedFact, 'id' | 'make'>

/** Commits all facts together; if one cannot be stored, one by one. */
async function commitAll(
  env: Environment,
  peer: Peer,
  fresh: PlacedFacts,
  furtherChanges: ((now: Instant) => readonly Change[]) | undefined,
  errors: RefusedFact[],
): Promise<readonly string[]> {
  if (fresh.length === 0 && furtherChanges === undefined) return []
  const put = async (facts: readonly StoredFact[], also: (at: Instant) => readonly Change[]): Promise<void> => {
    const orders = facts.map(({ make }) => fromHlc(make(0).hlc ?? '') ?? 0)
    const commitContext = {
      actor: `peer:${peer.nodeId}`,
      owners: [peer.owner],
      ...(orders.length === 0 ? {} : { observed: Math.max(...orders) }),
    }
    await env.store.commit(commitContext, (now) => [
      ...facts.map(({ make }): Change => ({ op: 'fact.put', fact: make(now) })),
      ...also(now),
    ])
  }
  const rest = furtherChanges ?? (() => [])
  const ordered = inOrder(fresh)
  try {
    await put(ordered, rest)
    return ordered.map(({ id }) => id)
  } catch (failure) {
    if (fresh.length === 0 || !isAboutFacts(failure)) throw failure
  }
  const putOne = async (placed: PlacedFact): Promise<string> => {
    try {
      await put([placed], () => [])
      return placed.id
    } catch (failure) {
      if (placed.elsewhere === undefined || toMemoryError(failure).code !== 'conflict') throw failure
      await put([placed.elsewhere], () => [])
      return placed.elsewhere.id
    }
  }
  const added: string[] = []
  for (const placed of ordered) {
    try {
      added.push(await putOne(placed))
    } catch (failure) {
      if (!isAboutFacts(failure)) throw failure
      errors.push(refusedAs(placed.wireId, failure))
    }
  }
  if (furtherChanges !== undefined) await put([], furtherChanges)
  return added
}

const inOrder = (facts: PlacedFacts): PlacedFacts =>
  facts
    .map((fact) => ({ fact, hlc: fact.make(0).hlc ?? '' }))
    .sort((a, b) => (a.hlc < b.hlc ? -1 : 1))
    .map(({ fact }) => fact)

/** True for failures caused by the fact, not by the store. */
const isAboutFacts = (failure: unknown): boolean =>
  failure instanceof MemoryError && ['invalid_input', 'unprocessable', 'conflict', 'forbidden', 'too_large'].includes(failure.code)
