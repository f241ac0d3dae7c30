import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { percentile } from './load.js'

/** A server, and its key if required. */
export interface Door {
  readonly url: string
  readonly key: string | undefined
}

const TOPICS = ['harbour', 'ferry', 'pilot', 'crane', 'storm', 'cargo', 'tide', 'pier']

async function call({ url, key }: Door, tool: string, input: object): Promise<void> {
  const response = await fetch(`${url}/v1/memory/${tool}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) },
    body: JSON.stringify(input),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${tool} answered ${response.status}: ${text}`)
}

const note = (i: number): object => ({
  content: `Note ${i}: the ${TOPICS[i % 8]} of day ${i % 365} was seen by ${TOPICS[(i * 3) % 8]} crew ${i % 91}.`,
})
const question = (i: number): object => ({ query: `What was seen of the ${TOPICS[i % 8]} by crew ${i % 91}?` })

/** Each call to both servers in turn, so that other load affects both alike. */
export async function sideBySide(doors: Readonly<Record<string, Door>>, rounds: number): Promise<Record<string, number>> {
  const times = new Map<string, number[]>()
  for (let i = 0; i < rounds; i++) {
    const order = i % 2 === 0 ? Object.entries(doors) : Object.entries(doors).reverse()
    for (const [tool, input] of [
      ['store_memory', note(1_000_000 + i)],
      ['recall', question(i)],
    ] as const) {
      for (const [name, door] of order) {
        const since = performance.now()
        await call(door, tool, input)
        if (i < rounds / 5) continue
        const key = `${tool} ${name}`
        times.set(key, [...(times.get(key) ?? []), performance.now() - since])
      }
    }
  }
  return Object.fromEntries([...times].map(([name, list]) => [`${name} p50 ms`, percentile(list, 50)]))
}

/** Fills a store through its server. */
export async function fillMemory(door: Door, facts: number): Promise<void> {
  const workers = Array.from({ length: 16 }, async (_, worker) => {
    for (let i = worker; i < facts; i += 16) await call(door, 'store_memory', note(i))
  })
  await Promise.all(workers)
}

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
}

/** From the start of `mneme mcp` to its first response. */
export async function startTime(program: string, directory: string): Promise<number> {
  const since = performance.now()
  const args = [program, 'mcp', '--data-dir', directory, '--embedder', 'hash', '--log-level', 'error']
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.write(`${JSON.stringify(HELLO)}\n`)
  await once(child.stdout, 'data')
  const took = performance.now() - since
  child.kill('SIGTERM')
  await once(child, 'exit')
  return took
}
