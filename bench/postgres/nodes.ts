import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { z } from 'zod'
import { remember } from '../../src/engine/facts/remember.js'
import { recall } from '../../src/engine/recall/recall.js'
import { fill, lines, median, opened } from './measure.js'

const OWNERS = 100
const CLIENTS = 16

const planSchema = z.union([
  z.object({ kind: z.literal('load'), url: z.string(), node: z.int(), seconds: z.number() }),
  z.object({ kind: z.literal('memory'), url: z.string(), owners: z.int(), facts: z.int(), memoryMb: z.int() }),
])

/** The work of one process of the bench. */
export async function sideBySide(input: unknown): Promise<void> {
  const plan = planSchema.parse(input)
  const reports = plan.kind === 'load' ? await load(plan.url, plan.node, plan.seconds) : await memory(plan)
  process.stdout.write(`${JSON.stringify(reports)}\n`)
}

/** Writes and recalls of many clients on one node. */
const load = (url: string, node: number, seconds: number): Promise<object> =>
  opened({ name: 'node', flags: { database: url, dataDir: '/tmp/mneme-bench-node' } }, async (environment) => {
    const signal = new AbortController().signal
    const endAt = performance.now() + seconds * 1000
    const done = { stores: 0, recalls: 0 }
    const work = async (client: number): Promise<void> => {
      for (let n = 0; performance.now() < endAt; n++) {
        const owner = `owner-${(client * 7 + node * 13 + n) % OWNERS}`
        if (n % 2 === 0) {
          await remember(environment, { actor: 'bench' }, [{ owner, text: `Node ${node} client ${client} stored item${n}.` }])
          done.stores++
        } else {
          await recall(environment, { text: `what did client ${client} store?`, limit: 10, owner, effort: 'fast', signal })
          done.recalls++
        }
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)))
    return done
  })

const countsSchema = z.object({ stores: z.int(), recalls: z.int() })

/** Several nodes on one database. */
export async function many(program: string, url: string, nodes: number, seconds: number): Promise<object> {
  const reports = await Promise.all(
    Array.from({ length: nodes }, async (_, node) => {
      const child = spawn(process.execPath, [program, '--node', JSON.stringify({ kind: 'load', url, node, seconds })], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let out = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      await once(child, 'close')
      return countsSchema.parse(JSON.parse(out))
    }),
  )
  const sum = (kind: 'stores' | 'recalls'): number => Math.round(reports.reduce((all, entry) => all + entry[kind], 0) / seconds)
  return { nodes, storesPerSecond: sum('stores'), recallsPerSecond: sum('recalls') }
}

/** Tables that a search reads. */
const TABLES = ['owners', 'facts', 'fact_codes', 'vec_facts', 'names', 'mentions'] as const

/** Many owners. The first is imported; the others are copies of its rows, which takes minutes for a million facts. */
export async function manyOwners(url: string, owners: number, facts: number): Promise<void> {
  const place = { name: 'node', flags: { database: url, dataDir: '/tmp/mneme-bench-node' } }
  await opened(place, (environment) =>
    fill(
      environment,
      lines(facts, true, () => 'owner-0'),
    ),
  )
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const table of TABLES) {
    const { rows } = await client.query(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1`,
      [table],
    )
    const columns = rows.map((row) => String(row.name))
    const values = columns.map((column) => (column === 'owner' ? `'owner-' || k` : column === 'id' ? `t.id || '-' || k` : `t.${column}`))
    await client.query(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table} t CROSS JOIN generate_series(1, $1::int) k WHERE t.owner = 'owner-0'`,
      [owners - 1],
    )
  }
  await client.query('VACUUM ANALYZE')
  await client.end()
}

/** Queries many owners in turn under a limit: maximum memory of the process, and whether every result was correct. */
const memory = (plan: {
  readonly url: string
  readonly owners: number
  readonly facts: number
  readonly memoryMb: number
}): Promise<object> =>
  opened(
    { name: 'node', flags: { database: plan.url, dataDir: '/tmp/mneme-bench-node' } },
    async (environment) => {
      const signal = new AbortController().signal
      await environment.backlog.model()
      globalThis.gc?.()
      const empty = process.memoryUsage().rss
      let [max, held, wrong] = [0, 0, 0]
      const times: number[] = []
      for (let nth = 0; nth < plan.owners; nth++) {
        const owner = `owner-${nth}`
        const item = `item${nth % plan.facts} `
        const since = performance.now()
        const { results } = await recall(environment, { text: `where is ${item}?`, limit: 3, owner, effort: 'fast', signal })
        times.push(performance.now() - since)
        if (results[0]?.fact.text.includes(item) !== true || results.some(({ fact }) => fact.owner !== owner)) wrong++
        max = Math.max(max, process.memoryUsage().rss)
        held = Math.max(held, environment.memoryBytes())
      }
      const mb = (bytes: number): number => Math.round(bytes / 2 ** 20)
      return {
        ...{ owners: plan.owners, factsEach: plan.facts, budgetMb: plan.memoryMb, emptyMb: mb(empty), mostMb: mb(max) },
        ...{ unitsMb: mb(held), p50: median(times), wrong },
      }
    },
    { searchMemoryMb: String(plan.memoryMb) },
  )
