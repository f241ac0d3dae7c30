import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { LOCAL } from '../../src/contracts/operation.js'
import { loadContracts, openEngine } from '../../src/open.js'
import { dice } from '../graph/seed.js'
import { type Summary, summarise, timed } from '../latency/samples.js'
import { seedObjects } from './seed.js'

// npm run bench:substrate -- [--objects 20000] [--calls 200] [--embedder hash] [--out bench/results/substrate.json]
// How long the tools of the substrate contract take over many objects, and how many pages a write touches. With the hash
// embedder nothing is embedded, so that times are those beyond the embedding; --embedder local measures remember as a whole.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    objects: { type: 'string', default: '20000' },
    calls: { type: 'string', default: '200' },
    embedder: { type: 'string', default: 'hash' },
    out: { type: 'string', default: 'bench/results/substrate.json' },
  },
})

const progress = (text: string): void => void process.stderr.write(`${text}\n`)
const directory = mkdtempSync(join(tmpdir(), 'mneme-substrate-bench-'))
const { config } = loadConfig({ flags: { dataDir: directory, embedder: values.embedder }, env: {} })
const engine = await openEngine(config)
const [contract] = await loadContracts(['substrate'])

type Given = Readonly<Record<string, unknown>>

async function ask(tool: string, mode: string, input: Given, options: Given = {}): Promise<Given> {
  const operation = contract?.operations.find(({ name }) => name === `memory_${tool}`)
  if (operation === undefined) throw new Error(`There is no memory_${tool}.`)
  const signal = new AbortController().signal
  const call = { engine, principal: LOCAL, actor: 'bench', connection: 'bench', signal, progress: () => undefined }
  return operation.call(call, { args: { mode, input_data: input, options } })
}

try {
  progress(`seeding ${values.objects} objects`)
  const seeded = await seedObjects(engine, Number(values.objects), progress)
  const random = dice(7)
  const any = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  const calls = Number(values.calls)
  const results: Record<string, Summary> = {}
  const measure = async (name: string, count: number, work: (i: number) => Promise<unknown>): Promise<void> => {
    progress(name)
    results[name] = summarise(await timed(count, work))
    progress(`${name}: ${results[name].p50} ms p50, ${results[name].p95} ms p95`)
  }
  await measure('search', calls, () => ask('query', 'search', { query: seeded.question() }))
  await measure('search with filters', calls, () =>
    ask('query', 'search', { query: seeded.question() }, { filters: { kinds: ['decision'] } }),
  )
  await measure('context', calls, () => ask('query', 'context', { task: seeded.question() }))
  await measure('page', calls, () => ask('query', 'page', { id: any(seeded.ids) }))
  await measure('expand', calls, () => ask('query', 'expand', { id: any(seeded.nodes) }))
  await measure('graph', calls, () => ask('query', 'graph', { id: any(seeded.nodes) }))
  await measure('recent', calls, () => ask('query', 'recent', {}))
  let pages = 0
  const written = z.object({ projection_count: z.number() })
  await measure('remember', calls, async (i) => {
    const knowledge = {
      ...{ kind: 'fact', title: `New note ${i} about ${seeded.question()}`, summary: `Noted: ${seeded.question()} (${i}).` },
      ...{ reason: 'bench', memory_source: 'user_declared', scope_refs: ['scope:1'], subject_refs: [any(seeded.nodes)] },
    }
    pages = Math.max(pages, written.parse(await ask('remember', 'knowledge', knowledge)).projection_count)
  })
  await measure('report', 3, () => ask('maintain', 'report', {}))
  await measure('structure', 1, () => ask('maintain', 'structure', {}))
  await measure('reindex', 1, () => ask('maintain', 'reindex', {}))
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version, load: loadavg()[0] }
  const told = {
    at: new Date().toISOString(),
    commit,
    machine,
    objects: Number(values.objects),
    embedder: values.embedder,
    results,
    mostPagesOfOneWrite: pages,
  }
  writeFileSync(values.out, `${JSON.stringify(told, null, 2)}\n`)
  process.stdout.write(`${JSON.stringify(told)}\n`)
} finally {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
}
