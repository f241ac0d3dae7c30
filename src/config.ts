import { join } from 'node:path'
import { z } from 'zod'
import { FLAG_ALIASES, givenByAlias, VARIABLE_ALIASES } from './config/aliases.js'
import { checkDatabase } from './config/database.js'
import { readConfigFile } from './config/file.js'
import { count, daysOrOff, list, number, ratio, recipe, text, toggle } from './config/kinds.js'
import { NETWORK_SETTINGS } from './config/network.js'
import { toAbsolute } from './config/paths.js'
import { STATEMENT_SETTINGS } from './config/statements.js'
import { shown, wordsFor } from './config/values.js'
import { RERANK } from './core/recall/rerank/rerank.js'
import { findNearestName } from './errors/known-names.js'
import { MemoryError } from './errors.js'

/** Limit of a Node timer; beyond it, the timer fires immediately. */
const MAX_TIMER = 2 ** 31 - 1

const configSchema = z.strictObject({
  dataDir: text()
    .transform(toAbsolute)
    .default(() => toAbsolute('~/.mneme'))
    .describe('Directory for the database and related files'),
  database: text().optional().describe('sqlite:<path> or postgres://user:password@host/database; default: a file in the data directory'),
  databaseConnections: count(1, 1000).default(10).describe('Maximum connections of this process to a database server'),
  partitions: count(0, 1024).default(0).describe('Number of partitions by owner of the tables of a new PostgreSQL store; 0 for none'),
  profile: list()
    .pipe(z.array(text()).min(1))
    .default(['memory'])
    .describe('Contracts to serve over MCP, in order: memory, graph, substrate, stigmem'),
  host: text().default('127.0.0.1').describe('Listen address of the HTTP server'),
  port: count(0, 65535).default(7077).describe('Listen port; 0 picks a free one'),
  allowedHosts: list().default([]).describe('Further host names accepted in the Host header'),
  allowedOrigins: list().default([]).describe('Web origins in addition to loopback whose pages may call the server'),
  ...NETWORK_SETTINGS,
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Minimum level of log lines on stderr'),
  owner: text().default('default').describe('Owner of facts stored without one'),
  recallOwner: z.enum(['everyone', 'default']).default('everyone').describe('Owners searched when a call names none: everyone, or default'),
  recallDocuments: toggle().default(true).describe('Find passages of captured documents in recall, next to memories'),
  maxContentBytes: count(1).default(102_400).describe('Largest text of one memory, in bytes of UTF-8'),
  maxTextLength: count(1).default(10_000).describe('Largest text of one node of the graph contract, in characters'),
  maxMetadataBytes: count(1).default(100_000).describe('Largest metadata of one fact, in bytes of JSON'),
  maskSecrets: toggle().default(true).describe('Mask keys, tokens and passwords before storage and indexing'),
  allowSystemFolders: toggle().default(false).describe('Allow index_project to read system folders and whole home folders'),
  ingestRoots: list()
    .transform((roots) => roots.map(toAbsolute))
    .default([])
    .describe('Folders that memory_ingest and index_project may read. If empty, none over HTTP and all over stdio'),
  ingestAllowPrivate: toggle().default(false).describe('Allow memory_ingest to fetch pages of this machine and its network'),
  capture: z
    .enum(['off', 'statements', 'turns'])
    .default('statements')
    .describe('What hooks store: off, explicit statements, or every turn as well'),
  hookRecallMs: count(0, MAX_TIMER).default(300).describe('Maximum time that a prompt waits for its hook, in ms'),
  deliveryLog: daysOrOff().default(30).describe('Days to keep the log of memories delivered to agents; off for none'),
  captureTurnDays: number(z.number().gt(0)).default(30).describe('Days to keep turns that hooks captured'),
  minTtlDays: number(z.number().min(0)).default(0).describe('Lower bound, exclusive, of a time to live in days'),
  maxTtlDays: number(z.number().min(0)).default(3650).describe('Upper bound of a time to live in days'),
  embedder: z.enum(['local', 'ollama', 'openai', 'voyage', 'onnx', 'hash', 'none']).default('local').describe('Embedding provider'),
  embedModel: text().optional().describe('Model name for the chosen embedder'),
  embedUrl: text().optional().describe('Base URL of the embedding service'),
  embedKey: text().optional().describe('Key of the embedding service'),
  embedDimensions: count(1, 8192).optional().describe('Dimensions requested from the embedder'),
  embedFolder: text().transform(toAbsolute).optional().describe('Folder with model.onnx and tokenizer.json for the onnx embedder'),
  embedPooling: z.enum(['mean', 'cls', 'last']).optional().describe('How the onnx embedder pools token vectors'),
  embedQueryPrefix: z.string().optional().describe('Prefix of queries before embedding'),
  embedPassagePrefix: z.string().optional().describe('Prefix of stored texts before embedding'),
  embedCacheEnabled: toggle().default(true).describe('Cache recent embeddings'),
  embedCacheSize: count(0).default(1000).describe('Number of cached embeddings'),
  embedBatchSize: count(1, 4096).default(32).describe('Texts per embedding request'),
  embedTimeoutMs: count(1).default(60_000).describe('Timeout of one embedding request, in ms'),
  embedIdleMs: count(0).default(300_000).describe('Unload the local model after this long without use, in ms; 0 keeps it'),
  embedThreads: count(1, 256).optional().describe('CPU threads of the local model'),
  rerank: count(0, RERANK.mostCandidates)
    .optional()
    .describe(
      'How many of the best results the reranker reads once more; 0 is off. 30 unless given; none with the embedders none and hash',
    ),
  callTimeoutMs: count(0, MAX_TIMER).default(60_000).describe('Time limit of a call, in ms; 0 for none'),
  longCallTimeoutMs: count(0, MAX_TIMER).default(3_600_000).describe('Time limit of long calls such as index_project, in ms; 0 for none'),
  resetMemory: toggle().default(false).describe('On a model mismatch, back up the store and start empty'),
  resetCopy: toggle()
    .default(true)
    .describe('Back up the store before reset_all_memory. The copy contains the erased data until you delete it'),
  forceModel: toggle().default(false).describe('Open a store built with another model; its vectors are unused until reindexed'),
  searchMemoryMb: count(16).default(512).describe('Memory limit for search indexes, in MB; least recently used are evicted'),
  searchIdleMinutes: number(z.number().min(0))
    .default(15)
    .describe("Evict an owner's index after this many minutes without queries; 0 never"),
  journalDays: number(z.number().min(0)).default(0).describe('Days to keep before/after contents in the journal; 0 keeps them forever'),
  journalEntryDays: number(z.number().min(0))
    .default(0)
    .describe('Days to keep journal entries, except the latest of each live object; 0 keeps them forever'),
  busyTimeoutMs: count(0).default(15_000).describe('Maximum time that a write waits for another process, in ms'),
  searchCacheEnabled: toggle().default(true).describe('Cache recent search results'),
  searchCacheSize: count(0).default(100).describe('Number of cached search results'),
  searchCacheTtlSeconds: number(z.number().min(0)).default(60).describe('Lifetime of a cached search result, in seconds'),
  similarityThreshold: ratio().describe('Minimum similarity of a search hit of the graph contract; default calibrated per model'),
  autoLinkThreshold: ratio().describe('Minimum similarity of an automatic link; default calibrated per model'),
  neighboursThreshold: ratio().describe('Minimum similarity of a neighbour; default calibrated per model'),
  duplicateThreshold: ratio().describe('Minimum similarity of a duplicate; default calibrated per model'),
  recipe: recipe().optional().describe('Overrides of the recall recipe as a JSON object, for experiments; see docs/recall.md'),
  ...STATEMENT_SETTINGS,
  shared: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Share one process with loaded models among commands, hooks and MCP clients of a store'),
  keepWarm: number(
    z
      .number()
      .min(0)
      .max(MAX_TIMER / 60_000),
  )
    .default(5)
    .describe('Minutes that the shared process stays after its last client'),
  jobsEnabled: toggle().default(false).describe('Run scheduled background work in this process'),
  jobsOwners: list().default(['default']).describe('Owners that background work processes'),
  jobsAllOwners: toggle().default(false).describe('Background work processes every owner'),
  jobsLockTtlSeconds: count(1).default(600).describe('Lease of a background job, in seconds'),
})

