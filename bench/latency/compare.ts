import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Connection, callWhenReady, connect, type ServerCommand } from './client.js'
import { factAt, queryAt } from './corpus.js'
import { loadStore } from './load.js'
import { round, type Summary, summarise } from './samples.js'

/** One of the two programs with its measurements. */
interface Side {
  readonly name: string
  readonly main: string
  readonly command: ServerCommand
  readonly dataDir: string
}

export interface BesideResult {
  readonly name: string
  readonly importPerSecond: readonly number[]
  readonly startMs: Summary
  readonly firstSearchMs: readonly number[]
  readonly calls: Readonly<Record<string, Summary>>
  readonly residentMb: number
}

const STARTS = 9
const CALLS = 200
/** Code is compiled after some dozen runs; later calls are compared. */
const WARM_UP = 100
const stored = z.object({ id: z.string() })

/** Two built programs on stores with the same facts, called in turn, so that other load affects both alike. */
export async function measureAlternately(
  mains: Readonly<Record<string, string>>,
  { facts, folder, progress }: { facts: number; folder: string; progress: (text: string) => void },
): Promise<readonly BesideResult[]> {
  const sides = Object.entries(mains).map(([name, main]): Side => {
    const dataDir = join(folder, name)
    mkdirSync(dataDir)
    const env = { MNEME_LOG_LEVEL: 'error', MNEME_SEARCH_CACHE_ENABLED: 'false', MNEME_EMBEDDER: 'local' }
    return { name, main, dataDir, command: { args: [main, 'mcp', '--profile', 'memory,graph', '--data-dir', dataDir], env } }
  })
  const imports = await inTurn(sides, 2, async ({ main, dataDir, command, name }, round) => {
    progress(`${name}: importing ${facts} facts`)
    const plain = join(dataDir, `plain${round}`)
    mkdirSync(plain)
    const took = await loadStore(main, plain, { count: facts, env: { ...command.env, MNEME_EMBEDDER: 'none' }, vectors: false })
    return Math.round(facts / (took / 1000))
  })
  for (const { main, dataDir, command } of sides) await loadStore(main, dataDir, { count: facts, env: command.env, vectors: true })
  progress('starting both in turn')
  const starts = await inTurn(sides, STARTS, async ({ command }) => {
    const connection = await connect(command)
    await connection.close()
    return connection.startMs
  })
  const firsts = await inTurn(sides, 3, async ({ command }) => {
    const connection = await connect(command)
    const since = performance.now()
    await callWhenReady(connection, 'search', { query: queryAt(-1), limit: 10 })
    const took = performance.now() - since
    await connection.close()
    return round(took)
  })
  const connections = new Map<string, Connection>()
  try {
    for (const { name, command } of sides) connections.set(name, await connect(command))
    progress('asking both in turn')
    const calls = await measureCalls(sides, (name) => need(connections.get(name)), facts)
    return sides.map(({ name }) => ({
      name,
      importPerSecond: need(imports.get(name)),
      startMs: summarise(need(starts.get(name))),
      firstSearchMs: need(firsts.get(name)),
      calls: need(calls.get(name)),
      residentMb: Math.round(need(connections.get(name)).residentMegabytes()),
    }))
  } finally {
    for (const connection of connections.values()) await connection.close()
  }
}

async function measureCalls(sides: readonly Side[], to: (name: string) => Connection, facts: number) {
  const ids = new Map<string, string[]>(sides.map(({ name }) => [name, []]))
  const idOf = (name: string, i: number): string => {
    const own = need(ids.get(name))
    return own[i % own.length] ?? ''
  }
  const plans: Readonly<Record<string, (name: string, i: number) => Promise<unknown>>> = {
    async store_memory(name, i) {
      const { content, session, author } = factAt(facts + i)
      const { id } = stored.parse(await to(name).call('store_memory', { content, metadata: { session, author } }))
      need(ids.get(name)).push(id)
    },
    get_memory: (name, i) => to(name).call('get_memory', { id: idOf(name, i) }),
    get_context: (name, i) => to(name).call('get_context', { node_id: idOf(name, i) }),
    search_text: (name, i) => to(name).call('search_text', { query: queryAt(i), limit: 10 }),
    search: (name, i) => to(name).call('search', { query: queryAt(1000 + i), limit: 10 }),
    'search beyond the embedding': (name, i) => to(name).call('search', { query: queryAt(1000 + i), limit: 10 }),
    'recall (fast)': (name, i) => to(name).call('recall', { query: queryAt(2000 + i), limit: 10, effort: 'fast' }),
    'recall (fast) beyond the embedding': (name, i) => to(name).call('recall', { query: queryAt(2000 + i), limit: 10, effort: 'fast' }),
  }
  const found = new Map<string, Record<string, Summary>>(sides.map(({ name }) => [name, {}]))
  for (const [tool, ask] of Object.entries(plans)) {
    const samples = await inTurn(sides, CALLS + WARM_UP, async ({ name }, i) => {
      const since = performance.now()
      await ask(name, i)
      return performance.now() - since
    })
    for (const { name } of sides) need(found.get(name))[tool] = summarise(need(samples.get(name)).slice(WARM_UP))
  }
  return found
}

/** Runs the work for each program in turn, alternating the order. Returns times by program. */
async function inTurn(sides: readonly Side[], rounds: number, work: (side: Side, i: number) => Promise<number>) {
  const numbers = new Map<string, number[]>(sides.map(({ name }) => [name, []]))
  for (let i = 0; i < rounds; i++) {
    const order = i % 2 === 0 ? sides : [...sides].reverse()
    for (const side of order) need(numbers.get(side.name)).push(await work(side, i))
  }
  return numbers
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A side was not measured.')
  return value
}

export function renderComparison(results: readonly BesideResult[]): string {
  const [first, second] = results
  if (first === undefined || second === undefined) return ''
  const rows = Object.keys(first.calls).map((tool) => {
    const [a, b] = [first.calls[tool], second.calls[tool]]
    return [tool, a?.p50, a?.p95, b?.p50, b?.p95, `${round(((b?.p50 ?? 0) / (a?.p50 ?? 1) - 1) * 100)} %`]
  })
  const start = [first.startMs, second.startMs]
  rows.unshift(['start', start[0]?.p50, start[0]?.p95, start[1]?.p50, start[1]?.p95, ''])
  rows.push(['import per second', Math.max(...first.importPerSecond), '', Math.max(...second.importPerSecond), '', ''])
  rows.push(['first search', Math.min(...first.firstSearchMs), '', Math.min(...second.firstSearchMs), '', ''])
  rows.push(['resident MB', first.residentMb, '', second.residentMb, '', ''])
  const head = ['ms', `${first.name} p50`, 'p95', `${second.name} p50`, 'p95', 'change of p50']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
