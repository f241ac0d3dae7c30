import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { createEngine } from '../../src/engine/engine.js'
import { loadContracts, openParts } from '../../src/open.js'
import { dice } from '../graph/seed.js'
import { connect } from '../latency/client.js'
import { type Summary, summarise, timed } from '../latency/samples.js'
import { saveResult } from '../result.js'
import { pagesTouchedBy } from './pages-touched.js'
import { createQuestions, seedObjects } from './seed.js'

// npm run bench substrate -- [--objects 20000] [--calls 200] [--embedder local] [--only search,context] [--keep folder] [--out file]
// Duration of the substrate tools over many objects with their pages, and the number of pages that a write touches. Embedding a query is
// measured separately; subtract it from `search` and `context`. With --keep the store stays in that folder and is reused.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    objects: { type: 'string', default: '20000' },
    calls: { type: 'string', default: '200' },
    embedder: { type: 'string', default: 'local' },
    only: { type: 'string', default: '' },
    keep: { type: 'string' },
    out: { type: 'string' },
  },
})

const progress = (text: string): void => void process.stderr.write(`${text}\n`)
const directory = values.keep ?? mkdtempSync(join(tmpdir(), 'mneme-substrate-bench-'))
const flags = { dataDir: directory, embedder: values.embedder, profile: 'substrate' }
const { environment, backend, code } = await openParts(loadConfig({ flags, env: {} }).config)
const engine = createEngine(environment, backend, code)
const [contract] = await loadContracts(['substrate'])

type Given = Readonly<Record<string, unknown>>

async function ask(tool: string, mode: string, input: Given, options: Given = {}): Promise<Given> {
  const operation = contract?.operations.find(({ name }) => name === `memory_${tool}`)
  if (operation === undefined) throw new Error(`There is no memory_${tool}.`)
  const signal = new AbortController().signal
  const call = { context: engine.context({ signal }), actor: 'bench', connection: 'bench', progress: () => undefined }
  return operation.call(call, { args: { mode, input_data: input, options } })
}

const idsSchema = z.object({ ids: z.array(z.string()).readonly(), nodes: z.array(z.string()).readonly() })

/** Ids of the stored objects, created now or by an earlier run. */
async function seeded(): Promise<z.infer<typeof idsSchema>> {
  const list = join(directory, 'bench-ids.json')
  if (existsSync(list)) return idsSchema.parse(JSON.parse(readFileSync(list, 'utf8')))
  progress(`seeding ${values.objects} objects`)
  const made = await seedObjects(engine, Number(values.objects), progress)
  progress('vectors and pages')
  await environment.projections.follow(engine.settings.defaultOwner)
  for (environment.embedding.drain(); (await environment.backlog.pending('facts')) > 0; )
    await new Promise((resolve) => setTimeout(resolve, 200))
  if (values.keep !== undefined) writeFileSync(list, JSON.stringify(made))
  return made
}

try {
  const { ids, nodes } = await seeded()
  const questions = createQuestions(7)
  const random = dice(7)
  const any = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  const calls = Number(values.calls)
  const only = values.only.split(',').filter((name) => name !== '')
  const results: Record<string, Summary> = {}
  const measure = async (name: string, count: number, work: (i: number) => Promise<unknown>, wanted = only.length === 0) => {
    if (!wanted && !only.includes(name)) return
    results[name] = summarise(await timed(count, work))
    progress(`${name}: ${results[name].p50} ms p50, ${results[name].p95} ms p95`)
  }
  const note = (i: number) => ({
    ...{ kind: 'fact', title: `New note ${i} about ${questions()}`, summary: `Noted: ${questions()} (${i}).` },
    ...{ reason: 'bench', memory_source: 'user_declared', scope_refs: ['scope:1'], subject_refs: [any(nodes)] },
  })
  await measure('embedding', calls, () => environment.embedder.embed([`${questions()}?`], { purpose: 'query' }), true)
  await measure('search', calls, () => ask('query', 'search', { query: questions() }))
  await measure('search with filters', calls, () => ask('query', 'search', { query: questions() }, { filters: { kinds: ['decision'] } }))
  await measure('context', calls, () => ask('query', 'context', { task: questions() }))
  await measure('page', calls, () => ask('query', 'page', { id: any(ids) }))
  await measure('expand', calls, () => ask('query', 'expand', { id: any(nodes) }))
  await measure('graph', calls, () => ask('query', 'graph', { id: any(nodes) }))
  await measure('recent', calls, () => ask('query', 'recent', {}))
  await measure('remember', calls, (i) => ask('remember', 'knowledge', note(i)))
  const pages: Record<string, number> = {}
  if (only.length === 0) {
    const folder = join(directory, 'projections')
    const [old = '', successor = ''] = ids.slice(-2)
    const entries = [1, 2, 3].map((i) => ({ mode: 'knowledge', input_data: note(1_000_000 + i) }))
    const supersede = { old_knowledge_id: old, new_knowledge_id: successor, reason: 'bench' }
    pages['remember knowledge'] = await pagesTouchedBy(folder, () => ask('remember', 'knowledge', note(1_000_000)))
    pages['remember batch of 3'] = await pagesTouchedBy(folder, () => ask('remember', 'batch', { entries }))
    pages.supersede = await pagesTouchedBy(folder, () => ask('remember', 'supersede', supersede))
    progress(`pages touched: ${JSON.stringify(pages)}`)
  }
  await measure('report', 3, () => ask('maintain', 'report', {}))
  await measure('structure', 1, () => ask('maintain', 'structure', {}))
  await measure('reindex', 1, () => ask('maintain', 'reindex', {}))
  if (only.length === 0 || only.includes('initialize')) {
    const args = ['dist/main.js', 'mcp', '--profile', 'substrate', '--data-dir', directory, '--embedder', values.embedder]
    const starts: number[] = []
    for (let i = 0; i < 20; i++) {
      const connection = await connect({ args, env: {}, quiet: true })
      starts.push(connection.startMs)
      await connection.close()
    }
    results.initialize = summarise(starts)
    progress(`initialize: ${results.initialize.p50} ms p50`)
  }
  const { objects, embedder } = values
  const report = { objects: Number(objects), embedder, results, pagesTouched: pages }
  if (only.length === 0) saveResult('substrate', report, values.out)
  process.stdout.write(`${JSON.stringify(report)}\n`)
} finally {
  await engine.close()
  if (values.keep === undefined) rmSync(directory, { recursive: true, force: true })
}
