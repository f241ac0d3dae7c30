import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Embedder } from '../../src/ports/embedder.js'
import { installPeers } from '../peers/install.js'
import { openMem0 } from '../peers/mem0.js'
import { openServerMemory } from '../peers/server-memory.js'
import { type Calibration, calibrate, printCalibration } from './calibrate.js'
import { drawChart } from './chart.js'
import { startVectorEndpoint } from './endpoint.js'
import { openInProcess } from './in-process.js'
import { rungsFor, WHOLE } from './ladder.js'
import type { Outcome } from './metrics.js'
import { type BenchOptions, readOptions, usage } from './options.js'
import {
  type ComparisonReport,
  compareRuns,
  describeMachine,
  headlineMetric,
  printComparisons,
  printRuns,
  type RunReport,
  reportRun,
} from './report.js'
import {
  askedFor,
  createStore,
  isTimeless,
  openServer,
  type Run,
  runSet,
  type ServerLaunch,
  type Store,
  type System,
  storingOrder,
} from './run.js'
import type { Mode } from './server.js'
import { type EvalSet, evaluationFolders, loadSets, splitQuestions, underOneOwner, withhold } from './sets.js'
import { openVectorCache } from './vectors.js'

const modelId = 'gte-small'
const dimensions = 384

function projectRoot(): string {
  let folder = process.cwd()
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

const root = projectRoot()
const cacheFolder = join(root, '.cache')
const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
const progress = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** The product's own model, from its build, for texts the cache has not seen. */
async function openProductEmbedder(): Promise<Embedder | null> {
  const built = join(root, 'dist', 'models', 'open.js')
  if (!existsSync(built)) return null
  const models: { openEmbedder(settings: { provider: 'local' }): Embedder } = await import(pathToFileURL(built).href)
  const embedder = models.openEmbedder({ provider: 'local' })
  if (embedder.model.id !== modelId || embedder.model.dimensions !== dimensions) {
    throw new Error(
      `The shipped model is ${embedder.model.id} (${embedder.model.dimensions}), the cache is made for ${modelId} (${dimensions})`,
    )
  }
  return embedder
}

interface Measured {
  readonly set: EvalSet
  readonly runs: readonly Run[]
}

async function withSystem<T>(opening: Promise<System>, use: (system: System) => Promise<T>): Promise<T> {
  const system = await opening
  try {
    return await use(system)
  } finally {
    await system.close()
  }
}

const modes: readonly Mode[] = ['lexical', 'vector', 'hybrid', 'fast', 'recall']
const names: Readonly<Record<Mode, string>> = {
  lexical: 'lexical',
  vector: 'vector',
  hybrid: 'hybrid',
  fast: 'recall, fast',
  recall: 'recall',
}

const inOrder = (runs: ReadonlyMap<Mode, Run>): Run[] =>
  modes.flatMap((mode) => {
    const run = runs.get(mode)
    return run ? [{ ...run, name: names[mode] }] : []
  })

async function measureModes(set: EvalSet, launch: ServerLaunch, options: BenchOptions): Promise<Run[]> {
  const store = createStore()
  try {
    const opening = openServer(launch, store, options.recipe)
    return inOrder(await withSystem(opening, (system) => runSet(set, system, { modes, storing: true, progress })))
  } finally {
    store.remove()
  }
}

async function runInProcess(
  set: EvalSet,
  launch: ServerLaunch,
  asked: { readonly modes: readonly Mode[]; readonly recipe: BenchOptions['recipe']; readonly fresh: boolean },
): Promise<ReadonlyMap<Mode, Run>> {
  const opening = openInProcess(set, cacheFolder, { embedder: launch.embedder, recipe: asked.recipe, fresh: asked.fresh })
  return withSystem(opening, async (system) => {
    if (!(await opening).filled) for (const memory of storingOrder(set)) await system.store(memory)
    await system.settle?.()
    return runSet(set, system, { modes: asked.modes, storing: false, progress })
  })
}

async function measureInProcess(set: EvalSet, launch: ServerLaunch, { recipe, fresh }: BenchOptions): Promise<Run[]> {
  return inOrder(await runInProcess(set, launch, { modes: modes.filter((mode) => mode !== 'hybrid'), recipe, fresh }))
}

/** Rungs that store the same fields share one filled store, where the set's questions are not tied to a moment. */
async function measureLadder(set: EvalSet, launch: ServerLaunch, options: BenchOptions): Promise<Run[]> {
  const stores = new Map<string, Store>()
  const runs: Run[] = []
  try {
    for (const rung of rungsFor(set)) {
      const key = isTimeless(set) ? JSON.stringify(rung.withheld) : rung.name
      const store = stores.get(key) ?? createStore()
      stores.set(key, store)
      progress(`${set.name}: ${rung.name}`)
      const recipe = rung.recipe === null && options.recipe === null ? null : { ...options.recipe, ...rung.recipe }
      const stored = withhold(set, rung.withheld)
      const settings = { modes: [rung.mode], storing: !store.filled, progress }
      const reading = rung.rerank === null ? launch : { ...launch, embedder: [...launch.embedder, '--rerank', String(rung.rerank)] }
      const result = options.inProcess
        ? await runInProcess(stored, reading, { modes: settings.modes, recipe, fresh: false })
        : await withSystem(openServer(reading, store, recipe), (system) => runSet(stored, system, settings))
      store.filled = true
      const run = result.get(rung.mode)
      if (run) runs.push({ ...run, name: rung.name })
    }
  } finally {
    for (const store of stores.values()) store.remove()
  }
  return runs
}

async function measurePeers(set: EvalSet, embedUrl: string): Promise<Run[]> {
  const peers = installPeers(cacheFolder, progress)
  if (peers === null) return []
  const systems: readonly [string, () => Promise<System>][] = [
    ['mem0', () => openMem0(peers, embedUrl, modelId, dimensions)],
    ['server-memory, question', () => openServerMemory(peers, false)],
    ['server-memory, words', () => openServerMemory(peers, true)],
  ]
  const runs: Run[] = []
  for (const [name, open] of systems) {
    progress(`${set.name}: ${name}`)
    try {
      const result = await withSystem(open(), (system) => runSet(set, system, { modes: ['recall'], storing: true, progress }))
      const run = result.get('recall')
      if (run) runs.push({ ...run, name })
    } catch (error) {
      progress(`${set.name}: ${name} left out: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return runs
}

function keptPath(name: string): string {
  return join(cacheFolder, 'quality', `${name.replace(/[^\w.-]/g, '_')}.json`)
}

function keep(name: string, measured: readonly Measured[]): void {
  mkdirSync(join(cacheFolder, 'quality'), { recursive: true })
  const entries = measured.map(({ set, runs }) => ({ set: set.name, outcomes: runs.at(-1)?.outcomes ?? [] }))
  writeFileSync(keptPath(name), JSON.stringify(entries))
}

function keptOutcomes(name: string): { set: string; outcomes: Outcome[] }[] {
  return JSON.parse(readFileSync(keptPath(name), 'utf8'))
}

/** Against the rung below, or for a withheld field against the whole. */
function ladderComparisons({ set, runs }: Measured): ComparisonReport[] {
  const whole = runs.find((run) => run.name === WHOLE)
  return runs.flatMap((run, at) => {
    const before = run.name.startsWith('without') || run.name.startsWith('reranker') ? whole : runs[at - 1]
    return before ? compareRuns(set.name, before, run) : []
  })
}

/** Partial runs and runs of another build or recipe stay out of the published figures. */
function resultFolders(options: BenchOptions): { results: string; charts: string } {
  const published = options.sets === null && options.entry === null && options.recipe === null && !options.inProcess
  const kept = join(cacheFolder, 'quality')
  return published ? { results: join(root, 'bench', 'results'), charts: join(root, 'docs', 'charts') } : { results: kept, charts: kept }
}

function resultName(options: BenchOptions): string {
  const kind = [options.inProcess && 'in-process', options.ladder && 'ladder', options.calibrate && 'calibration', options.peers && 'peers']
  const scope = [options.oneOwner && 'one-owner', options.split && `half-${options.split}`, options.real && 'real']
  return ['quality', ...kind, ...scope].filter(Boolean).join('-')
}

function chartOf(reports: readonly RunReport[]): string {
  const sets = [...new Set(reports.map((report) => report.set))]
  const runs = [...new Set(reports.map((report) => report.run))]
  const figure = (set: string, run: string) =>
    reports.find((report) => report.set === set && report.run === run)?.metrics[headlineMetric(set)] ?? null
  return drawChart({
    title: 'Evidence found, per cent',
    groups: sets.map((set) => `${set} ${headlineMetric(set)}`),
    series: runs.map((run) => ({ name: run, values: sets.map((set) => figure(set, run)) })),
  })
}

function writeResults(
  options: BenchOptions,
  reports: readonly RunReport[],
  comparisons: readonly ComparisonReport[],
  calibration: Calibration | null,
): void {
  const { results, charts } = resultFolders(options)
  const name = resultName(options)
  for (const folder of [results, charts]) mkdirSync(folder, { recursive: true })
  const config = { ...options, embedder: `${modelId}, ${dimensions} dimensions, int8`, limit: askedFor }
  const value = { machine: describeMachine(root), config, reports, comparisons, calibration }
  writeFileSync(join(results, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`)
  if (reports.length > 0) writeFileSync(join(charts, `${name}.svg`), chartOf(reports))
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === null) return print(usage)
  const folders = evaluationFolders(root)
  if (folders.length === 1)
    progress('The larger sets are not here (MNEME_EVALDATA names their folder): only those of bench/data are measured.')
  const sets = loadSets(folders, options.sets).map((set) => {
    const chosen = splitQuestions(set, options.split)
    return options.oneOwner ? underOneOwner(chosen) : chosen
  })
  const entry = options.entry === null ? join(root, 'dist', 'main.js') : resolve(options.entry)
  const embedder = await openProductEmbedder()
  const cache = openVectorCache(cacheFolder, modelId, dimensions, embedder)
  const endpoint = await startVectorEndpoint(cache)
  const viaEndpoint = [
    '--embedder',
    'openai',
    '--embed-url',
    endpoint.url,
    '--embed-model',
    modelId,
    '--embed-dimensions',
    String(dimensions),
  ]
  const launch: ServerLaunch = { entry, embedder: options.real ? [] : [...viaEndpoint, '--embed-key', 'unused'] }
  try {
    if (!existsSync(entry)) throw new Error(`${entry} is missing: run npm run build first`)
    const measured: Measured[] = []
    const reports: RunReport[] = []
    const comparisons: ComparisonReport[] = []
    for (const set of options.calibrate ? [] : sets) {
      const measure = options.ladder ? measureLadder : options.inProcess ? measureInProcess : measureModes
      const own = await measure(set, launch, options)
      const runs = options.peers ? [...(await measurePeers(set, endpoint.url)), ...own] : own
      measured.push({ set, runs })
      const these = runs.map((run) => reportRun(set.name, run.name, run.outcomes, run.storeMilliseconds))
      printRuns(these, print, options.categories)
      reports.push(...these)
      const last = runs.at(-1)
      const pairs = options.ladder
        ? ladderComparisons({ set, runs })
        : runs.slice(0, -1).flatMap((run) => (last ? compareRuns(set.name, run, last) : []))
      printComparisons(pairs, print)
      comparisons.push(...pairs)
    }
    if (options.against !== null) {
      const earlier = keptOutcomes(options.against)
      for (const { set, runs } of measured) {
        const before = earlier.find((item) => item.set === set.name)
        const after = runs.at(-1)
        if (!before || !after) continue
        const pairs = compareRuns(set.name, { name: options.against, outcomes: before.outcomes }, after)
        printComparisons(pairs, print)
        comparisons.push(...pairs)
      }
    }
    if (options.save !== null) keep(options.save, measured)
    const calibration = options.calibrate ? await calibrate(sets, launch, 100, progress) : null
    if (calibration !== null) printCalibration(calibration, print)
    writeResults(options, reports, comparisons, calibration)
  } finally {
    await endpoint.close()
    await embedder?.close()
  }
}

main().catch((error: unknown) => {
  progress(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 1
})
