import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { connect, type ServerCommand } from './client.js'
import { factAt } from './corpus.js'
import { type Summary, summarise, timed } from './samples.js'
import { measureSurvival, type Survival } from './survivors.js'

const graph = z.object({ entities: z.array(z.object({ name: z.string() })) })

export interface ReferenceResult {
  readonly facts: number
  readonly startMs: Summary
  readonly listingBytes: number
  readonly storeMs: Summary
  readonly getMs: Summary
  readonly searchTextMs: Summary
  readonly residentMb: number
}

export function referenceCommand(peers: string, dataDir: string): ServerCommand {
  const entry = join(peers, 'node_modules', '@modelcontextprotocol', 'server-memory', 'dist', 'index.js')
  return { args: [entry], env: { MEMORY_FILE_PATH: join(dataDir, 'memory.jsonl') }, quiet: true }
}

/** The reference server under the same load: one entity per fact, in its own file format. */
export async function measureReference(peers: string, dataDir: string, facts: number): Promise<ReferenceResult> {
  const command = referenceCommand(peers, dataDir)
  writeFileSync(
    join(dataDir, 'memory.jsonl'),
    Array.from({ length: facts }, (_, i) => JSON.stringify({ type: 'entity', ...entity(i) })).join('\n'),
  )
  const starts: number[] = []
  for (let i = 0; i < 5; i++) {
    const connection = await connect(command)
    starts.push(connection.startMs)
    await connection.close()
  }
  const connection = await connect(command)
  try {
    // It reads the whole file for each call and rewrites it for each change, so fewer calls are measured.
    const calls = facts > 10_000 ? 10 : 50
    return {
      facts,
      startMs: summarise(starts),
      listingBytes: await connection.listingBytes(),
      storeMs: summarise(await timed(calls, (i) => connection.call('create_entities', { entities: [entity(facts + i)] }))),
      getMs: summarise(await timed(calls, (i) => connection.call('open_nodes', { names: [entity(i).name] }))),
      // It matches substrings only, so the query is a ticket number.
      searchTextMs: summarise(await timed(calls, (i) => connection.call('search_nodes', { query: ticketOf(i * 7) }))),
      residentMb: Math.round(connection.residentMegabytes()),
    }
  } finally {
    await connection.close()
  }
}

export function referenceSurvival(peers: string, dataDir: string, load: { processes: number; writesEach: number }): Promise<Survival> {
  return measureSurvival({
    ...load,
    command: referenceCommand(peers, dataDir),
    async write(connection, name) {
      const entities = [{ name, entityType: 'fact', observations: [`What ${name} says.`] }]
      try {
        await connection.call('create_entities', { entities })
      } catch (failure) {
        // A partly written file is reported by the server; a lost connection is a failure.
        if (failure instanceof Error && failure.message.startsWith('create_entities:')) return null
        throw failure
      }
      return name
    },
    async present(connection) {
      // A file torn by concurrent writers is unreadable, so nothing is present.
      const all = await connection.call('read_graph', {}).catch(() => ({ entities: [] }))
      return new Set(graph.parse(all).entities.map((found) => found.name))
    },
  })
}

function entity(number: number): { name: string; entityType: string; observations: string[] } {
  return { name: `fact ${number}`, entityType: 'fact', observations: [factAt(number).content] }
}

function ticketOf(number: number): string {
  return /[A-Z]+-\d+/.exec(factAt(number).content)?.[0] ?? ''
}
