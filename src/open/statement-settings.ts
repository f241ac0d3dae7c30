import type { Config } from '../config.js'
import type { StatementSettings } from '../engine/settings.js'
import { MemoryError } from '../errors.js'

/** The model that this contract requires by default can be truncated to this many dimensions at least. */
const NOMIC_FLOOR = 64

function checkFloor({ embedder, embedModel = 'nomic-embed-text', embedDimensions }: Config): void {
  if (embedder !== 'ollama' || !embedModel.startsWith('nomic') || embedDimensions === undefined || embedDimensions >= NOMIC_FLOOR) return
  throw new MemoryError('invalid_input', `Invalid embedDimensions: ${embedDimensions}, ${embedModel} has at least ${NOMIC_FLOOR}`, {
    reason: 'embed_dimensions_below_floor',
    hint: `Give ${NOMIC_FLOOR} or more, or leave it out.`,
  })
}

export const statementSettings = (config: Config): StatementSettings => {
  checkFloor(config)
  return settingsOf(config)
}

const settingsOf = (config: Config): StatementSettings => ({
  attestation: config.sourceAttestationMode,
  trust: config.trustMode,
  sanitiser: config.sanitizerMode,
  cursorSeconds: config.cursorTtlS,
  cardSeconds: config.cardMaxAgeS,
  cardWaitMs: 500,
  embedding: { provider: config.embedder, truncated: config.embedDimensions ?? null },
  policies: config.decayPolicies,
  recallDebug: config.recallDebug,
})
