import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Driver } from './backends/sqlite/driver.js'
import type { Config } from './config.js'
import type { Audience, Contract } from './contracts/contract.js'
import { checkAnswers } from './contracts/operation.js'
import { brokenModule } from './core/files/broken-module.js'
import { type Recipe, withOverrides } from './core/recall/recipe/recipe.js'
import { RERANK } from './core/recall/rerank/rerank.js'
import { type CodeMemory, createCodeMemory } from './engine/code/code-memory.js'
import { createEmbeddingPipeline } from './engine/embedding/embedding-pipeline.js'
import { createEngine, type Engine } from './engine/engine.js'
import type { EngineLog, Environment } from './engine/environment.js'
import { embedAsEnglish, readAsEnglish } from './engine/gloss.js'
import { resetForModel } from './engine/maintenance/erase-all.js'
import { createRerankStage } from './engine/recall/rerank-stage.js'
import { createReopenableEngine } from './engine/reopenable-engine.js'
import { knownHint } from './errors/known-names.js'
import { MemoryError } from './errors.js'
import { type Schedule, startSchedule } from './jobs/schedule.js'
import { BUILT_IN } from './models/known.js'
import { graphSettings } from './open/graph-settings.js'
import { isAlive } from './open/is-alive.js'
import { nodeOf } from './open/node-of.js'
import { packageVersion } from './open/package-version.js'
import { openProjections } from './open/projections.js'
import { loadCodeRecipe, loadRecipe } from './open/recipes.js'
import { createSecureIds } from './open/secure-ids.js'
import { statementSettings } from './open/statement-settings.js'
import { createSystemClock } from './open/system-clock.js'
import type { Backend } from './ports/backend.js'
import type { Clock } from './ports/clock.js'
import type { Ids } from './ports/ids.js'
import { createLog } from './surfaces/log.js'

/** One loader per contract, so that a process loads only those it serves; the audience is known before. */
const CONTRACTS: Readonly<Record<string, { readonly audience: Audience; load(): Promise<Contract> }>> = {
  memory: { audience: 'everyone', load: async () => (await import('./contracts/memory/contract.js')).memory },
  graph: { audience: 'everyone', load: async () => (await import('./contracts/graph/contract.js')).graph },
  substrate: { audience: 'everyone', load: async () => (await import('./contracts/substrate/contract.js')).substrate },
  stigmem: { audience: 'everyone', load: async () => (await import('./contracts/stigmem/contract.js')).stigmem },
  access: { audience: 'everyone', load: async () => (await import('./contracts/access/contract.js')).access },
  hooks: { audience: 'everyone', load: async () => (await import('./contracts/hooks/contract.js')).hooks },
  mem0: { audience: 'compatibility', load: async () => (await import('./contracts/mem0/contract.js')).mem0 },
  commands: { audience: 'operator', load: async () => (await import('./contracts/memory/commands.js')).commands },
  admin: { audience: 'operator', load: async () => (await import('./contracts/admin/contract.js')).admin },
  console: { audience: 'operator', load: async () => (await import('./contracts/console/contract.js')).consoleContract },
}

export const CONTRACT_NAMES: readonly string[] = Object.keys(CONTRACTS)
export const operatorContracts: readonly string[] = CONTRACT_NAMES.filter((name) => CONTRACTS[name]?.audience === 'operator')

// Set by tests for every process they start.
if (process.env.MNEME_CHECK_ANSWERS === '1') checkAnswers()

export function loadContracts(names: readonly string[]): Promise<readonly Contract[]> {
  return Promise.all(
    names.map((name) => {
      const known = CONTRACTS[name]
      if (known === undefined)
        throw new MemoryError('invalid_input', `There is no contract "${name}".`, { hint: knownHint(name, CONTRACT_NAMES) })
      return known.load()
    }),
  )
}

export const VERSION: string = packageVersion()

export interface OpenOptions {
  readonly clock?: Clock
  readonly ids?: Ids
  readonly log?: EngineLog
  readonly recipe?: Recipe
  /** The SQLite library. */
  readonly driver?: Driver
  /** Called with the statements of every round trip to a database server. */
  observe?(statements: readonly string[]): void
  /** True if remote callers are possible; files are then read below configured roots only. */
  readonly served?: boolean
}

