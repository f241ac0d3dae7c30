import { canonicalJson, isJsonObject, type Json, type JsonObject, textsIn } from '../encoding/json.js'
import { completeFact, type Fact, type Instant } from '../facts/fact.js'
import { withStatus } from '../facts/validity.js'
import { hashedOf, statementHash, type TypedValue, toStatementText, uuidOf } from '../statements/statement.js'
import { RETRACTS_KEY } from '../statements/statement-effects.js'
import { fromHlc } from '../time/hlc.js'

/** A fact as transferred: the assertion, without local state. */
export interface WireFact {
  readonly id: string
  readonly entity: string
  readonly relation: string
  readonly value: TypedValue
  readonly source: string
  readonly timestamp: string
  readonly hlc: string
  /** The asserted confidence. */
  readonly confidence: number
  readonly scope: string
  readonly valid_until: string | null
  readonly derived_from: readonly string[] | null
  readonly attestation_chain: readonly string[] | null
  readonly hash: string
  /** The id of the fact that this one retracts. */
  readonly retracts?: string | undefined
}

/** A fact signed by the node where it was first asserted. */
export interface SignedFact {
  readonly fact: WireFact
  readonly origin: string
  readonly signature: string
  /** The public key of the origin, if another node forwards the fact. */
  readonly origin_key?: string
}

const asJson = (fact: WireFact): Json => JSON.parse(JSON.stringify(fact))

/** The signed text. */
export const signedText = (fact: WireFact, origin: string): string => canonicalJson({ fact: asJson(fact), origin })

const member = (value: Json, name: string): Json | undefined => (isJsonObject(value) ? value[name] : undefined)

export function toWire(fact: Fact): WireFact {
  const hashed = hashedOf(fact)
  const chain = textsIn(member(fact.attestation, 'chain'))
  const until = fact.details?.validUntil
  const retracts = member(fact.attestation, 'retracts') ?? fact.metadata[RETRACTS_KEY]
  const id = member(fact.attestation, 'id')
  return {
    id: typeof id === 'string' ? id : fact.id,
    entity: hashed.entity,
    relation: hashed.relation,
    value: hashed.value,
    source: fact.source,
    timestamp: hashed.timestamp,
    hlc: fact.hlc ?? '',
    confidence: hashed.confidence,
    scope: fact.scope,
    valid_until: typeof until === 'string' ? until : null,
    derived_from: fact.derivedFrom.length === 0 ? null : fact.derivedFrom,
    attestation_chain: chain.length === 0 ? null : chain,
    hash: fact.hash ?? statementHash(hashed),
    ...(typeof retracts === 'string' && hashed.confidence === 0 ? { retracts } : {}),
  }
}

/** The id under which a received fact is stored if its own id is taken. */
export const localIdOf = (origin: string, id: string): string => uuidOf(`${origin}\n${id}`)

/** The stored signature and key of a received fact; undefined if absent. */
export function readSeal({ attestation }: Pick<Fact, 'attestation'>): { readonly signature: string; readonly key: string } | undefined {
  const [signature, key] = [member(attestation, 'signature'), member(attestation, 'key')]
  return typeof signature === 'string' && typeof key === 'string' ? { signature, key } : undefined
}

/** What the receiver adds to a fact. */
export interface Arrival {
  /** The id under which it is stored; by default its own. */
  readonly id?: string
  /** The stored id of the fact that it retracts. */
  readonly retracts?: string
  /** The signature of the origin, stored so that the fact can be forwarded. */
  readonly seal?: { readonly signature: string; readonly key: string }
  readonly owner: string
  readonly peer: string
  readonly origin: string
  readonly trust: number
  readonly at: Instant
  readonly eventAt: Instant
  readonly validUntil: Instant | null
  readonly scope: Fact['scope']
}

/** The received fact as stored. Its source is not attested. */
export function fromWire(sent: WireFact, arrival: Arrival): Fact {
  const { entity, relation, value, confidence } = sent
  const { owner, at, eventAt, validUntil, scope } = arrival
  const id = arrival.id ?? sent.id
  const retracts = arrival.retracts ?? sent.retracts
  const metadata: JsonObject = retracts === undefined ? {} : { [RETRACTS_KEY]: retracts }
  const wire = {
    ...(id === sent.id ? {} : { id: sent.id }),
    ...(retracts === sent.retracts || sent.retracts === undefined ? {} : { retracts: sent.retracts }),
  }
  const stated = {
    ...{ id, owner, text: toStatementText({ entity, relation, value }), kind: 'semantic', title: null, subject: entity },
    ...{ predicate: relation, value: value.v, author: null, session: null, date: null, scope, garden: null, status: 'active' as const },
    ...{ confidence, importance: 1, source: sent.source, reason: null, eventAt, recordedAt: at, updatedAt: at, expiresAt: null },
    ...{ validFrom: Math.min(eventAt, at, validUntil ?? at), validUntil, ttlDays: null, supersededBy: null },
    ...{ derivedFrom: sent.derived_from ?? [], metadata, autoLink: false, dedupAt: null, version: 1 },
  }
  const chain = sent.attestation_chain === null ? {} : { chain: [...sent.attestation_chain] }
  const fact = completeFact(stated, {
    ...{ valueType: value.type, assertedConfidence: confidence, trust: arrival.trust, receivedFrom: arrival.peer },
    ...{ hash: sent.hash, hlc: sent.hlc, attestation: { attested: null, origin: arrival.origin, ...chain, ...wire, ...arrival.seal } },
    details: sent.valid_until === null ? { warnings: [] } : { validUntil: sent.valid_until, warnings: [] },
  })
  return confidence === 0 ? withStatus(fact, 'retracted', at) : fact
}

/** True if the hash matches the content. */
export const hasContentId = ({ entity, relation, value, scope, source, confidence, timestamp, hash }: WireFact): boolean =>
  statementHash({ entity, relation, value, scope, source, confidence, timestamp }) === hash

/** True if the HLC is further ahead than allowed. */
export const isAhead = (hlc: string, now: Instant, most: Instant): boolean => (fromHlc(hlc) ?? Number.POSITIVE_INFINITY) > now + most
