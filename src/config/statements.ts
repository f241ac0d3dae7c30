import { z } from 'zod'
import { ATTESTATION_MODES, TRUST_MODES } from '../core/access/attestation.js'
import { SANITISER_MODES } from '../core/text/sanitiser.js'
import { count, jsonText, number, toggle } from './kinds.js'

/** Statements, their decay, recall and cards. */
export const STATEMENT_SETTINGS = {
  sourceAttestationMode: z
    .enum(ATTESTATION_MODES)
    .default('enforce')
    .describe('Facts for a source the key does not own: reject, flag or accept'),
  trustMode: z.enum(TRUST_MODES).default('relaxed').describe('Whether source trust affects recall; strict also rejects low trust'),
  sanitizerMode: z.enum(SANITISER_MODES).default('warn').describe('Recalled text that addresses the model: flag, block or allow'),
  cursorTtlS: count(1).default(300).describe('Lifetime of a cursor of neighbours, in seconds'),
  cardMaxAgeS: count(1).default(86_400).describe('Age at which the card of an entity is rebuilt, in seconds'),
  embedMinConfidence: number(z.number().min(0).max(1)).default(0.1).describe('Do not embed statements at or below this confidence'),
  decayPolicies: jsonText('list', z.array(z.record(z.string(), z.json())))
    .default([])
    .describe('Decay of statements, as a JSON list of policies; see docs/stigmem.md'),
  recallDebug: toggle().default(false).describe('Allow recall of statements to return the scores of each stage'),
} as const
