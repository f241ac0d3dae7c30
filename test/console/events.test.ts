import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram } from '../wire/program.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

let server: ConsoleServer

beforeAll(async () => {
  server = await startConsoleServer()
})
afterAll(async () => {
  await server.stop()
  removeTemporaryFolders()
})

interface Heard {
  readonly id: string
  readonly data: { readonly about?: string; readonly op: string; readonly target: string; readonly seq: number }
}

interface Following {
  /** The next events, as they come. */
  readonly events: AsyncGenerator<Heard>
  stop(): void
}

async function follow(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Following> {
  const stop = new AbortController()
  const response = await fetch(`${server.url}${path}`, { headers: { ...headers }, signal: stop.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  return { events: read(response), stop: () => stop.abort() }
}

async function* read(response: Response): AsyncGenerator<Heard> {
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const part of response.body ?? []) {
      const messages = (rest + decoder.decode(part, { stream: true })).split('\n\n')
      rest = messages.pop() ?? ''
      for (const message of messages) {
        const id = /^id: (.*)$/m.exec(message)?.[1]
        const data = /^data: (.*)$/m.exec(message)?.[1]
        if (id !== undefined && data !== undefined) yield { id, data: JSON.parse(data) }
      }
    }
  } catch {
    // Aborted by the test.
  }
}

const cli = (...args: readonly string[]): Promise<unknown> => runProgram([...args, '--data-dir', server.folder, '--embedder', 'hash'])

async function until({ events }: Following, wanted: (event: Heard) => boolean): Promise<readonly Heard[]> {
  const heard: Heard[] = []
  for (;;) {
    const { value, done } = await events.next()
    if (done === true) throw new Error('the stream ended')
    heard.push(value)
    if (wanted(value)) return heard
  }
}

test('a fact stored by another process appears in the streams of programs and of pages', async () => {
  const cookie = await server.signIn()
  const programs = await follow('/v1/events')
  const pages = await follow('/console/events', { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' })
  await cli('remember', 'The kettle is in the kitchen')
  for (const stream of [programs, pages]) {
    const [first] = await until(stream, ({ data }) => data.about === 'The kettle is in the kitchen')
    expect(first?.data.op).toBe('fact.put')
    stream.stop()
  }
})

test('a reconnected client continues after the last event it received, without gap or repeat', async () => {
  const first = await follow('/v1/events')
  await cli('remember', 'one')
  const heard = await until(first, ({ data }) => data.about === 'one')
  first.stop()
  await cli('remember', 'two')
  await cli('remember', 'three')
  const again = await follow('/v1/events', { 'Last-Event-ID': heard[heard.length - 1]?.id ?? '' })
  const facts = (await until(again, ({ data }) => data.about === 'three')).filter(({ data }) => data.op === 'fact.put')
  expect(facts.map(({ data }) => data.about)).toEqual(['two', 'three'])
  again.stop()
})

test('10,000 writes in a burst are all heard, in order and once, while the server goes on answering', async () => {
  const stream = await follow('/v1/events')
  const lines = Array.from({ length: 10_000 }, (_, i) => JSON.stringify({ content: `burst ${i}` })).join('\n')
  const importing = runProgram(['import', '--data-dir', server.folder, '--embedder', 'none'], `${lines}\n`)
  const heard = until(stream, ({ data }) => data.about === 'burst 9999')
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await importing
  const facts = (await heard).filter(({ data }) => data.op === 'fact.put')
  expect(facts.map(({ data }) => data.about)).toEqual(Array.from({ length: 10_000 }, (_, i) => `burst ${i}`))
  stream.stop()
})

test('an id that is none is refused, and one of another store begins with what happens now', async () => {
  expect((await fetch(`${server.url}/v1/events`, { headers: { 'Last-Event-ID': 'nonsense' } })).headers.get('content-type')).toBe(
    'text/event-stream',
  )
  const stream = await follow('/v1/events', { 'Last-Event-ID': '999999999.9999999999999.999' })
  await cli('remember', 'after a restore')
  const [first] = await until(stream, ({ data }) => data.op === 'fact.put')
  expect(first?.data.about).toBe('after a restore')
  stream.stop()
})
