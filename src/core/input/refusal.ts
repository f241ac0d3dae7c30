import { type ErrorCode, MemoryError } from '../../errors.js'

/** Reasons that clients distinguish, each with its error code. */
const REASONS = {
  graph_depth_exceeded: 'invalid_input',
  recall_depth_exceeded: 'invalid_input',
  cursor_expired: 'invalid_input',
  invalid_cursor: 'invalid_input',
  invalid_token_budget: 'invalid_input',
  invalid_weights: 'invalid_input',
  invalid_relation_filter: 'invalid_input',
  invalid_entity_uri: 'invalid_input',
  provenance_cycle_detected: 'invalid_input',
  provenance_hash_invalid: 'invalid_input',
  derived_from_immutable: 'unprocessable',
  fact_immutable: 'unprocessable',
  fact_not_found: 'not_found',
  conflict_not_found: 'not_found',
  card_not_found: 'not_found',
  policy_not_found: 'not_found',
  access_denied: 'forbidden',
  reserved_namespace: 'forbidden',
  source_attestation_failed: 'forbidden',
  trust_below_threshold: 'forbidden',
} as const satisfies Readonly<Record<string, ErrorCode>>

export type Reason = keyof typeof REASONS

export const refusal = (reason: Reason, message: string, hint?: string): MemoryError =>
  new MemoryError(REASONS[reason], message, { reason, ...(hint === undefined ? {} : { hint }) })