export type Config = z.infer<typeof configSchema>
type ConfigKey = keyof Config

export interface Setting {
  readonly key: ConfigKey
  readonly flag: string
  /** Names of the flag in a contract. */
  readonly otherFlags: readonly string[]
  readonly variables: readonly string[]
  readonly description: string
  /** May be given without a value. */
  readonly toggle: boolean
  readonly secret: boolean
}

/** A setting as listed in the reference. */
interface SettingDetails {
  readonly flag: string
  readonly description: string
  /** Description of the allowed values. */
  readonly allowed: string
  readonly fallback: string | null
  /** Its variables and further names. */
  readonly otherNames: readonly { readonly name: string; readonly note?: string }[]
}

export interface LoadedConfig {
  readonly config: Config
  /** Origin of each value, in words. */
  readonly origins: Readonly<Record<ConfigKey, string>>
  readonly warnings: readonly string[]
}

/** A vendor's key is read from its usual variable, but never sent to another vendor. */
const VENDOR_KEYS: Readonly<Record<string, string>> = { openai: 'OPENAI_API_KEY', voyage: 'VOYAGE_API_KEY' }

const SECRETS: readonly ConfigKey[] = ['embedKey']

const KEYS = configSchema.keyof().options

export const SETTINGS: readonly Setting[] = KEYS.map((key) => ({
  key,
  flag: `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  otherFlags: FLAG_ALIASES.filter((alias) => alias.key === key).map((alias) => alias.flag),
  variables: [variableOf(key), ...(VARIABLE_ALIASES[key] ?? [])],
  description: configSchema.shape[key].description ?? '',
  toggle: configSchema.shape[key].safeParse(true).success,
  secret: SECRETS.includes(key),
}))

/** The JSON schema of a setting, created on demand because a start does not need it. */
function schemaOf(key: ConfigKey): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(configSchema.shape[key], { io: 'output', unrepresentable: 'any' })
}

export function describeSettings(): readonly SettingDetails[] {
  return SETTINGS.map(({ key, flag, description, variables }) => {
    const schema = schemaOf(key)
    const vendors = Object.entries(VENDOR_KEYS).map(([vendor, name]) => ({ name, note: `with the embedder ${vendor}` }))
    const aliases = FLAG_ALIASES.filter((alias) => alias.key === key)
    return {
      flag,
      description,
      allowed: wordsFor(schema),
      fallback: String(schema.default ?? '') === '' ? null : shown(schema.default),
      otherNames: [
        ...variables.map((name) => ({ name })),
        ...aliases.map(({ flag: name, note }) => ({ name, ...(note === undefined ? {} : { note }) })),
        ...(key === 'embedKey' ? vendors : []),
      ],
    }
  })
}

type Texts = Readonly<Record<string, unknown>>

/** Precedence: flag, variable, file, default. `flags` is keyed by config key; an empty variable counts as unset. */
export function loadConfig(
  input: { readonly flags?: Texts; readonly env?: Readonly<Record<string, string | undefined>> } = {},
): LoadedConfig {
  const { flags = {}, env = process.env } = input
  const values: Record<string, unknown> = {}
  const origins = defaultOrigins()
  for (const { key, flag, variables } of SETTINGS) {
    const variable = variables.find((name) => env[name])
    const setting = flags[key] === undefined ? givenByAlias(key, flags) : { value: flags[key], flag }
    if (setting !== undefined) {
      values[key] = setting.value
      origins[key] = `flag ${setting.flag}`
    } else if (variable !== undefined) {
      values[key] = env[variable]
      origins[key] = `environment ${variable}`
    }
  }
  const folder = configSchema.pick({ dataDir: true }).safeParse({ dataDir: values.dataDir })
  if (!folder.success) throw invalid(folder.error, values, origins)
  const path = join(folder.data.dataDir, 'config.json')
  const file = readConfigFile(path, KEYS)
  for (const key of KEYS) {
    if (values[key] !== undefined || file[key] === undefined) continue
    values[key] = file[key]
    origins[key] = `file ${path}`
  }
  const vendor = typeof values.embedder === 'string' ? VENDOR_KEYS[values.embedder] : undefined
  if (values.embedKey === undefined && vendor !== undefined && env[vendor]) {
    values.embedKey = env[vendor]
    origins.embedKey = `environment ${vendor}`
  }
  const parsed = configSchema.safeParse(values)
  if (!parsed.success) throw invalid(parsed.error, values, origins)
  checkDatabase(parsed.data.database)
  return { config: parsed.data, origins, warnings: unknownVariables(env) }
}

/** The effective values, one row per key, with secrets hidden. */
export function describeConfig(
  loaded: LoadedConfig,
): readonly { readonly key: string; readonly value: unknown; readonly origin: string }[] {
  return SETTINGS.map(({ key, secret }) => {
    const value = loaded.config[key]
    return {
      key,
      value: value === undefined ? null : secret ? '(hidden)' : key === 'database' ? hidePassword(String(value)) : value,
      origin: loaded.origins[key],
    }
  })
}

function defaultOrigins(): Record<ConfigKey, string> {
  const origins: Partial<Record<ConfigKey, string>> = {}
  for (const key of KEYS) origins[key] = 'default'
  return z.record(configSchema.keyof(), z.string()).parse(origins)
}

function invalid(error: z.ZodError, values: Texts, origins: Readonly<Record<ConfigKey, string>>): MemoryError {
  const wrong = KEYS.flatMap((key) => {
    const issue = error.issues.find(({ path }) => path[0] === key)
    if (issue === undefined) return []
    return [{ key, issue, got: SECRETS.includes(key) ? '(hidden)' : shown(values[key]), schema: schemaOf(key) }]
  })
  const lines = wrong.map(({ key, issue, got, schema }) => {
    const detail = schema.type === 'object' ? ` (${issue.message})` : ''
    return `Invalid ${key} (from ${origins[key]}): expected ${wordsFor(schema)}, got ${got}${detail}`
  })
  const fallback = wrong[0]?.schema.default
  const hint =
    wrong.length > 1
      ? 'Correct them, or leave them out for their defaults.'
      : `Correct it, or leave it out${fallback === undefined ? '' : ` for the default, ${shown(fallback)}`}.`
  return new MemoryError('invalid_input', lines.join('\n'), { hint })
}

/** The file in a database URL; undefined if there is none. */
export function databaseFile(database: string | undefined): string | undefined {
  return database === undefined ? undefined : toAbsolute(database.replace(/^(sqlite|file):(\/\/)?/, ''))
}

/** Not settings: tests set them for the processes they start. */
const FOR_TESTS: readonly string[] = ['MNEME_SQLITE_DRIVER', 'MNEME_CHECK_ANSWERS']

function unknownVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = [...KEYS.map(variableOf), ...FOR_TESTS]
  return Object.keys(env)
    .filter((name) => name.startsWith('MNEME_') && !known.includes(name))
    .map((name) => {
      const near = findNearestName(name, known)
      return `Unknown environment variable ${name}${near === undefined ? '' : `; did you mean ${near}?`}`
    })
}

function variableOf(key: string): string {
  return `MNEME_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

function hidePassword(url: string): string {
  return url.replace(/\/\/([^:@/]*):[^@/]*@/, '//$1:***@')
}
