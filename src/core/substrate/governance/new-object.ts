import type { Json, JsonObject } from '../../encoding/json.js'
import { completeFact, type Fact, type Instant } from '../../facts/fact.js'
import { withStatus } from '../../facts/validity.js'
import { storeClaimEnds } from '../objects/claim-ends.js'
import type { FactType, KnowledgeStatus } from '../objects/objects.js'
import type { EvidenceRef, ReferenceName } from '../objects/references.js'
import { checkGovernance, type Governance, governedStatus } from './governance.js'

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
  input: NewObject,
  made: { readonly id: string; readonly owner: string; readonly actor: string; readonly at: Instant },
): Fact {
  checkGovernance(input)
  const { at: asOf } = made
  const status = input.type === 'knowledge' ? governedStatus(input.status, input.origin, input.evidence.length) : input.status
  const fact = completeFact(
    {
      id: made.id,
      owner: made.owner,
      text: input.summary,
      kind: input.kind,
      title: input.title,
      subject: input.subject ?? null,
      predicate: input.predicate ?? null,
      author: null,
      session: null,
      date: null,
      scope: 'local',
      garden: null,
      status: 'active',
      confidence: input.confidence ?? DEFAULT_CONFIDENCE,
      importance: 1,
      source: made.actor,
      reason: input.reason,
      eventAt: input.eventAt ?? asOf,
      validFrom: input.validFrom ?? Math.min(asOf, input.validUntil ?? asOf),
      validUntil: input.validUntil ?? null,
      recordedAt: asOf,
      updatedAt: asOf,
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
      form: input.type === 'knowledge' ? undefined : input.type,
      stage: input.stage,
      origin: input.origin,
      scopes: input.scopes,
      evidence: input.evidence.length === 0 ? undefined : input.evidence,
      references: Object.fromEntries(Object.entries(input.references).filter(([, ids]) => ids !== undefined && ids.length > 0)),
      verifiedAt: input.verifiedAt,
    },
  )
  return withStatus({ ...fact, ...storeClaimEnds(input.value ?? null, input.object ?? null, input.details) }, status, asOf)
}
