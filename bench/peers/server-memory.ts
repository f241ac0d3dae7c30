import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import { STOP_WORDS, words } from '../../src/core/text/text.js'
import type { System } from '../quality/run.js'
import type { EvalMemory } from '../quality/sets.js'

const graph = z.object({ entities: z.array(z.object({ name: z.string() })) })

/**
 * The reference knowledge-graph server: one entity per memory, one process and file per pool. It matches the query as one substring, which
 * fails for questions; `wordByWord` searches each content word and orders results by the number of matches.
 */
export async function openServerMemory(peers: string, wordByWord: boolean): Promise<System> {
  const folder = mkdtempSync(join(tmpdir(), 'server-memory-'))
  const entry = join(peers, 'node_modules', '@modelcontextprotocol', 'server-memory', 'dist', 'index.js')
  const clients = new Map<string, Client>()
  const waiting = new Map<string, EvalMemory[]>()

  const clientFor = async (pool: string): Promise<Client> => {
    const known = clients.get(pool)
    if (known) return known
    const client = new Client({ name: 'quality-bench', version: '1' })
    const env = { ...getDefaultEnvironment(), MEMORY_FILE_PATH: join(folder, `${clients.size}.jsonl`) }
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [entry], env, stderr: 'ignore', maxBufferSize: 2 ** 28 }),
    )
    clients.set(pool, client)
    return client
  }

  /** It rewrites its file on every call, so memories are added in batches. */
  const flush = async (pool: string): Promise<void> => {
    const batch = waiting.get(pool) ?? []
    if (batch.length === 0) return
    waiting.set(pool, [])
    const entities = batch.map((memory) => ({
      name: memory.id,
      entityType: memory.title ?? 'memory',
      observations: [[memory.date, memory.author, memory.content].filter((part) => part !== null).join(' ')],
    }))
    await (await clientFor(pool)).callTool({ name: 'create_entities', arguments: { entities } }, { timeout: 300_000 })
  }

  const search = async (client: Client, query: string): Promise<string[]> => {
    const result = await client.callTool({ name: 'search_nodes', arguments: { query } }, { timeout: 300_000 })
    return graph.parse(result.structuredContent).entities.map((entity) => entity.name)
  }

  return {
    store(memory) {
      const list = waiting.get(memory.pool)
      if (list) list.push(memory)
      else waiting.set(memory.pool, [memory])
      return Promise.resolve()
    },
    async ask(question, _mode, limit) {
      await flush(question.pool)
      const client = await clientFor(question.pool)
      const terms = wordByWord ? new Set(words(question.query).filter((word) => !STOP_WORDS.has(word))) : [question.query]
      const start = performance.now()
      const matches = new Map<string, number>()
      for (const term of terms) for (const name of await search(client, term)) matches.set(name, (matches.get(name) ?? 0) + 1)
      const ranked = [...matches].sort((a, b) => b[1] - a[1]).map(([name]) => name)
      return { ranked: ranked.slice(0, limit), milliseconds: performance.now() - start }
    },
    async close() {
      for (const client of clients.values()) await client.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
