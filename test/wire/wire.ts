import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type Ended, type Program, type StartOptions, startProgram } from './program.js'

export interface Message {
  readonly jsonrpc: '2.0'
  readonly id?: number | string | undefined
  readonly method: string
  readonly params?: unknown
}

/** A client's connection to a server process, in plain JSON-RPC. */
export interface Wire {
  readonly program: Program
  /** The response, or undefined if none is due. */
  send(message: Message): Promise<unknown>
  close(): Promise<Ended>
}

export interface StdioWire extends Wire {
  write(text: string): void
  /** The next line that answers none of the sent messages. */
  loose(): Promise<unknown>
}

const answerSchema = z.looseObject({ id: z.union([z.string(), z.number(), z.null()]).optional() })

export function openStdio(args: readonly string[], options: StartOptions = {}): StdioWire {
  const program = startProgram(['mcp', ...args], options)
  const { child } = program
  const awaited = new Map<unknown, (answer: unknown) => void>()
  const strays: unknown[] = []
  let stray = (): void => undefined
  createInterface({ input: child.stdout }).on('line', (line) => {
    const value: unknown = JSON.parse(line)
    const id = answerSchema.safeParse(value).data?.id
    const answer = awaited.get(id)
    if (id !== undefined && id !== null && answer !== undefined) {
      awaited.delete(id)
      answer(value)
      return
    }
    strays.push(value)
    stray()
  })
  const gone = program.ended().then(({ err }) => {
    throw new Error(`The server has ended: ${err}`)
  })
  gone.catch(() => undefined)
  return {
    program,
    async send(message) {
      const answered = message.id === undefined ? undefined : new Promise((resolve) => awaited.set(message.id, resolve))
      child.stdin.write(`${JSON.stringify(message)}\n`)
      return answered === undefined ? undefined : Promise.race([answered, gone])
    },
    write: (text) => void child.stdin.write(text),
    async loose() {
      while (strays.length === 0) {
        const arrived = new Promise<void>((resolve) => {
          stray = resolve
        })
        await Promise.race([arrived, gone])
      }
      return strays.shift()
    },
    async close() {
      child.stdin.end()
      return program.ended()
    },
  }
}

export interface HttpWire extends Wire {
  readonly url: string
}

/** A server on a free port, over Streamable HTTP. */
export async function openHttp(args: readonly string[]): Promise<HttpWire> {
  const program = startProgram(['serve', '--port', '0', ...args])
  await program.sawError('listening on ')
  const url = /listening on (\S+)/u.exec(program.err())?.[1] ?? ''
  let session: string | undefined
  return {
    program,
    url,
    async send(message) {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...(session === undefined ? {} : { 'Mcp-Session-Id': session }),
        },
        body: JSON.stringify(message),
      })
      session ??= response.headers.get('mcp-session-id') ?? undefined
      const text = await response.text()
      if (message.id === undefined) return undefined
      return response.headers.get('content-type')?.startsWith('text/event-stream') === true
        ? fromEvents(text, message.id)
        : JSON.parse(text)
    },
    async close() {
      const { child } = program
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'close')
      return program.ended()
    },
  }
}

function fromEvents(text: string, id: number | string): unknown {
  for (const [, data] of text.matchAll(/^data: (.+)$/gmu)) {
    const value: unknown = JSON.parse(data ?? '')
    if (answerSchema.safeParse(value).data?.id === id) return value
  }
  throw new Error(`No event answers ${id}: ${text}`)
}

const resultSchema = z.object({
  result: z.looseObject({
    content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    isError: z.boolean(),
  }),
})

export const HELLO: Message = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'wire-test', version: '1' } },
}

export interface Tools {
  /** The structured result of a call; throws the error of the tool. */
  call(name: string, input?: unknown): Promise<Readonly<Record<string, unknown>>>
  /** The text of an error; throws if the call succeeds. */
  refusal(name: string, input?: unknown): Promise<string>
}

/** Initialises the connection and calls tools by name. */
export async function useTools(wire: Wire): Promise<Tools> {
  let last = 0
  await wire.send(HELLO)
  await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const ask = async (name: string, input: unknown) => {
    const answer = await wire.send({ jsonrpc: '2.0', id: ++last, method: 'tools/call', params: { name, arguments: input } })
    const parsed = resultSchema.safeParse(answer)
    if (!parsed.success) throw new Error(`${name} was not answered as a tool: ${JSON.stringify(answer)}`)
    return { ...parsed.data.result, text: parsed.data.result.content.map((block) => block.text).join('\n') }
  }
  return {
    async call(name, input = {}) {
      const { isError, text, structuredContent } = await ask(name, input)
      if (isError || structuredContent === undefined) throw new Error(`${name}: ${text}`)
      return structuredContent
    },
    async refusal(name, input = {}) {
      const { isError, text } = await ask(name, input)
      if (!isError) throw new Error(`${name} was not refused: ${text}`)
      return text
    },
  }
}

const idSchema = z.object({ id: z.string() })

export const store = async (tools: Tools, content: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  idSchema.parse(await tools.call('store_memory', { content, ...more })).id

const foundSchema = z.object({ results: z.array(z.looseObject({ id: z.string() })) })

/** Ids found by a search, best first. */
export const find = async (tools: Tools, name: 'search' | 'search_text' | 'recall', query: string): Promise<readonly string[]> =>
  foundSchema.parse(await tools.call(name, { query })).results.map((hit) => hit.id)
