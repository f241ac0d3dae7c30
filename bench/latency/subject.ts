import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Connection, callWhenReady, connect, type ServerCommand } from './client.js'
import { factAt, queryAt } from './corpus.js'
import { loadStore } from './load.js'
import { round, type Summary, summarise, timed } from './samples.js'

const stored = z.object({ id: z.string() })

export interface SizeResult {
  readonly facts: number
  readonly embedder: string
  readonly importPerSecond: number
  readonly importedInSeconds: number
  readonly startMs: Summary
  readonly listingBytes: number
  readonly storeMs: Summary
  readonly getMs: Summary
  readonly searchTextMs: Summary
  readonly searchMs: Summary
  /** The same queries again: their vectors are cached, so only the search remains. */
  readonly searchBeyondEmbeddingMs: Summary
  readonly recallMs: Summary
  readonly recallBeyondEmbeddingMs: Summary
  /** From a start with the full store to the first search result: the cost of loading the indexes. */
  readonly firstSearchMs: number
  /** The same vector search after another process stored a fact, which must be found. */
  readonly searchAfterForeignWriteMs: Summary
  readonly residentMb: number
}

export interface Size {
  readonly facts: number
  readonly embedder: string
  readonly dataDir: string
}

const STARTS = 9
const CALLS = 200
const RESULT_LIMIT = 10

export function commandFor(main: string, { dataDir, embedder }: Omit<Size, 'facts'>): ServerCommand {
  // Disables the search cache.
  const env = { MNEME_LOG_LEVEL: 'error', MNEME_SEARCH_CACHE_ENABLED: 'false', MNEME_EMBEDDER: embedder }
  return { args: [main, 'mcp', '--data-dir', dataDir], env }
}

export async function measureSize(main: string, size: Size, progress: (text: string) => void): Promise<SizeResult> {
  const command = commandFor(main, size)
  progress(`${size.facts} facts: importing`)
  const plain = join(size.dataDir, 'plain')
  mkdirSync(plain)
  const loadMs = await loadStore(main, plain, { count: size.facts, env: { ...command.env, MNEME_EMBEDDER: 'none' }, vectors: false })
  rmSync(plain, { recursive: true })
  await loadStore(main, size.dataDir, { count: size.facts, env: command.env, vectors: size.embedder === 'local' })

  progress(`${size.facts} facts: starting ${STARTS} times`)
  const starts: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const connection = await connect(command)
    starts.push(connection.startMs)
    await connection.close()
  }

  const connection = await connect(command)
  try {
    const startedAt = performance.now()
    await callWhenReady(connection, 'search', { query: queryAt(-1), limit: RESULT_LIMIT })
    const firstSearchMs = round(performance.now() - startedAt)
    progress(`${size.facts} facts: measuring calls`)
    return {
      facts: size.facts,
      embedder: size.embedder,
      importPerSecond: Math.round(size.facts / (loadMs / 1000)),
      importedInSeconds: round(loadMs / 1000),
      startMs: summarise(starts),
      listingBytes: await connection.listingBytes(),
      ...(await measureCalls(connection, size.facts)),
      searchAfterForeignWriteMs: await measureForeignWrites(command, connection),
      firstSearchMs,
      residentMb: Math.round(connection.residentMegabytes()),
    }
  } finally {
    await connection.close()
  }
}

async function measureCalls(connection: Connection, facts: number) {
  const ids: string[] = []
  const storeMs = await timed(CALLS, async (i) => {
    const { content, session, author } = factAt(facts + i)
    ids.push(stored.parse(await connection.call('store_memory', { content, metadata: { session, author } })).id)
  })
  const getMs = await timed(CALLS, (i) => connection.call('get_memory', { id: ids[i % ids.length] }))
  const ask = (tool: string, first: number, more: Readonly<Record<string, unknown>> = {}) =>
    timed(CALLS / 2, (i) => connection.call(tool, { query: queryAt(first + i), limit: RESULT_LIMIT, ...more }))
  // The reranker has its own bench.
  const fast = { effort: 'fast' }
  return {
    storeMs: summarise(storeMs),
    getMs: summarise(getMs),
    searchTextMs: summarise(await ask('search_text', 0)),
    searchMs: summarise(await ask('search', 1000)),
    searchBeyondEmbeddingMs: summarise(await ask('search', 1000)),
    recallMs: summarise(await ask('recall', 2000, fast)),
    recallBeyondEmbeddingMs: summarise(await ask('recall', 2000, fast)),
  }
}

const FOREIGN_WRITES = 50

/** Another process writes, this one searches at once; a missing fact fails the bench. */
async function measureForeignWrites(command: ServerCommand, reader: Connection): Promise<Summary> {
  const writer = await connect(command)
  const found = z.object({ results: z.array(z.object({ id: z.string() })) })
  const samples: number[] = []
  try {
    for (let i = 0; i < FOREIGN_WRITES; i++) {
      const content = `Another process noted ${queryAt(9000 + i)}`
      // Caches the vector of the query first, so that only the search is timed.
      await reader.call('search', { query: content, limit: RESULT_LIMIT })
      const { id } = stored.parse(await writer.call('store_memory', { content }))
      const startedAt = performance.now()
      const { results } = found.parse(await reader.call('search', { query: content, limit: RESULT_LIMIT }))
      samples.push(performance.now() - startedAt)
      if (!results.some((hit) => hit.id === id)) throw new Error('A fact that another process had acknowledged was not found.')
    }
  } finally {
    await writer.close()
  }
  return summarise(samples)
}
