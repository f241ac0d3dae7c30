import type { Config } from '../config.js'
import { thresholdsFor } from '../core/recall/similarity.js'
import type { GraphSettings } from '../engine/settings.js'
import { MemoryError } from '../errors.js'

/** Settings of the graph contract. `floor` is the similarity of unrelated texts in the model. */
export function graphSettings(config: Config, floor: number): GraphSettings {
  if (config.maxTextLength > config.maxContentBytes) {
    throw new MemoryError(
      'invalid_input',
      `Invalid maxTextLength: ${config.maxTextLength} characters do not fit into maxContentBytes (${config.maxContentBytes}).`,
      { hint: 'Raise --max-content-bytes as well; a character takes up to four bytes.' },
    )
  }
  return graphSettingsOf(config, floor)
}

const graphSettingsOf = (config: Config, floor: number): GraphSettings => ({
  maxTextLength: config.maxTextLength,
  minTtlDays: config.minTtlDays,
  maxTtlDays: config.maxTtlDays,
  thresholds: thresholdsFor(floor, {
    search: config.similarityThreshold,
    autoLink: config.autoLinkThreshold,
    neighbours: config.neighboursThreshold,
    duplicate: config.duplicateThreshold,
  }),
  searchCache: { enabled: config.searchCacheEnabled, size: config.searchCacheSize, ttlSeconds: config.searchCacheTtlSeconds },
  embeddingCache: { enabled: config.embedCacheEnabled, size: config.embedCacheSize },
  jobs: { owners: config.jobsOwners, allOwners: config.jobsAllOwners, leaseSeconds: config.jobsLockTtlSeconds },
})
