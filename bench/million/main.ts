import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { hashVector } from '../../src/models/hash.js'
import { callWhenReady, connect } from '../latency/client.js'
import { factAt, queryAt } from '../latency/corpus.js'
import { round, summarise, timed } from '../latency/samples.js'
import { root, saveResult } from '../result.js'

// npm run bench million -- [--facts 1000000] [--owners 1,1000] [--store folder] [--out file]
// Facts of one owner, and the same number shared by many owners: import, first search, calls, memory, and maintenance.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    facts: { type: 'string', default: '1000000' },
    owners: { type: 'string', default: '1,1000' },
    /** Keeps the filled stores here, so that a second run measures without filling. */
    store: { type: 'string' },
    /** Leaves out maintenance. */
    'calls-only': { type: 'boolean', default: false },
    /** Another built checkout. */
    entry: { type: 'string', default: join(root, 'dist', 'main.js') },
    out: { type: 'string' },
  },
})

const DIMENSIONS = 384
const CALLS = 100
const LIMIT = 10
const MAIN = values.entry
const progress = (text: string): void => void process.stderr.write(`${text}\n`)
// The search cache would answer repeated queries.
const ENVIRONMENT = { MNEME_LOG_LEVEL: 'error', MNEME_SEARCH_CACHE_ENABLED: 'false', MNEME_SHARED: 'off', MNEME_SEARCH_MEMORY_MB: '4096' }

const ownerOf = (nth: number, owners: number): string => `owner-${nth % owners}`

function* lines(facts: number, owners: number, vectors: boolean): Generator<string> {
  yield `${JSON.stringify({ mneme: 1, model: vectors ? { id: 'gte-small', dimensions: DIMENSIONS } : null })}\n`
  for (let nth = 0; nth < facts; nth++) {
    const { content, session, author } = factAt(nth)
    // Random instead of embedded: embedding a million texts takes hours, and the index does not depend on it.
    const vector = vectors ? { vector: Buffer.from(hashVector(content, DIMENSIONS).buffer).toString('base64') } : {}
    yield `${JSON.stringify({ content, user_id: ownerOf(nth, owners), metadata: { session, author }, ...vector })}\n`
  }
}

interface Ran {
  readonly ms: number
  readonly peakMb: number
}

/** Runs a command; its peak of resident memory is sampled. */
async function run(args: readonly string[], dataDir: string, input?: Iterable<string>, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [MAIN, ...args, '--data-dir', dataDir], {
    env: { ...process.env, ...ENVIRONMENT, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  let peakMb = 0
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child))
  }, 200)
  const ended = once(child, 'close')
  child.stdin.on('error', () => undefined)
  for (const line of input ?? []) if (!child.stdin.write(line)) await Promise.race([once(child.stdin, 'drain'), ended])
  child.stdin.end()
  const [code] = await ended
  clearInterval(sampling)
  if (code !== 0) throw new Error(`mneme ${args.join(' ')} ended with ${code}.`)
  return { ms: Math.round(performance.now() - startedAt), peakMb: Math.round(peakMb) }
}

function peakOf({ pid }: ChildProcess): number {
  const status = `/proc/${pid}/status`
  return existsSync(status) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) / 1024 : 0
}

