import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { hostileText, hostileValue } from './hostile.js'
import { clearCopies } from './in-process.js'
import type { Random } from './random.js'
import { startServer } from './server-process.js'
import type { Tally } from './tally.js'
import { createCallMaker, type FuzzedTool } from './tool-calls.js'
import { judgeMessage, judgeRpcError } from './verdict.js'

const AT_ONCE = 16
const CALLS_PER_STORE = 10_000

export const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'fuzz', version: '1' },
}

const listing = z.object({
  result: z.object({ tools: z.array(z.object({ name: z.string(), inputSchema: z.unknown(), outputSchema: z.unknown() })) }),
})

/** Tools of both contracts as listed by a server; those of the graph have a prefix only where names collide. */
export const listedTools = (message: unknown, graph: ReadonlySet<string>): readonly FuzzedTool[] =>
  listing.parse(message).result.tools.map((tool) => ({
    ...tool,
    contract: tool.name.startsWith('graph_') || graph.has(tool.name) ? 'graph' : 'memory',
  }))

/** A server process over stdio: pipelined calls, with invalid lines in between. */
export async function fuzzStdio(random: Random, tally: Tally, scratch: string, graph: ReadonlySet<string>): Promise<void> {
  const dataDir = join(scratch, 'stdio')
  mkdirSync(dataDir, { recursive: true })
  const server = startServer(['mcp', '--data-dir', dataDir, '--profile', 'memory,graph'], scratch)
  const awaited = new Map<number, (message: unknown) => void>()
  const strays: unknown[] = []
  let last = 0
  createInterface({ input: server.child.stdout }).on('line', (line) => {
    const message: unknown = JSON.parse(line)
    const id = z.object({ id: z.number() }).safeParse(message).data?.id
    const answer = id === undefined ? undefined : awaited.get(id)
    if (id === undefined || answer === undefined) {
      strays.push(message)
      return
    }
    awaited.delete(id)
    answer(message)
  })
  const write = (text: string): void => void server.child.stdin.write(text)
  const send = (method: string, params: string): Promise<unknown> => {
    const id = ++last
    const answer = new Promise<unknown>((done) => awaited.set(id, done))
    write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`)
    return Promise.race([answer, server.gone])
  }
  await send('initialize', JSON.stringify(HELLO))
  write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  const tools = listedTools(await send('tools/list', '{}'), graph)
  const maker = createCallMaker(tools, random, scratch)

  const worker = async (): Promise<void> => {
    while (!tally.over('stdio')) {
      const { tool, input } = maker.make()
      if (random.chance(0.05)) write(`${badLine(random)}\n`)
      const text = argumentsOf(random, input)
      const params = `{"name":${JSON.stringify(tool.name)},"arguments":${text}}`
      const answer = await tally.timed('stdio', tool.name, text, send('tools/call', params))
      if (answer === undefined) continue
      tally.note('stdio', tool.name, text, judgeMessage(tool, answer))
      maker.learn(answer)
      for (const stray of strays.splice(0)) judgeStray(tally, stray)
      if (tally.calls.stdio % CALLS_PER_STORE === 0) {
        await send('tools/call', '{"name":"reset_all_memory","arguments":{"confirm":true}}')
        clearCopies(dataDir)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await server.stop()
  if (server.said() !== '')
    tally.note('stdio', 'log', '', { outcome: 'answered', problem: `the server complained: ${server.said().slice(0, 1000)}` })
}

/** Responses to invalid lines: protocol errors, or batches of them. */
function judgeStray(tally: Tally, stray: unknown): void {
  for (const message of Array.isArray(stray) ? stray : [stray]) {
    const parts = z.object({ error: z.unknown().optional(), result: z.unknown().optional() }).safeParse(message).data
    if (parts?.error !== undefined) tally.note('stdio', 'line', '', judgeRpcError(parts.error))
  }
}

/** Occasionally repeats a key, which JSON allows and no object can contain. */
function argumentsOf(random: Random, input: unknown): string {
  const text = JSON.stringify(input)
  if (!random.chance(0.02) || !text.startsWith('{') || text === '{}') return text
  const key = Object.keys(typeof input === 'object' && input !== null ? input : {})[0] ?? 'a'
  return `{${JSON.stringify(key)}:${JSON.stringify(hostileValue(random))},${text.slice(1)}`
}

function badLine(random: Random): string {
  const hostile = JSON.stringify(hostileText(random))
  return random.pick([
    '',
    '{',
    'not json at all',
    '[]',
    '[1,2,3]',
    'null',
    '"text"',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}',
    `{"jsonrpc":"2.0","method":${hostile}}`,
    `{"jsonrpc":"2.0","id":"s${random.int(1e6)}","method":${hostile},"params":{}}`,
    `{"jsonrpc":"2.0","id":null,"method":"tools/list"}`,
    `{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}`,
    `{"jsonrpc":"2.0","id":"t${random.int(1e6)}","method":"tools/call","params":${hostile}}`,
    `{"jsonrpc":"2.0","id":"u${random.int(1e6)}","method":"tools/call","params":{"name":${hostile},"arguments":{}}}`,
    `[{"jsonrpc":"2.0","id":"b${random.int(1e6)}","method":"ping"},{"jsonrpc":"2.0","id":"c${random.int(1e6)}"}]`,
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    `{"a":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
  ])
}
