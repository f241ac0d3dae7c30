import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '../../src/config.js'
import { consoleContract } from '../../src/contracts/console/contract.js'
import { createSeededRandom } from '../../src/demo/seeded-random.js'
import type { Context } from '../../src/engine/context.js'
import { remember } from '../../src/engine/facts/remember.js'
import { openEngine } from '../../src/open.js'
import { saveResult } from '../result.js'

// npm run bench console -- [--facts 100000] [--database postgres://...] [--out file]
// Server time of what the pages of the console ask for, in milliseconds, without the HTTP request. Embeddings are off.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { facts: { type: 'string' }, database: { type: 'string' }, out: { type: 'string' } },
})

const FACTS = Number(values.facts ?? 100_000)
const BATCH = 500
const ROUNDS = 15
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
    }))
    await remember(context, { actor: random.pick(CLIENTS) }, facts)
  }
  const now = context.clock.now()
  const deliveries = Array.from({ length: 5000 }, (_, i) => ({
    ...{
      id: `d${i}`,
      at: now - i * 1_000_000,
      owner: 'project:github.com/bench/0',
      client: random.pick(CLIENTS),
      conversation: `c${i % 400}`,
    },
    ...{ kind: 'prompt' as const, question: words(), confidence: 0.5, facts: [] },
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
]

const directory = mkdtempSync(join(tmpdir(), 'mneme-console-'))
const { config } = loadConfig({
  flags: {
    dataDir: directory,
    embedder: 'none',
    logLevel: 'error',
    ...(values.database === undefined ? {} : { database: values.database }),
  },
  env: {},
})
const engine = await openEngine(config)
try {
  const context = engine.context()
  await fill(context)
  const results: Record<string, number> = {}
  for (const [name, tool, input] of CALLS) {
    const operation = consoleContract.operations.find((one) => one.name === tool)
    if (operation === undefined) throw new Error(`no operation ${tool}`)
    const taken: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now()
      await operation.call({ context: engine.context(), actor: 'bench', connection: 'bench', progress: () => undefined }, input)
      taken.push(performance.now() - began)
    }
    results[name] = Math.round((taken.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0) * 10) / 10
  }
  const report = { facts: FACTS, database: values.database === undefined ? 'sqlite' : 'postgres', p50Ms: results }
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  saveResult('console', report, values.out)
} finally {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
}