/** Enough for about twenty concurrent queries. */
const RERANK_WITHIN_MS = 4000

/** Opens the memory that a configuration describes. */
export const openEngine = async (config: Config, options: OpenOptions = {}): Promise<Engine> => {
  const { environment, backend, code } = await openParts(config, options)
  return createEngine(environment, backend, code)
}

export interface Parts {
  readonly environment: Environment
  readonly backend: Backend
  readonly code: CodeMemory
}

/** Opens the parts without creating an engine, for programs that use them directly. */
export const openParts = (config: Config, options: OpenOptions = {}): Promise<Parts> => withModules(() => composeParts(config, options))

/** Names a package that is missing or incompatible with this Node, and the remedy. */
async function withModules<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (failure) {
    const { installFolder } = await import('./models/shipped.js')
    throw brokenModule(failure, installFolder()) ?? failure
  }
}

async function composeParts(config: Config, options: OpenOptions): Promise<Parts> {
  const [
    { openBackend },
    { openEmbedder },
    { openLocalReranker },
    { createRoughEmbedder },
    { createProjectFiles },
    { createParserOnDemand },
    { createProjectResolver: createWorkplaces },
    { createReaderOnDemand },
    { createImportSourcesOnDemand },
    { openLanguageData },
  ] = await Promise.all([
    import('./open/backend.js'),
    import('./models/open.js'),
    import('./models/local-reranker.js'),
    import('./models/rough-embedder.js'),
    import('./readers/project-files.js'),
    import('./parsers/parser-on-demand.js'),
    import('./readers/project-resolver.js'),
    import('./readers/reader-on-demand.js'),
    import('./open/import-sources-on-demand.js'),
    import('./open/language-data.js'),
  ])
  const clock = options.clock ?? createSystemClock()
  const ids = options.ids ?? createSecureIds()
  const log = options.log ?? createLog(config.logLevel)
  const roughEmbedder = createRoughEmbedder(config.embedder === 'local' ? BUILT_IN : (config.embedModel ?? ''))
  const backend = await openBackend(config, {
    clock,
    roughEmbedder,
    ...(options.driver === undefined ? {} : { driver: options.driver }),
    ...(options.observe === undefined ? {} : { observe: options.observe }),
  })
  try {
    const embedder = openEmbedder({
      provider: config.embedder,
      model: config.embedModel,
      dimensions: config.embedDimensions,
      folder: config.embedFolder,
      pooling: config.embedPooling,
      queryPrefix: config.embedQueryPrefix,
      passagePrefix: config.embedPassagePrefix,
      threads: config.embedThreads,
      idleMs: config.embedIdleMs,
      url: config.embedUrl,
      apiKey: config.embedKey,
      batchSize: config.embedBatchSize,
      timeoutMs: config.embedTimeoutMs,
      cacheSize: config.embedCacheEnabled ? config.embedCacheSize : 0,
    })
    if (config.resetMemory && !embedder.disabled) await resetForModel(backend, embedder.model, log)
    const languageData = openLanguageData()
    const holder = `${process.pid}-${ids.mint()}`
    const vectoriser = createEmbeddingPipeline({
      backlog: backend.backlog,
      jobs: backend.jobs,
      embedder,
      clock,
      log,
      holder,
      forceModel: config.forceModel,
      waitMs: 5000,
      ...(embedder.model.isEnglishOnly === true ? { readAs: (text: string) => embedAsEnglish(languageData, text) } : {}),
    })
    const secondLook = createRerankStage({
      reranker: rerankerFor(config) === 0 ? null : openLocalReranker({ idleMs: config.embedIdleMs, threads: config.embedThreads }),
      log,
      candidates: rerankerFor(config),
      readAs: (text) => readAsEnglish(languageData, text),
      withinMs: RERANK_WITHIN_MS,
    })
    const settings = {
      defaultOwner: config.owner,
      recallDocuments: config.recallDocuments,
      askedOwner: config.recallOwner === 'default' ? config.owner : undefined,
      maxContentBytes: config.maxContentBytes,
      maxMetadataBytes: config.maxMetadataBytes,
      maskSecrets: config.maskSecrets,
      resetCopy: config.resetCopy,
      recipe: options.recipe ?? withOverrides(loadRecipe(), config.recipe ?? {}),
      codeRecipe: loadCodeRecipe(),
      graph: graphSettings(config, embedder.model.floor),
      statements: statementSettings(config),
      federation: { everySeconds: config.federationPullIntervalS },
      deliveryDays: config.deliveryLog === 'off' ? 0 : config.deliveryLog,
      capture: { mode: config.capture, turnDays: config.captureTurnDays, recallMs: config.hookRecallMs },
    }
    const pathRules = { roots: config.ingestRoots, needsRoots: options.served === true, dataDir: config.dataDir }
    const self = { pid: process.pid, host: hostname(), isAlive }
    const code = createCodeMemory({
      ports: backend,
      clock,
      ids,
      log,
      holder,
      files: createProjectFiles({ allowSystemFolders: config.allowSystemFolders, rules: pathRules }),
      parser: createParserOnDemand(new URL('./models/rough-embedder.js', import.meta.url).href),
      self,
      maskSecrets: config.maskSecrets,
      embed: () => vectoriser.drain(),
    })
    const { needsReopen: _n, warm: _w, close: _c, ...ports } = backend
    const environment = {
      ...ports,
      version: VERSION,
      self,
      embedder,
      embedding: vectoriser,
      rerankStage: secondLook,
      roughEmbedder,
      languageData,
      projects: createWorkplaces(),
      derived: (await import('./backends/open-derived.js')).openDerived(config.dataDir, clock),
      imports: createImportSourcesOnDemand(config.dataDir),
      documents: createReaderOnDemand({
        clock,
        ...pathRules,
        allowPrivate: config.ingestAllowPrivate,
      }),
      trash: (await import('./backends/trash/trash-folder.js')).createTrashFolder(join(config.dataDir, 'trash')),
      projections: await openProjections(config, backend.store, log),
      ...nodeOf(config.dataDir, config.federationAllowPrivate),
      clock,
      ids,
      settings,
      log,
    }
    return { environment, backend, code }
  } catch (error) {
    await backend.close()
    throw error
  }
}

