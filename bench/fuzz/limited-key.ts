import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { loadContracts } from '../../src/open.js'
import type { Random } from './random.js'
import { startServer } from './server-process.js'
import { createCallMaker, toFuzzed } from './tool-calls.js'
import { brief } from './verdict.js'

const CONTRACTS = ['memory', 'graph', 'substrate', 'stigmem'] as const
const AT_ONCE = 4
/** Part of every fact of the other owner, and of no call. */
const MARK = 'quillwort-4711-heron'

export interface LimitedKeyResult {
  readonly calls: number
  readonly by_status: Readonly<Record<string, number>>
  readonly server_errors: number
  readonly foreign_answers: number
  readonly beyond_deadline: number
  readonly slowest_ms: number
  readonly first_problems: readonly string[]
}

/** Calls of every contract with the key of one owner, while another owner's facts are in the same store. */
export async function fuzzWithKey(
  random: Random,
  { calls, seconds, deadlineMs }: { readonly calls: number; readonly seconds: number; readonly deadlineMs: number },
): Promise<LimitedKeyResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'mneme-fuzz-key-'))
  for (const folder of ['project', 'files', 'data']) mkdirSync(join(scratch, folder))
  writeFileSync(join(scratch, 'project', 'harbour.ts'), 'export const ferry = (name: string): string => name\n')
  const server = startServer(
    ['serve', '--port', '0', '--data-dir', join(scratch, 'data'), '--rate-limit', '0', '--call-timeout-ms', String(deadlineMs)],
    scratch,
  )
  await server.saw('listening on ')
  const base = new URL(/listening on (\S+)/u.exec(server.said())?.[1] ?? '')
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const send = (path: string, body: string, key?: string): Promise<{ status: number; text: string }> =>
    Promise.race([
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const headers = {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'Content-Length': Buffer.byteLength(body),
          ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        }
        const call = request(base, { agent, method: 'POST', path, headers }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
        })
        call.on('error', reject)
        call.end(body)
      }),
      server.gone,
    ])
  const made = z.object({ key: z.string() })
  const createKey = async (body: object, key?: string): Promise<string> =>
    made.parse(JSON.parse((await send('/v1/auth/keys', JSON.stringify(body), key)).text)).key
  const admin = await createKey({ owner: '*', rights: ['read', 'write', 'admin'] })
  const key = await createKey({ owner: 'ann', rights: ['read', 'write'] }, admin)
  for (let i = 0; i < 50; i++) {
    const memory = { content: `The ${MARK} number ${i} nests at the harbour.`, user_id: 'bob' }
    await send('/v1/memory/store_memory', JSON.stringify(memory), admin)
    await send('/v1/memory/create_entity', JSON.stringify({ name: `${MARK} ${i}`, user_id: 'bob' }), admin)
  }
  const tools = (await loadContracts([...CONTRACTS])).flatMap((contract) =>
    contract.operations.filter(({ listed }) => listed).map((operation) => toFuzzed(contract.name, operation)),
  )
  const maker = createCallMaker(tools, random, scratch)
  const byStatus: Record<string, number> = {}
  const problems: string[] = []
  const until = performance.now() + seconds * 1000
  let [count, failures, foreign, late, slowest] = [0, 0, 0, 0, 0]
  const complain = (what: string, tool: string, input: unknown, text: string): void => {
    if (problems.length < 20) problems.push(`${what}: ${tool} ${brief(input)} -> ${brief(text)}`)
  }
  const worker = async (): Promise<void> => {
    while (count < calls && performance.now() < until) {
      count++
      const { tool, input } = maker.make()
      const isRest = random.chance(0.3) && (tool.contract === 'memory' || tool.contract === 'graph')
      const rpc = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool.name)},"arguments":${JSON.stringify(input) ?? 'null'}}}`
      const since = performance.now()
      const { status, text } = isRest
        ? await send(`/v1/${tool.contract}/${tool.name}`, JSON.stringify(input) ?? 'null', key)
        : await send(`/mcp/${tool.contract}`, rpc, key)
      const took = performance.now() - since
      slowest = Math.max(slowest, took)
      byStatus[status] = (byStatus[status] ?? 0) + 1
      if (took > deadlineMs + 1000) {
        late++
        complain(`${Math.round(took)} ms`, tool.name, input, text)
      }
      if ((status >= 500 && status !== 503) || /internal error/iu.test(text)) {
        failures++
        complain('server error', tool.name, input, text)
      }
      if (text.includes(MARK)) {
        foreign++
        complain('foreign data', tool.name, input, text)
      }
      maker.learn(text)
    }
  }
  const progress = setInterval(() => process.stderr.write(`fuzz with a key: ${count} calls\n`), 60_000)
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  } finally {
    clearInterval(progress)
    agent.destroy()
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
  return {
    calls: count,
    by_status: byStatus,
    server_errors: failures,
    foreign_answers: foreign,
    beyond_deadline: late,
    slowest_ms: Math.round(slowest),
    first_problems: problems,
  }
}
