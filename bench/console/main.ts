import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { postgresPrograms, startPostgres, stopPostgres } from '../../scripts/postgres.mjs'
import { loadConfig } from '../../src/config.js'
import { consoleContract } from '../../src/contracts/console/contract.js'
import { createSeededRandom } from '../../src/demo/seeded-random.js'
import type { Context } from '../../src/engine/context.js'
import type { Engine } from '../../src/engine/engine.js'
import { remember } from '../../src/engine/facts/remember.js'
import { openEngine } from '../../src/open.js'
import { freshDatabase } from '../postgres/database.js'
import { root, saveResult } from '../result.js'
import { measureDeliveryCost } from './delivery-cost.js'

// npm run bench console -- [--facts 100000] [--only sqlite|postgres] [--database postgres://...] [--out file]
// Server time of what the pages of the console ask for, in milliseconds, without the HTTP request, on SQLite and PostgreSQL; with a
// Chromium, also the time to the first view. Embeddings are off. About a third of the facts have a subject.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { facts: { type: 'string' }, database: { type: 'string' }, only: { type: 'string' }, out: { type: 'string' } },
})

const FACTS = Number(values.facts ?? 100_000)
const BATCH = 500
const ROUNDS = 15
const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((place) => existsSync(place))
const KINDS = ['rule', 'note', 'decision', 'preference', 'event']
const CLIENTS = ['claude-code', 'codex', 'cursor', 'gemini']
const WORDS = ['port', 'cache', 'invoice', 'deploy', 'token', 'queue', 'schema', 'header', 'retry', 'cluster', 'worker', 'cart']

async function fill(context: Context): Promise<void> {
  const random = createSeededRandom(7)
  const words = (): string => Array.from({ length: 12 }, () => random.pick(WORDS)).join(' ')
  for (let from = 0; from < FACTS; from += BATCH) {
    const facts = Array.from({ length: Math.min(BATCH, FACTS - from) }, (_, i) => ({
      text: `${from + i} ${words()}`,
      owner: `project:github.com/bench/${(from + i) % 5}`,
      kind: random.pick(KINDS),
      author: random.pick(['Mara', 'Jun']),
      status: (from + i) % 200 === 0 ? ('candidate' as const) : ('active' as const),
      ...((from + i) % 500 < 2 ? { subject: `thing ${Math.floor((from + i) / 500)}`, predicate: 'is' } : {}),
      ...((from + i) % 3 === 2 ? { title: `service ${random.below(400)}` } : {}),
    }))
    await remember(context, { actor: random.pick(CLIENTS) }, facts)
  }
  const ids = (await context.store.browse({}, { limit: 200 })).items.map(({ id }) => id)
  const now = context.clock.now()
  const deliveries = Array.from({ length: 5000 }, (_, i) => ({
    ...{
      id: `d${i}`,
      at: now - i * 1_000_000,
      owner: 'project:github.com/bench/0',
      client: random.pick(CLIENTS),
      conversation: `c${i % 400}`,
    },
    ...{ kind: 'prompt' as const, question: words(), confidence: 0.5 },
    facts: Array.from({ length: 3 }, () => ({ id: random.pick(ids), relevance: 0.5 })),
  }))
  await context.deliveries.record(deliveries, { since: 0, most: 20_000 })
}

const CALLS: readonly (readonly [string, string, object])[] = [
  ['overview', 'overview', { today: new Date().toISOString().slice(0, 10) }],
  ['browse, a page', 'browse', { limit: 50 }],
  ['browse, a page of candidates', 'browse', { limit: 50, status: ['candidate'] }],
  ['browse, a page by words', 'browse', { limit: 50, q: 'invoice retry' }],
  ['facets', 'browse', { limit: 1, facets: true }],
  ['facets and histogram', 'browse', { limit: 1, facets: true, histogram: true }],
  ['review', 'review', {}],
  ['deliveries', 'told', { limit: 200 }],
  ['deliveries, searched', 'told', { limit: 200, q: 'invoice retry' }],
]

interface Figures {
  readonly p50Ms: Readonly<Record<string, number>>
  /** Until the browser has painted the first view, and until it shows its contents. */
  readonly firstView?: { readonly paintedMs: number; readonly shownMs: number }
}

async function measure(name: 'sqlite' | 'postgres', url: string | undefined): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), 'mneme-console-'))
  const flags = { dataDir: directory, embedder: 'none', logLevel: 'error', ...(url === undefined ? {} : { database: url }) }
  try {
    const p50Ms = await withEngine(flags, async (engine) => {
      const began = performance.now()
      await fill(engine.context())
      process.stderr.write(`${name}: ${FACTS} facts stored in ${Math.round((performance.now() - began) / 1000)} s\n`)
      const medians: Record<string, number> = {}
      for (const [title, tool, input] of CALLS) medians[title] = await medianOf(engine, tool, input)
      return medians
    })
    return { p50Ms, ...(BROWSER === undefined ? {} : { firstView: await firstView(directory, url) }) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function withEngine<T>(flags: object, use: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(loadConfig({ flags: { ...flags }, env: {} }).config)
  try {
    return await use(engine)
  } finally {
    await engine.close()
  }
}

async function medianOf(engine: Engine, tool: string, input: object): Promise<number> {
  const operation = consoleContract.operations.find((candidate) => candidate.name === tool)
  if (operation === undefined) throw new Error(`no operation ${tool}`)
  const taken: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await operation.call({ context: engine.context(), actor: 'bench', connection: 'bench', progress: () => undefined }, input)
    taken.push(performance.now() - began)
  }
  return Math.round((taken.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0) * 10) / 10
}

/** The overview in Chromium, of a server that has just been started. */
async function firstView(directory: string, url: string | undefined): Promise<NonNullable<Figures['firstView']>> {
  const database = url === undefined ? [] : ['--database', url]
  const program = [
    join(root, 'dist', 'main.js'),
    'console',
    '--no-open',
    '--port',
    '0',
    '--data-dir',
    directory,
    '--embedder',
    'none',
    ...database,
  ]
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox', '--no-first-run'] })
  try {
    const link = await new Promise<string>((resolve) => {
      let text = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => {
          text += part.toString()
          const found = /http:\S+#code=\S+/.exec(text)?.[0]
          if (found !== undefined) resolve(found)
        })
    })
    const page = await browser.newPage()
    const began = performance.now()
    await page.goto(link)
    await page.waitForSelector('.health', { timeout: 120_000 })
    const shownMs = Math.round(performance.now() - began)
    const paintedMs = await page.evaluate<number>("Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)")
    return { paintedMs, shownMs }
  } finally {
    await browser.close()
    child.kill('SIGTERM')
    await ended
  }
}

const results: Record<string, Figures> = {}
if (values.only !== 'postgres') results.sqlite = await measure('sqlite', undefined)
if (values.only !== 'sqlite') {
  const programs = values.database === undefined ? await postgresPrograms() : undefined
  const server = programs === undefined ? undefined : await startPostgres(programs, { flush: true })
  const url = values.database ?? (server === undefined ? undefined : await freshDatabase(server.url))
  try {
    if (url === undefined) process.stderr.write('no PostgreSQL is available; pass --database\n')
    else results.postgres = await measure('postgres', url)
  } finally {
    if (server !== undefined) await stopPostgres(server)
  }
}
const report = { facts: FACTS, ...results, deliveryCost: await measureDeliveryCost() }
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
saveResult('console', report, values.out)
