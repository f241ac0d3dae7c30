import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { openMemory } from '../../src/library.js'
import { type Connection, callWhenReady, connect } from '../latency/client.js'
import { factAt, queryAt } from '../latency/corpus.js'
import { round, type Summary, summarise, timed } from '../latency/samples.js'

// npm run bench:rerank: what the reranker costs, over stdio and inside a process; written to bench/results/rerank.json.
const root = fileURLToPath(new URL('../..', import.meta.url))
const main = join(root, 'dist', 'main.js')
/** `npm run bench:rerank -- --quick` only shows that it runs. */
const quick = process.argv.includes('--quick')
const CALLS = quick ? 5 : 100
const AT_ONCE = 20
const IDLE_MS = 2000
const progress = (text: string): void => void process.stderr.write(`${text}\n`)

/** Short notes that stand for themselves, turns of conversations, and long messages, of which several places are read. */
const KINDS = {
  notes: { count: quick ? 40 : 200, metadata: (_: number): Record<string, string> => ({}) },
  conversations: {
    count: quick ? 40 : 1000,
    metadata: (i: number): Record<string, string> => {
      const { session, author } = factAt(i)
      return { session, author }
    },
  },
  longMessages: { count: quick ? 40 : 100, metadata: (_: number): Record<string, string> => ({}) },
} as const
type Kind = keyof typeof KINDS

/** Facts of about twenty words, so that a message has about a thousand tokens. */
const FACTS_OF_A_MESSAGE = 40

function contentOf(kind: Kind, i: number): string {
  if (kind === 'notes') return factAt(i).content.split(' ').slice(0, 12).join(' ')
  if (kind === 'conversations') return factAt(i).content
  return Array.from({ length: FACTS_OF_A_MESSAGE }, (_, k) => factAt(i * FACTS_OF_A_MESSAGE + k).content).join('\n')
}

const answered = z.object({ notice: z.string().optional(), reranking: z.string().optional() })

interface Cost {
  readonly fastMs: Summary
  readonly bestMs: Summary
  /** Answers of `best` that came without the reranker. */
  readonly missed: number
}

async function measure(kind: Kind): Promise<Cost> {
  return withServer([], async (connection) => {
    const { count, metadata } = KINDS[kind]
    for (let i = 0; i < count; i++) await connection.call('store_memory', { content: contentOf(kind, i), metadata: metadata(i) })
    await settled(connection)
    const ask = async (i: number, effort: string): Promise<unknown> =>
      callWhenReady(connection, 'recall', { query: queryAt(i), limit: 10, effort, explain: true })
    const fastMs = summarise(await timed(CALLS, (i) => ask(i, 'fast')))
    let missed = 0
    const bestMs = summarise(
      await timed(CALLS, async (i) => {
        if (answered.parse(await ask(5000 + i, 'best')).reranking !== 'used') missed++
      }),
    )
    return { fastMs, bestMs, missed }
  })
}

/** Until no text waits for a vector. */
async function settled(connection: Connection): Promise<void> {
  const waiting = z.object({ embedding: z.object({ pending: z.number() }) })
  while (waiting.parse(await connection.call('get_status', {})).embedding.pending > 0) await delay(200)
}

/** Megabytes with the embedder alone, with both models, and when both have left. */
async function measureMemory(): Promise<Readonly<Record<'embedder' | 'both' | 'unloaded' | 'neverReranked', number>>> {
  const asked = async (connection: Connection, effort: string): Promise<number> => {
    for (let i = 0; i < (quick ? 5 : 30); i++) await callWhenReady(connection, 'recall', { query: queryAt(i), limit: 10, effort })
    return Math.round(connection.residentMegabytes())
  }
  const fill = async (connection: Connection): Promise<void> => {
    for (let i = 0; i < KINDS.notes.count; i++)
      await connection.call('store_memory', { content: factAt(i).content, metadata: KINDS.conversations.metadata(i) })
  }
  const idle = ['--embed-idle-ms', String(IDLE_MS)]
  const rest = async (connection: Connection): Promise<number> => {
    await delay(IDLE_MS * 3)
    return Math.round(connection.residentMegabytes())
  }
  const reranked = await withServer(idle, async (connection) => {
    await fill(connection)
    return { embedder: await asked(connection, 'fast'), both: await asked(connection, 'best'), unloaded: await rest(connection) }
  })
  const neverReranked = await withServer([...idle, '--rerank', '0'], async (connection) => {
    await fill(connection)
    await asked(connection, 'best')
    return rest(connection)
  })
  return { ...reranked, neverReranked }
}

interface LoopCost {
  readonly p99Ms: number
  readonly longestMs: number
  readonly questions: number
  readonly allMs: number
  readonly missed: number
}

/** How long the event loop is held while many questions are reranked at once. */
async function measureLoop(): Promise<LoopCost> {
  return inFolder(async (dataDir) => {
    const memory = await openMemory({ dataDir, logLevel: 'error' })
    try {
      await memory.remember(...Array.from({ length: 100 }, (_, i) => ({ text: factAt(i).content, ...KINDS.conversations.metadata(i) })))
      for (let i = 0; i < 5; i++) await memory.recall(queryAt(i))
      const loop = monitorEventLoopDelay({ resolution: 1 })
      loop.enable()
      const startedAt = performance.now()
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => memory.recall(queryAt(100 + i))))
      const allMs = round(performance.now() - startedAt)
      loop.disable()
      return {
        // The timer itself waits for one step of its resolution.
        p99Ms: round(loop.percentile(99) / 1e6 - 1),
        longestMs: round(loop.max / 1e6 - 1),
        questions: AT_ONCE,
        allMs,
        missed: answers.filter(({ rerank }) => rerank.state !== 'used').length,
      }
    } finally {
      await memory.close()
    }
  })
}

async function withServer<T>(flags: readonly string[], work: (connection: Connection) => Promise<T>): Promise<T> {
  return inFolder(async (dataDir) => {
    const env = { MNEME_LOG_LEVEL: 'error', MNEME_SEARCH_CACHE_ENABLED: 'false' }
    const connection = await connect({ args: [main, 'mcp', '--data-dir', dataDir, ...flags], env })
    try {
      return await work(connection)
    } finally {
      await connection.close()
    }
  })
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-rerank-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const loadAverage = round(loadavg()[0] ?? 0)
progress('notes')
const notes = await measure('notes')
progress('conversations')
const conversations = await measure('conversations')
progress('long messages')
const longMessages = await measure('longMessages')
progress('memory')
const memoryMb = await measureMemory()
progress('event loop')
const eventLoop = await measureLoop()
const report = {
  at: new Date().toISOString(),
  machine: { cpu: cpus()[0]?.model.trim() ?? 'unknown', cores: availableParallelism(), node: process.versions.node },
  loadAverage,
  candidates: 30,
  notes,
  conversations,
  longMessages,
  memoryMb,
  eventLoop,
}
mkdirSync(join(root, 'bench', 'results'), { recursive: true })
writeFileSync(join(root, 'bench', 'results', 'rerank.json'), `${JSON.stringify(report, null, 2)}\n`)
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
