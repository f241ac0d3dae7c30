import { z } from 'zod'
import { attestedOf } from '../../core/access/attestation.js'
import { gardenUri } from '../../core/access/garden.js'
import { textsIn } from '../../core/encoding/json.js'
import { type Fact, SCOPES } from '../../core/facts/fact.js'
import {
  contentId,
  effectiveConfidence,
  hashedOf,
  isStatement,
  statementOf,
  toTimestamp,
  VALUE_TYPES,
} from '../../core/statements/statement.js'
import { toHlc } from '../../core/time/hlc.js'
import type { Call } from '../operation.js'

export const scope = z.enum(SCOPES)
export const value = z
  .strictObject({ type: z.enum(VALUE_TYPES), v: z.union([z.string(), z.number(), z.boolean(), z.null()]).default(null) })
  .meta({ wire: 'object' })
export const confidence = z.number().min(0).max(1)

/** A record has many fields; its schema would be repeated in every listing. */
export const record = z.record(z.string(), z.unknown())

/** A fact in the format of this contract. */
export function toRecord(fact: Fact, contradicted: boolean): Record<string, unknown> {
  const { entity, relation, value: typed } = statementOf(fact)
  const hashed = hashedOf(fact)
  const { details, attestation } = fact
  const chain = attestation !== null && typeof attestation === 'object' && 'chain' in attestation ? textsIn(attestation.chain) : []
  return {
    id: fact.id,
    entity,
    relation,
    value: typed,
    source: fact.source,
    timestamp: hashed.timestamp,
    hlc: fact.hlc ?? toHlc(fact.recordedAt),
    confidence: fact.confidence,
    scope: fact.scope,
    valid_until: typeof details?.validUntil === 'string' ? details.validUntil : endOf(fact),
    received_from: fact.receivedFrom,
    garden_id: fact.garden === null ? null : gardenUri(fact.garden),
    attested: attestedOf(fact),
    derived_from: !isStatement(fact) || fact.derivedFrom.length === 0 ? null : fact.derivedFrom,
    attestation_chain: chain.length === 0 ? null : chain,
    source_trust: fact.trust,
    contradicted,
    warnings: textsIn(details?.warnings),
    quarantine_status: fact.quarantine,
    effective_confidence: effectiveConfidence(fact),
    hash: fact.hash,
    cid: contentId(hashed),
    ...(typeof fact.metadata.retracts === 'string' && fact.confidence === 0 ? { retracts: fact.metadata.retracts } : {}),
  }
}

const endOf = ({ validUntil }: Fact): string | null => (validUntil === null ? null : toTimestamp(validUntil))

/** The speaker of a call. */
export const speakerOf = ({ context, actor }: Call) => ({ principal: context.principal, actor })
