import { z } from 'zod'
import { ATTESTATION_MODES, TRUST_MODES } from '../core/access/attestation.js'
import { SANITISER_MODES } from '../core/text/sanitiser.js'
import { count, jsonText, number, toggle } from './kinds.js'

/** Statements, their decay, recall and cards. */
export const STATEMENT_SETTINGS = {
  sourceAttestationMode: z
    .enum(ATTESTATION_MODES)
    .default('enforce')
    .describe('Statements of a source that the key does not speak for: refused, stored with a mark, or taken as they are'),
  trustMode: z.enum(TRUST_MODES).default('relaxed').describe('Whether trust in a source weighs in recall, and keeps statements out'),
  sanitizerMode: z
    .enum(SANITISER_MODES)
    .default('warn')
    .describe('What becomes of recalled text that speaks to the model: marked, blocked or neither'),
  cursorTtlS: count(1).default(300).describe('How long a cursor of neighbours is good for, in seconds'),
  cardMaxAgeS: count(1).default(86_400).describe('Age from which the card of an entity is made anew, in seconds'),
  embedMinConfidence: number(z.number().min(0).max(1)).default(0.1).describe('Statements of no more confidence get no vector'),
  decayPolicies: jsonText('list', z.array(z.record(z.string(), z.json())))
    .default([])
    .describe('How statements fade, as a JSON list of policies; see docs/stigmem.md'),
  recallDebug: toggle().default(false).describe('Let recall of statements answer with the scores of each stage when it is asked to'),
} as const