async function measureCalls(dataDir: string, owners: number) {
  const connection = await connect({ args: [MAIN, 'mcp', '--data-dir', dataDir], env: ENVIRONMENT })
  const ask = (tool: string, nth: number, owner: number, more: object = {}): Promise<unknown> =>
    callWhenReady(connection, tool, { query: queryAt(nth), user_id: `owner-${owner % owners}`, limit: LIMIT, ...more })
  const fast = { effort: 'fast' }
  try {
    const loadedAt = performance.now()
    // Another owner than the one measured below, where there are several: only the model is loaded by this.
    await ask('recall', -1, owners - 1, fast)
    const firstWithModelMs = round(performance.now() - loadedAt)
    const startedAt = performance.now()
    await ask('recall', -1, 0, fast)
    const firstOfOwnerMs = round(performance.now() - startedAt)
    const found = z.object({ results: z.array(z.object({ content: z.string() })) })
    const { content } = factAt(owners * 7)
    const { results } = found.parse(await ask('search_text', 0, 0, { query: content }))
    if (results[0]?.content !== content) throw new Error(`The first result for "${content}" is another fact.`)
    const textMs = summarise(await timed(CALLS, (i) => ask('search_text', i, 0)))
    const searchMs = summarise(await timed(CALLS, (i) => ask('search', 1000 + i, 0)))
    const searchBeyondMs = summarise(await timed(CALLS, (i) => ask('search', 1000 + i, 0)))
    const recallMs = summarise(await timed(CALLS, (i) => ask('recall', 2000 + i, 0, fast)))
    // The same queries again: their vectors are cached.
    const recallBeyondMs = summarise(await timed(CALLS, (i) => ask('recall', 2000 + i, 0, fast)))
    const bestMs = summarise(await timed(CALLS, (i) => ask('recall', 4000 + i, 0)))
    const storeMs = summarise(
      await timed(CALLS, (i) => connection.call('store_memory', { content: `Measured fact ${i} of ${queryAt(i)}`, user_id: 'owner-0' })),
    )
    const residentMb = Math.round(connection.residentMegabytes())
    const everyOwner = owners === 1 ? {} : { ownersInTurn: summarise(await timed(200, (i) => ask('recall', 3000 + i, 1 + i, fast))) }
    return {
      ...{ firstWithModelMs, firstOfOwnerMs, textMs, searchMs, searchBeyondMs, recallMs, recallBeyondMs, bestMs, storeMs, residentMb },
      ...everyOwner,
      residentAfterMb: Math.round(connection.residentMegabytes()),
    }
  } finally {
    await connection.close()
  }
}

async function measureStore(facts: number, owners: number, folder: string) {
  const dataDir = join(folder, `${facts}-${owners}`)
  const filledMark = join(dataDir, 'filled.json')
  mkdirSync(dataDir, { recursive: true })
  let filled: object = {}
  if (existsSync(filledMark)) filled = { ...JSON.parse(readFileSync(filledMark, 'utf8')) }
  else {
    progress(`${facts} facts of ${owners} owners: import without vectors`)
    const plain = join(dataDir, 'plain')
    const { ms, peakMb } = await run(['import'], plain, lines(facts, owners, false), { MNEME_EMBEDDER: 'none' })
    rmSync(plain, { recursive: true })
    progress(`${facts} facts of ${owners} owners: import with vectors`)
    const withVectors = await run(['import'], dataDir, lines(facts, owners, true))
    filled = {
      import: { seconds: round(ms / 1000), perSecond: Math.round(facts / (ms / 1000)), peakMb },
      importWithVectors: {
        seconds: round(withVectors.ms / 1000),
        perSecond: Math.round(facts / (withVectors.ms / 1000)),
        peakMb: withVectors.peakMb,
      },
    }
    writeFileSync(filledMark, JSON.stringify(filled))
  }
  progress(`${facts} facts of ${owners} owners: calls`)
  const calls = await measureCalls(dataDir, owners)
  const fileMb = Math.round(statSync(join(dataDir, 'mneme.db')).size / 2 ** 20)
  if (values['calls-only']) return { facts, owners, ...filled, fileMb, calls }
  const upkeep: Record<string, Ran> = {}
  const backup = join(dataDir, 'copy.db')
  for (const [name, args] of Object.entries({ doctor: ['doctor'], backup: ['backup', backup], compact: ['compact'] })) {
    progress(`${facts} facts of ${owners} owners: ${name}`)
    upkeep[name] = await run(args, dataDir)
  }
  rmSync(backup, { force: true })
  return { facts, owners, ...filled, fileMb, calls, ...upkeep }
}

const folder = values.store ?? mkdtempSync(join(tmpdir(), 'mneme-million-'))
try {
  const results: object[] = []
  for (const owners of values.owners.split(',').map(Number)) results.push(await measureStore(Number(values.facts), owners, folder))
  process.stdout.write(`${JSON.stringify(saveResult('million', results, values.out).results, null, 1)}\n`)
} finally {
  if (values.store === undefined) rmSync(folder, { recursive: true, force: true })
}
