import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { connect } from '../latency/client.js'
import { round } from '../latency/samples.js'
import { saveResult } from '../result.js'
import { measureIsolation } from './isolation.js'
import { dice, seedGraph } from './seed.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const progress = (text: string): void => void process.stderr.write(`${text}\n`)
const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '20000' },
    edges: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '500' },
    owners: { type: 'string', default: '200' },
    facts: { type: 'string', default: '50000' },
    'no-isolation': { type: 'boolean', default: false },
  },
})

const WARM_UP_CALLS = 50
const percentile = (sorted: readonly number[], share: number): number =>
  round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Row {
  readonly query: string
  readonly p50: number
  readonly p95: number
  readonly found: number
}

async function measureLatency(dataDir: string): Promise<readonly Row[]> {
  progress(`seeding ${values.nodes} nodes and ${values.edges} edges`)
  const { ids } = await seedGraph(dataDir, Number(values.nodes), Number(values.edges))
  const args = [join(root, 'dist', 'main.js'), 'mcp', '--profile', 'graph', '--data-dir', dataDir]
  const connection = await connect({ args, env: { MNEME_EMBEDDER: 'hash' } })
  const random = dice(7)
  const any = (): string => ids[Math.floor(random() * ids.length)] ?? ''
  const queries: readonly { readonly query: string; readonly tool: string; input(): Record<string, unknown>; readonly list: string }[] = [
    { query: 'get_node', tool: 'get_node', input: () => ({ node_id: any() }), list: 'node' },
    { query: 'get_context depth 1', tool: 'get_context', input: () => ({ node_id: any(), depth: 1 }), list: 'nodes' },
    { query: 'get_context depth 2', tool: 'get_context', input: () => ({ node_id: any(), depth: 2 }), list: 'nodes' },
    {
      query: 'get_context depth 2, 50 nodes',
      tool: 'get_context',
      input: () => ({ node_id: any(), depth: 2, max_nodes: 50 }),
      list: 'nodes',
    },
    { query: 'get_trace', tool: 'get_trace', input: () => ({ from_id: any(), to_id: any() }), list: 'paths' },
  ]
  const rows: Row[] = []
  for (const { query, tool, input, list } of queries) {
    progress(query)
    const times: number[] = []
    let found = 0
    for (let i = 0; i < Number(values.calls) + WARM_UP_CALLS; i++) {
      const args = input()
      const startedAt = performance.now()
      const answer = await connection.call(tool, args)
      if (i < WARM_UP_CALLS) continue
      times.push(performance.now() - startedAt)
      const part: unknown =
        typeof answer === 'object' && answer !== null ? Object.entries(answer).find(([key]) => key === list)?.[1] : undefined
      found += Array.isArray(part) ? part.length : 1
    }
    times.sort((a, b) => a - b)
    rows.push({ query, p50: percentile(times, 0.5), p95: percentile(times, 0.95), found: round(found / times.length) })
  }
  await connection.close()
  return rows
}

const latency = await inFolder(measureLatency)
const isolation = values['no-isolation']
  ? null
  : await inFolder((folder) => measureIsolation(folder, { owners: Number(values.owners), facts: Number(values.facts) }, progress))
saveResult('graph', { nodes: Number(values.nodes), edges: Number(values.edges), calls: Number(values.calls), latency, isolation })
const lines = latency.map((row) => `| ${row.query} | ${row.p50} | ${row.p95} | ${row.found} |`)
process.stdout.write(
  `| ${values.nodes} nodes, ${values.edges} edges | p50 ms | p95 ms | answers |\n|---|--:|--:|--:|\n${lines.join('\n')}\n`,
)
if (isolation !== null) process.stdout.write(`\n${JSON.stringify(isolation)}\n`)
