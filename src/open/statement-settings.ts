import type { Config } from '../config.js'
import type { StatementSettings } from '../engine/settings.js'

export const statementSettings = (config: Config): StatementSettings => ({
  attestation: config.sourceAttestationMode,
  trust: config.trustMode,
  sanitiser: config.sanitizerMode,
  cursorSeconds: config.cursorTtlS,
  cardSeconds: config.cardMaxAgeS,
  policies: config.decayPolicies,
  recallDebug: config.recallDebug,
})
