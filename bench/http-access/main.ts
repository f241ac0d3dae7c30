import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { saveResult } from '../result.js'
import { fillGardens } from './fill.js'
import { load, percentile, type Sample } from './load.js'
import { fillMemory, sideBySide, startTime } from './memory.js'

// npm run bench http-access -- [--only access,memory,load] [--keep folder] [--facts 100000] [--load-facts 50000] [--seconds 60]
// [--connections 64] [--out file]
// Cost of keys and gardens: recall with a key for half of 50 gardens compared to a store without gardens; a server under load with four
// recalls per assert, compared to an empty route; the memory contract with and without keys in alternation; the start of `mneme mcp`.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    out: { type: 'string' },
    only: { type: 'string', default: 'access,memory,load' },
    facts: { type: 'string', default: '100000' },
    'memory-facts': { type: 'string', default: '10000' },
    'load-facts': { type: 'string', default: '50000' },
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '64' },
    rounds: { type: 'string', default: '200' },
    keep: { type: 'string' },
  },
})
const GARDENS = 50
const program = join(process.cwd(), 'dist', 'main.js')

interface Served {
  readonly url: string
  readonly child: ChildProcess
}

async function serve(directory: string): Promise<Served> {
  const args = ['serve', '--port', '0', '--data-dir', directory, '--embedder', 'hash', '--rate-limit', '0', '--log-level', 'error']
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  while (!output.includes('listening on ')) await once(child.stderr ?? child, 'data')
  return { url: /listening on (http:\S+)/u.exec(output)?.[1] ?? '', child }
}

async function stop({ child }: Served): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

const question = (i: number) => ({ query: `what is known of the harbour and pier ${i % 97}`, token_budget: 800 })

/** Sequential recalls, so that only the store is measured. */
async function recallTimes(url: string, key: string, rounds: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let i = 0; i < rounds; i++) {
    const since = performance.now()
    const response = await fetch(`${url}/v1/recall`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: JSON.stringify(question(i)),
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`recall answered ${response.status}`)
    if (i >= rounds / 5) times.push(performance.now() - since)
  }
  return times
}

interface Filled {
  readonly directory: string
  readonly key: string
}

/** A store of this run, or of an earlier one with this name. */
async function filled(root: string, name: string, options: Parameters<typeof fillGardens>[1]): Promise<Filled> {
  const directory = join(root, `${name}-${options.facts}`)
  const keyFile = `${directory}.key`
  if (!existsSync(keyFile)) {
    rmSync(directory, { recursive: true, force: true })
    writeFileSync(keyFile, await fillGardens(directory, options))
  }
  return { directory, key: readFileSync(keyFile, 'utf8') }
}

/** A folder for stores; a named one is kept for reuse. */
async function inFolder<T>(use: (root: string) => Promise<T>): Promise<T> {
  if (values.keep !== undefined) {
    mkdirSync(values.keep, { recursive: true })
    return use(values.keep)
  }
  const root = mkdtempSync(join(tmpdir(), 'mneme-doors-'))
  try {
    return await use(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const access = (): Promise<object> =>
  inFolder(async (root) => {
    const facts = Number(values.facts)
    const gardened = await filled(root, 'gardens', { facts, gardens: GARDENS, readable: GARDENS / 2 })
    const plain = await filled(root, 'plain', { facts, gardens: 0, readable: 0 })
    const half = await filled(root, 'plain', { facts: Math.round(facts / 2), gardens: 0, readable: 0 })
    const result: Record<string, number> = {}
    for (const [name, { directory, key }] of [
      ['gardens', gardened],
      ['without', plain],
      ['half', half],
      ['gardens again', gardened],
    ] as const) {
      const served = await serve(directory)
      const times = await recallTimes(served.url, key, Number(values.rounds))
      await stop(served)
      result[`${name} p50 ms`] = percentile(times, 50)
      result[`${name} p95 ms`] = percentile(times, 95)
    }
    return { facts, gardens: GARDENS, ...result }
  })

const residentMb = ({ child }: Served): number => {
  const line = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}

/** An empty route: the maximum throughput of the stack. */
async function bareRoute(options: Parameters<typeof load>[1]): Promise<Sample> {
  const app = new Hono()
  app.post('/v1/recall', (c) => c.json({ results: [] }))
  app.post('/v1/facts', (c) => c.json({}, 201))
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const sample = await load(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`, options)
  server.close()
  return sample
}

const STARTS = 11

/** The memory contract of equal stores with and without keys. */
const memory = (): Promise<object> =>
  inFolder(async (root) => {
    const facts = Number(values['memory-facts'])
    const [closed, open] = [join(root, 'with-keys'), join(root, 'without-keys')]
    const { key } = JSON.parse(
      execFileSync(process.execPath, [program, 'keys', 'create', '--owner', 'default', '--data-dir', closed, '--json'], {
        encoding: 'utf8',
      }),
    )
    const served = [await serve(closed), await serve(open)]
    const [first, second] = served
    if (first === undefined || second === undefined) throw new Error('no servers')
    const doors = { 'with keys': { url: first.url, key: String(key) }, 'without keys': { url: second.url, key: undefined } }
    for (const door of Object.values(doors)) await fillMemory(door, facts)
    const calls = await sideBySide(doors, Number(values.rounds))
    for (const entry of served) await stop(entry)
    const starts = { closed: [] as number[], open: [] as number[] }
    for (let i = 0; i < STARTS; i++) {
      starts.closed.push(await startTime(program, closed))
      starts.open.push(await startTime(program, open))
    }
    return {
      facts,
      ...calls,
      'start with keys p50 ms': percentile(starts.closed, 50),
      'start without keys p50 ms': percentile(starts.open, 50),
    }
  })

const underLoad = (): Promise<object> =>
  inFolder(async (root) => {
    const { directory, key } = await filled(root, 'load', { facts: Number(values['load-facts']), gardens: 0, readable: 0 })
    const served = await serve(directory)
    const options = { key, connections: Number(values.connections), seconds: Number(values.seconds) }
    await load(served.url, { ...options, seconds: Math.min(5, options.seconds) })
    const memory: number[] = []
    const timer = setInterval(() => memory.push(residentMb(served)), 500)
    const sample = await load(served.url, options)
    clearInterval(timer)
    await stop(served)
    const part = Math.max(1, Math.round((memory.length * 10) / Math.max(10, options.seconds)))
    const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length)
    return {
      facts: Number(values['load-facts']),
      ...sample,
      memory: { firstMb: mean(memory.slice(0, part)), lastMb: mean(memory.slice(-part)) },
      bare: await bareRoute({ ...options, seconds: Math.min(10, options.seconds) }),
    }
  })

const results: Record<string, object> = {}
for (const [name, measure] of Object.entries({ access, memory, load: underLoad })) {
  if (!values.only.split(',').includes(name)) continue
  results[name] = await measure()
  process.stdout.write(`${name} ${JSON.stringify(results[name])}\n`)
}
saveResult('http-access', results, values.out)