/** Number of reranked candidates; 0 without a semantic model. */
function rerankerFor({ embedder, rerank }: Config): number {
  if (embedder === 'none') return 0
  return rerank ?? (embedder === 'hash' ? 0 : RERANK.candidates)
}

/** Replaces the memory of a configuration by a backup. The memory is not opened, because it may be damaged. */
export async function restoreMemory(
  config: Config,
  backup: string,
): Promise<{ readonly restored: string; readonly from: string; readonly kept: string | null }> {
  return withModules(async () => {
    const { restoreFile } = await import('./open/backend.js')
    return restoreFile(config, backup)
  })
}

interface OpenedHost {
  readonly version: string
  readonly contracts: readonly Contract[]
  readonly limits?: { readonly callMs: number; readonly longCallMs: number }
  engine(): Promise<Engine>
  close(): Promise<void>
}

interface HostOptions extends Pick<OpenOptions, 'served'> {
  readonly stays?: boolean
}

/**
 * What the surfaces serve: contracts are available immediately, the memory opens on first use. A serving process also does background work.
 */
export async function openHost(config: Config, options: HostOptions = {}): Promise<OpenedHost> {
  const contracts = await loadContracts(config.profile)
  const scheduled = options.stays === true && config.jobsEnabled
  let schedule: Schedule | undefined
  const memory = createReopenableEngine(async () => {
    await schedule?.close()
    const engine = await openEngine(config, { served: options.served === true })
    if (options.stays === true) engine.startBackgroundWork()
    if (scheduled)
      schedule = startSchedule(engine.context(), {
        leaseSeconds: engine.settings.graph.jobs.leaseSeconds,
        holder: `${process.pid}-${engine.ids.mint()}`,
      })
    return engine
  })
  const host = {
    version: VERSION,
    contracts,
    ...(options.stays === true ? { limits: { callMs: config.callTimeoutMs, longCallMs: config.longCallTimeoutMs } } : {}),
    engine: memory.engine,
    async close() {
      await schedule?.close()
      await memory.close()
    },
  }
  // Scheduled jobs run without calls; a failure to open is reported to the first caller.
  if (scheduled) void host.engine().catch(() => undefined)
  return host
}
