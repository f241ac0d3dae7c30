import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../encoding/json.js'
import { completeFact, type Fact, type Instant } from '../facts/fact.js'
import { withStatus } from '../facts/validity.js'
import { hashedOf, statementHash, type TypedValue, toStatementText } from '../statements/statement.js'
import { RETRACTS } from '../statements/statement-effects.js'
import { fromHlc } from '../time/hlc.js'

/** A fact as it travels: what was said, and nothing of what this node made of it. */
export interface WireFact {
  readonly id: string
  readonly entity: string
  readonly relation: string
  readonly value: TypedValue
  readonly source: string
  readonly timestamp: string
  readonly hlc: string
  /** As it was asserted. */
  readonly confidence: number
  readonly scope: string
  readonly valid_until: string | null
  readonly derived_from: readonly string[] | null
  readonly attestation_chain: readonly string[] | null
  readonly hash: string
  /** The one fact that this one takes back. */
  readonly retracts?: string | undefined
}

/** A fact on its way: where it was said first, and the signature of whoever sends it. */
export interface SignedFact {
  readonly fact: WireFact
  readonly origin: string
  readonly signature: string
}

const asJson = (fact: WireFact): Json => JSON.parse(JSON.stringify(fact))

/** What is signed. */
export const signedText = (fact: WireFact, origin: string): string => canonicalJson({ fact: asJson(fact), origin })

const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

const member = (value: Json, name: string): Json | undefined => (isJsonObject(value) ? value[name] : undefined)

export function toWire(fact: Fact): WireFact {
  const hashed = hashedOf(fact)
  const chain = textsIn(member(fact.attestation, 'chain'))
  const until = fact.details?.validUntil
  const retracts = fact.metadata[RETRACTS]
  return {
    id: fact.id,
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

/** What the receiver knows beside the fact. */
export interface Arrival {
  readonly owner: string
  readonly peer: string
  readonly origin: string
  readonly trust: number
  readonly at: Instant
  readonly eventAt: Instant
  readonly validUntil: Instant | null
  readonly scope: Fact['scope']
}

/** The fact as it is stored here. Who vouches for it is the peer, so nothing is attested. */
export function fromWire(sent: WireFact, arrival: Arrival): Fact {
  const { entity, relation, value, confidence } = sent
  const { owner, at, eventAt, validUntil, scope } = arrival
  const metadata: JsonObject = sent.retracts === undefined ? {} : { [RETRACTS]: sent.retracts }
  const stated = {
    ...{ id: sent.id, owner, text: toStatementText({ entity, relation, value }), kind: 'semantic', title: null, subject: entity },
    ...{ predicate: relation, value: value.v, author: null, session: null, date: null, scope, garden: null, status: 'active' as const },
    ...{ confidence, importance: 1, source: sent.source, reason: null, eventAt, recordedAt: at, updatedAt: at, expiresAt: null },
    ...{ validFrom: Math.min(eventAt, at, validUntil ?? at), validUntil, ttlDays: null, supersededBy: null },
    ...{ derivedFrom: sent.derived_from ?? [], metadata, autoLink: false, dedupAt: null, version: 1 },
  }
  const chain = sent.attestation_chain === null ? {} : { chain: [...sent.attestation_chain] }
  const fact = completeFact(stated, {
    ...{ valueType: value.type, assertedConfidence: confidence, trust: arrival.trust, receivedFrom: arrival.peer },
    ...{ hash: sent.hash, hlc: sent.hlc, attestation: { attested: null, origin: arrival.origin, ...chain } },
    details: sent.valid_until === null ? { warnings: [] } : { validUntil: sent.valid_until, warnings: [] },
  })
  return confidence === 0 ? withStatus(fact, 'retracted', at) : fact
}

/** Whether the hash names what is said. */
export const hasContentId = ({ entity, relation, value, scope, source, confidence, timestamp, hash }: WireFact): boolean =>
  statementHash({ entity, relation, value, scope, source, confidence, timestamp }) === hash

/** When its order lies further ahead than clocks may differ. */
export const isAhead = (hlc: string, now: Instant, most: Instant): boolean => (fromHlc(hlc) ?? Number.POSITIVE_INFINITY) > now + most
