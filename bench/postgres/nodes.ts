import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { remember } from '../../src/engine/facts/remember.js'
import { recall } from '../../src/engine/search/recall.js'
import { fill, lines, opened } from './measure.js'

const OWNERS = 100
const CLIENTS = 16

const planSchema = z.union([
  z.object({ kind: z.literal('load'), url: z.string(), node: z.int(), seconds: z.number() }),
  z.object({ kind: z.literal('memory'), url: z.string(), owners: z.int(), facts: z.int(), memoryMb: z.int() }),
])

/** What one process of the bench does. */
export async function sideBySide(given: unknown): Promise<void> {
  const plan = planSchema.parse(given)
  const told = plan.kind === 'load' ? await load(plan.url, plan.node, plan.seconds) : await memory(plan)
  process.stdout.write(`${JSON.stringify(told)}\n`)
}

/** Stores and recalls of many clients on one node. */
const load = (url: string, node: number, seconds: number): Promise<object> =>
  opened({ name: 'node', flags: { database: url, dataDir: '/tmp/mneme-bench-node' } }, async (environment) => {
    const signal = new AbortController().signal
    const endAt = performance.now() + seconds * 1000
    const done = { stores: 0, recalls: 0 }
    const work = async (client: number): Promise<void> => {
      for (let n = 0; performance.now() < endAt; n++) {
        const owner = `owner-${(client * 7 + node * 13 + n) % OWNERS}`
        if (n % 2 === 0) {
          await remember(environment, 'bench', [{ owner, text: `Node ${node} client ${client} stored item${n}.` }])
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

/** So many nodes at once on one database. */
export async function many(program: string, url: string, nodes: number, seconds: number): Promise<object> {
  const told = await Promise.all(
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
  const sum = (of: 'stores' | 'recalls'): number => Math.round(told.reduce((all, one) => all + one[of], 0) / seconds)
  return { nodes, storesPerSecond: sum('stores'), recallsPerSecond: sum('recalls') }
}

/** Many owners asked in turn under a limit: what the process holds at most, and whether every answer was right. */
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
      await fill(
        environment,
        lines(plan.owners * plan.facts, true, (n) => `owner-${n % plan.owners}`),
      )
      const empty = process.memoryUsage().rss
      let [most, wrong] = [0, 0]
      for (let owner = 0; owner < plan.owners; owner++) {
        const n = owner + plan.owners * (owner % plan.facts)
        const { results } = await recall(environment, { text: `item${n}`, limit: 3, owner: `owner-${owner}`, effort: 'fast', signal })
        if (!results.some(({ fact }) => fact.text.includes(`item${n} `))) wrong++
        most = Math.max(most, process.memoryUsage().rss)
      }
      const mb = (bytes: number): number => Math.round(bytes / 2 ** 20)
      return { owners: plan.owners, factsEach: plan.facts, budgetMb: plan.memoryMb, emptyMb: mb(empty), mostMb: mb(most), wrong }
    },
    { searchMemoryMb: String(plan.memoryMb) },
  )
