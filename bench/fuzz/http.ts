import { mkdirSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import { hostileText } from './hostile.js'
import { clearCopies } from './in-process.js'
import type { Random } from './random.js'
import { startServer } from './server-process.js'
import { HELLO, listedTools } from './stdio.js'
import type { Tally } from './tally.js'
import { createCallMaker } from './tool-calls.js'
import { brief, judgeHttpError, judgeMessage, judgeRest } from './verdict.js'

const AT_ONCE = 4
const CALLS_PER_STORE = 10_000

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Closes the connection after this number of bytes of the body. */
  readonly cutAt?: number
}

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

/** A server process over HTTP: MCP with and without a session, REST, and malformed requests. */
export async function fuzzHttp(random: Random, tally: Tally, scratch: string, graph: ReadonlySet<string>): Promise<void> {
  const dataDir = join(scratch, 'http')
  mkdirSync(dataDir, { recursive: true })
  const server = startServer(['serve', '--port', '0', '--data-dir', dataDir, '--profile', 'memory,graph'], scratch)
  await server.saw('listening on ')
  const base = new URL(/listening on (\S+)/u.exec(server.said())?.[1] ?? '')
  const greeting = server.said()
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })

  /** Undefined if the connection was closed by the caller. */
  const send = ({ method = 'POST', path, headers = {}, body = '', cutAt }: Sent): Promise<Reply | undefined> =>
    Promise.race([
      new Promise<Reply | undefined>((resolve, reject) => {
        const call = request(base, { agent, method, path, headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } })
        call.on('response', (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
          )
        })
        call.on('error', (error) => (cutAt === undefined ? reject(error) : resolve(undefined)))
        if (cutAt === undefined) call.end(body)
        else call.write(body.slice(0, cutAt), () => setImmediate(() => call.destroy()))
      }),
      server.gone,
    ])
  let last = 0
  const rpc = (method: string, params: string, session?: string) =>
    send({
      path: '/mcp',
      headers: { ...JSON_HEADERS, ...(session === undefined ? {} : { 'Mcp-Session-Id': session }) },
      body: `{"jsonrpc":"2.0","id":${++last},"method":"${method}","params":${params}}`,
    })

  const hello = await rpc('initialize', JSON.stringify(HELLO))
  const session = String(hello?.headers['mcp-session-id'])
  const tools = listedTools(messageIn(await rpc('tools/list', '{}', session)), graph)
  const maker = createCallMaker(tools, random, scratch)

  const overMcp = async (): Promise<void> => {
    const { tool, input } = maker.make()
    const params = `{"name":${JSON.stringify(tool.name)},"arguments":${JSON.stringify(input)}}`
    const reply = await tally.timed('http-mcp', tool.name, input, rpc('tools/call', params, random.chance(0.8) ? session : undefined))
    if (reply === undefined) return
    const verdict = reply.status === 200 ? judgeMessage(tool, messageIn(reply)) : judgeHttpError(reply.status, reply.text)
    tally.note('http-mcp', tool.name, input, verdict)
    maker.learn(reply.text)
  }

  const overRest = async (): Promise<void> => {
    const { tool, input } = maker.make()
    const name = tool.name.replace(/^graph_/, '')
    const sent = send({ path: `/v1/${tool.contract}/${name}`, headers: JSON_HEADERS, body: JSON.stringify(input) })
    const reply = await tally.timed('http-rest', tool.name, input, sent)
    if (reply === undefined) return
    tally.note('http-rest', tool.name, input, judgeRest(tool, reply.status, reply.text))
  }

  const raw = async (): Promise<void> => {
    const sent = badRequest(random)
    const reply = await tally.timed('http-raw', sent.path, sent, send(sent))
    // A closed connection gets no response.
    if (reply === undefined) tally.note('http-raw', sent.path, sent, { outcome: 'refused' })
    else if (reply.status < 300) tally.note('http-raw', sent.path, sent, { outcome: 'answered' })
    else tally.note('http-raw', sent.path, sent, judgeHttpError(reply.status, reply.text))
  }

  const worker = (lane: 'http-mcp' | 'http-rest' | 'http-raw', entry: () => Promise<void>) => async (): Promise<void> => {
    while (!tally.over(lane)) {
      await entry()
      if (lane !== 'http-mcp' || tally.calls[lane] % CALLS_PER_STORE !== 0) continue
      await rpc('tools/call', '{"name":"reset_all_memory","arguments":{"confirm":true}}', session)
      clearCopies(dataDir)
    }
  }
  const lanes = [worker('http-mcp', overMcp), worker('http-rest', overRest), worker('http-raw', raw)]
  await Promise.all(lanes.flatMap((lane) => Array.from({ length: AT_ONCE }, lane)))
  agent.destroy()
  await server.stop()
  const complaint = server.said().slice(greeting.length)
  if (complaint !== '') tally.note('http-raw', 'log', '', { outcome: 'answered', problem: `the server complained: ${brief(complaint)}` })
}

/** The message in a response, as JSON or as the last event. */
function messageIn(reply: Reply | undefined): unknown {
  if (reply === undefined) return undefined
  if (reply.headers['content-type']?.startsWith('text/event-stream') !== true) return JSON.parse(reply.text)
  // Line separators such as U+2028 do not end a line of an event stream.
  const lines = reply.text.split(/\r\n|\r|\n/u)
  const events = lines.flatMap((line): unknown[] => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
  return events.find((event) => z.object({ id: z.number() }).safeParse(event).success)
}

function badRequest(random: Random): Sent {
  const text = hostileText(random)
  const path = random.pick(['/mcp', '/mcp/graph', '/v1/memory/recall', '/v1/graph/search', '/v1/memory/store_memory'])
  const body = random.pick(['{"query":', 'null', '[]', '"x"', '7', '{"query":"a","query":[]}', `{"content":${JSON.stringify(text)}}`, ''])
  const headers = JSON_HEADERS
  const printable = text.replace(/[^\x20-\x7e]/g, '').slice(0, 200)
  return random.pick<Sent>([
    { path, headers, body },
    {
      path,
      headers: { ...headers, 'Content-Type': random.pick(['text/plain', 'multipart/form-data', '', 'application/json; charset=utf-16']) },
      body,
    },
    { path, headers: { ...headers, Host: random.pick(['evil.example', '', `x${random.int(9)}.local:99999`]) }, body },
    { path, headers: { ...headers, Origin: random.pick(['https://evil.example', 'null', 'file://']) }, body },
    {
      path: '/mcp',
      headers: { ...headers, 'Mcp-Session-Id': printable.trim() || 'gone' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    },
    {
      path: '/mcp',
      headers: { ...headers, 'MCP-Protocol-Version': printable.trim() || '1' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    },
    { path: '/mcp', headers: { ...headers, Accept: 'text/html' }, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
    { path, method: random.pick(['PUT', 'PATCH', 'DELETE', 'OPTIONS']), headers, body },
    { path: `/v1/memory/${encodeURIComponent(printable) || 'x'}`, headers, body },
    { path: `/${encodeURIComponent(printable)}/%zz/%00`, headers, body },
    { path, headers, body: Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]) },
    { path, headers, body: `{"content":"${'x'.repeat(20_000)}"}`, cutAt: random.int(20_000) },
    { path, headers, body: `${'['.repeat(3_000)}${']'.repeat(3_000)}` },
  ])
}
