import type { Json, JsonObject } from '../encoding/json.js'
import { completeFact, type Fact, type Instant } from '../facts/fact.js'
import { withStatus } from '../facts/validity.js'
import { storeClaimEnds } from './claim-ends.js'
import { checkGovernance, type Governance, governedStatus } from './governance.js'
import type { FactType, KnowledgeStatus } from './objects.js'
import type { EvidenceRef, ReferenceName } from './references.js'

/** Input for new knowledge, an activity or a work item. */
export interface NewObject extends Governance {
  readonly type: FactType
  readonly kind: string
  readonly title: string
  readonly summary: string
  /** Status of knowledge; lifecycle of other objects. */
  readonly status: KnowledgeStatus
  /** Progress of an activity or work item. */
  readonly stage?: string | undefined
  readonly subject?: string | undefined
  readonly predicate?: string | undefined
  readonly value?: Json | undefined
  readonly object?: Json | undefined
  readonly details: JsonObject
  readonly references: { readonly [F in ReferenceName]?: readonly string[] | undefined }
  readonly evidence: readonly EvidenceRef[]
  readonly confidence?: number | undefined
  readonly eventAt?: Instant | undefined
  readonly validFrom?: Instant | undefined
  readonly validUntil?: Instant | undefined
  readonly verifiedAt?: Instant | undefined
  /** Stores it although a duplicate exists. */
  readonly allowDuplicate?: boolean | undefined
}

const DEFAULT_CONFIDENCE = 0

/** The fact of a new object. Its claim is compared with others afterwards. */
export function toGovernedFact(
  said: NewObject,
  made: { readonly id: string; readonly owner: string; readonly actor: string; readonly at: Instant },
): Fact {
  checkGovernance(said)
  const { at } = made
  const status = said.type === 'knowledge' ? governedStatus(said.status, said.origin, said.evidence.length) : said.status
  const fact = completeFact(
    {
      id: made.id,
      owner: made.owner,
      text: said.summary,
      kind: said.kind,
      title: said.title,
      subject: said.subject ?? null,
      predicate: said.predicate ?? null,
      author: null,
      session: null,
      date: null,
      scope: 'local',
      garden: null,
      status: 'active',
      confidence: said.confidence ?? DEFAULT_CONFIDENCE,
      importance: 1,
      source: made.actor,
      reason: said.reason,
      eventAt: said.eventAt ?? at,
      validFrom: said.validFrom ?? Math.min(at, said.validUntil ?? at),
      validUntil: said.validUntil ?? null,
      recordedAt: at,
      updatedAt: at,
      expiresAt: null,
      ttlDays: null,
      supersededBy: null,
      derivedFrom: [],
      metadata: {},
      autoLink: true,
      dedupAt: null,
      version: 1,
      value: null,
    },
    {
      form: said.type === 'knowledge' ? undefined : said.type,
      stage: said.stage,
      origin: said.origin,
      scopes: said.scopes,
      evidence: said.evidence.length === 0 ? undefined : said.evidence,
      references: Object.fromEntries(Object.entries(said.references).filter(([, ids]) => ids !== undefined && ids.length > 0)),
      verifiedAt: said.verifiedAt,
    },
  )
  return withStatus({ ...fact, ...storeClaimEnds(said.value ?? null, said.object ?? null, said.details) }, status, at)
}
