/** Names of settings in the contracts, in addition to their own. */
export const VARIABLE_ALIASES: Readonly<Record<string, readonly string[]>> = {
  dataDir: ['MEMORY_MCP_DATA_DIR', 'MEMORY_SUBSTRATE_ROOT'],
  maxTextLength: ['MAX_TEXT_LENGTH'],
  maxMetadataBytes: ['MAX_METADATA_SIZE'],
  minTtlDays: ['MIN_TTL_DAYS'],
  maxTtlDays: ['MAX_TTL_DAYS'],
  embedCacheEnabled: ['CACHE_EMBEDDINGS_ENABLED'],
  embedCacheSize: ['CACHE_EMBEDDINGS_MAXSIZE'],
  searchCacheEnabled: ['CACHE_SEARCH_ENABLED'],
  searchCacheSize: ['CACHE_SEARCH_MAXSIZE'],
  searchCacheTtlSeconds: ['CACHE_SEARCH_TTL'],
  similarityThreshold: ['SEMANTIC_SIMILARITY_THRESHOLD'],
  autoLinkThreshold: ['AUTO_LINKING_SEMANTIC_THRESHOLD'],
  neighboursThreshold: ['NEIGHBOURS_SEARCH_THRESHOLD'],
  duplicateThreshold: ['DUPLICATE_SIMILARITY_THRESHOLD'],
  sourceAttestationMode: ['STIGMEM_SOURCE_ATTESTATION_MODE'],
  trustMode: ['STIGMEM_TRUST_MODE'],
  sanitizerMode: ['STIGMEM_SANITIZER_MODE'],
  cursorTtlS: ['STIGMEM_CURSOR_TTL_S'],
  cardMaxAgeS: ['STIGMEM_CARD_MAX_AGE_S'],
  decayPolicies: ['STIGMEM_DECAY_POLICIES'],
  embedMinConfidence: ['STIGMEM_EMBED_MIN_CONFIDENCE'],
  embedder: ['STIGMEM_EMBED_PROVIDER'],
  embedModel: ['STIGMEM_EMBED_MODEL'],
  embedDimensions: ['STIGMEM_EMBED_DIMENSIONS'],
  federationPullIntervalS: ['STIGMEM_FEDERATION_PULL_INTERVAL_S'],
  jobsEnabled: ['JOBS_ENABLED'],
  jobsOwners: ['JOBS_OWNER_IDS'],
  jobsAllOwners: ['JOBS_PROCESS_ALL_OWNERS'],
  jobsLockTtlSeconds: ['JOBS_LOCK_TTL_SECONDS'],
}

interface FlagAlias {
  readonly flag: string
  readonly key: string
  /** Factor from its unit to that of the setting. */
  readonly factor?: number
  readonly note?: string
}

export const FLAG_ALIASES: readonly FlagAlias[] = [
  { flag: '--model', key: 'embedModel' },
  { flag: '--cache-size', key: 'embedCacheSize' },
  { flag: '--batch-size', key: 'embedBatchSize' },
  { flag: '--timeout', key: 'embedTimeoutMs', factor: 1000, note: 'in seconds' },
]

const optionName = (flag: string): string => flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Finds a setting given by another name of its flag. */
export function givenByAlias(
  key: string,
  flags: Readonly<Record<string, unknown>>,
): { readonly value: unknown; readonly flag: string } | undefined {
  for (const alias of FLAG_ALIASES) {
    const value = alias.key === key ? flags[optionName(alias.flag)] : undefined
    if (value === undefined) continue
    const scaled = Number(value) * (alias.factor ?? 1)
    return { value: alias.factor === undefined || Number.isNaN(scaled) ? value : scaled, flag: alias.flag }
  }
  return undefined
}
