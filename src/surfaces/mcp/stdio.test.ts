import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { adminContract, fakeContract, fakeHost, memoryLog } from '../../../test/surfaces/fake-host.js'
import { contract as toContract } from '../../contracts/contract.js'
import { operation } from '../../contracts/operation.js'
import type { EndReason } from '../shutdown.js'
import { LineTransport } from './line-transport.js'
import { serveMcpStdio } from './stdio.js'

function start(contracts = [fakeContract, adminContract]) {
  const host = fakeHost(contracts)
  const input = new PassThrough()
  const output = new PassThrough()
  const lines: unknown[] = []
  let rest = ''
  let arrived = () => {}
  output.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts.map((line): unknown => JSON.parse(line)))
    arrived()
  })
  let stop: (reason: EndReason) => void = () => {}
  const ending = new Promise<EndReason>((resolve) => {
    stop = resolve
  })
  const ended = serveMcpStdio({ host, log: memoryLog(), input, output, endings: [ending] })
  const send = (...messages: unknown[]) =>
    void input.write(messages.map((message) => `${typeof message === 'string' ? message : JSON.stringify(message)}\n`).join(''))
  const answers = async (count: number) => {
    while (lines.length < count)
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
    return lines
  }
  return { host, input, output, send, answers, lines, ended, stop }
}

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1', color: 'red' }, somethingNew: true },
})
const call = (id: number, name: string, args?: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, ...(args === undefined ? {} : { arguments: args }) },
})

/** A tool that records its calls and blocks on request. */
function notebook() {
  const begun: string[] = []
  const gate = { release: () => {}, reached: () => {} }
  const released = new Promise<void>((resolve) => (gate.release = resolve))
  const reached = new Promise<void>((resolve) => (gate.reached = resolve))
  const note = operation({
    name: 'note',
    title: 'Note',
    description: 'Writes down that it began.',
    effect: 'write',
    idempotent: false,
    input: z.strictObject({ text: z.string(), hold: z.boolean().optional() }),
    output: z.object({}),
    run: async (_, { text, hold }) => {
      begun.push(text)
      gate.reached()
      if (hold === true) await released
      return {}
    },
  })
  const contract = toContract({ name: 'notebook', title: 'Notebook', instructions: '', operations: [note] })
  return { contract, begun, reached, release: gate.release }
}

describe('MCP over stdio', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('speaks %s without opening the store', async (version) => {
    const { send, answers, input, ended, host } = start()
    send(initialize(version), { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const [hello, list] = await answers(2)
    expect(hello).toMatchObject({ id: 0, result: { protocolVersion: version, serverInfo: { name: 'mneme' } } })
    expect(list).toMatchObject({ id: 1, result: { tools: [{ name: 'echo' }, { name: 'fail' }, { name: 'slow' }] } })
    expect(host.opened).toBe(0)
    input.end()
    expect(await ended).toBe('stdin closed')
    expect(host.closed).toBe(1)
  })

  it('answers a broken line and a value that is no message, and continues', async () => {
    const { send, answers, input, ended } = start()
    send(initialize('2025-06-18'), '{"jsonrpc":"2.0","id":5,"meth', '{"id":6}', '', call(7, 'echo', { text: 'still here' }))
    const lines = await answers(4)
    expect(lines).toContainEqual({ jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.stringContaining('Parse error') } })
    expect(lines).toContainEqual({ jsonrpc: '2.0', id: 6, error: { code: -32600, message: expect.stringContaining('Invalid request') } })
    expect(lines).toContainEqual(expect.objectContaining({ id: 7, result: expect.objectContaining({ isError: false }) }))
    input.end()
    await ended
  })

  it('accepts calls with absent or null arguments', async () => {
    const { send, answers, input, ended } = start()
    send(initialize('2024-11-05'), call(1, 'fail'), call(2, 'fail', null))
    const lines = await answers(3)
    for (const id of [1, 2])
      expect(lines).toContainEqual(expect.objectContaining({ id, result: expect.objectContaining({ isError: true }) }))
    input.end()
    await ended
  })

  it('answers what was received before the end of input, a last line without newline included', async () => {
    const { send, input, ended, lines } = start()
    send(initialize('2025-06-18'), call(1, 'slow', { ms: 50 }), call(2, 'echo', { text: 'x' }))
    input.end(JSON.stringify(call(3, 'echo', { text: 'last' })))
    await ended
    expect(lines.map((line) => (typeof line === 'object' && line !== null && 'id' in line ? line.id : undefined)).sort()).toEqual([
      0, 1, 2, 3,
    ])
  })

  it('does not wait for a cancelled call', async () => {
    const { send, answers, input, ended, lines } = start()
    send(
      initialize('2025-06-18'),
      call(1, 'slow', { ms: 60_000 }),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      call(2, 'echo', { text: 'x' }),
    )
    await answers(2)
    input.end()
    await ended
    expect(lines).toHaveLength(2)
  })

  it('lets a short call finish after a signal, cancels a long one and closes the store', async () => {
    const { send, answers, ended, stop, lines, host } = start()
    send(initialize('2025-06-18'), call(1, 'slow', { ms: 100 }), call(2, 'slow', { ms: 60_000 }), call(3, 'echo', { text: 'x' }))
    await answers(2)
    stop('SIGTERM')
    expect(await ended).toBe('SIGTERM')
    expect(lines).toContainEqual(
      expect.objectContaining({ id: 1, result: expect.objectContaining({ structuredContent: { waited: 100 } }) }),
    )
    expect(lines).toHaveLength(3)
    expect(host.closed).toBe(1)
  })

  it('does not begin a call that was cancelled in the queue', async () => {
    const { contract, begun, release } = notebook()
    const { send, answers, input, ended } = start([contract])
    send(
      initialize('2025-06-18'),
      call(1, 'note', { text: 'first', hold: true }),
      call(2, 'note', { text: 'second' }),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } },
      call(3, 'note', { text: 'third' }),
    )
    await answers(1)
    release()
    await answers(3)
    expect(begun).toEqual(['first', 'third'])
    input.end()
    await ended
  })

  it('finishes running calls after a signal and rejects queued ones', async () => {
    const { contract, begun, reached, release } = notebook()
    const { send, ended, stop, lines } = start([contract])
    const later = Array.from({ length: 50 }, (_, index) => call(2 + index, 'note', { text: 'later' }))
    send(initialize('2025-06-18'), call(1, 'note', { text: 'first', hold: true }), ...later)
    await reached
    stop('SIGTERM')
    await new Promise((resolve) => setImmediate(resolve))
    release()
    await ended
    expect(begun).toEqual(['first'])
    expect(lines).toContainEqual(expect.objectContaining({ id: 1, result: expect.objectContaining({ isError: false }) }))
    expect(JSON.stringify(lines.at(-1))).toContain('The server is stopping')
    expect(lines).toHaveLength(52)
  })

  it('rejects a handshake without its parameters in one sentence', async () => {
    const { send, answers, input, ended } = start()
    send({ jsonrpc: '2.0', id: 1, method: 'initialize' }, { jsonrpc: '2.0', id: 2, method: 'initialize', params: { protocolVersion: 3 } })
    const lines = await answers(2)
    for (const id of [1, 2])
      expect(lines).toContainEqual({ jsonrpc: '2.0', id, error: { code: -32602, message: expect.stringContaining('initialize needs') } })
    send(initialize('2025-06-18'))
    expect((await answers(3))[2]).toMatchObject({ id: 0, result: { protocolVersion: '2025-06-18' } })
    input.end()
    await ended
  })

  it('ends when its output is closed', async () => {
    const { send, answers, ended, output } = start()
    send(initialize('2025-06-18'))
    await answers(1)
    output.destroy(new Error('EPIPE'))
    expect(await ended).toBe('stdout closed')
  })

  it('answers a batch with one array', async () => {
    const { send, answers, input, ended } = start()
    send(initialize('2025-03-26'))
    await answers(1)
    send([call(1, 'echo', { text: 'a' }), { nonsense: true }, call(2, 'echo', { text: 'b' })])
    const lines = await answers(2)
    expect(lines[1]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 1 }),
        expect.objectContaining({ id: null }),
        expect.objectContaining({ id: 2 }),
      ]),
    )
    input.end()
    await ended
  })

  it('supports the stateless revision', async () => {
    const { send, answers, input, ended } = start()
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'new', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hi' }, _meta } })
    expect((await answers(1))[0]).toMatchObject({ id: 1, result: { structuredContent: { said: 'hi', actor: 'mcp:new' } } })
    input.end()
    await ended
  })
})

describe('LineTransport', () => {
  it('rejects a line that is too long and reads the next', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const transport = new LineTransport(input, output, 100)
    const got: unknown[] = []
    transport.onmessage = (message) => void got.push(message)
    await transport.start()
    input.write(`${'x'.repeat(90)}`)
    input.write(`${'x'.repeat(90)}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`)
    const [chunk] = await Promise.all([new Promise<Buffer>((resolve) => output.once('data', resolve))])
    expect(JSON.parse(chunk.toString())).toMatchObject({ id: null, error: { code: -32600 } })
    expect(got).toEqual([{ jsonrpc: '2.0', id: 1, method: 'ping' }])
  })

  /** Responds to every message at once; responses are read on request only. */
  async function answering(answer: string) {
    const input = new PassThrough()
    const output = new PassThrough()
    const transport = new LineTransport(input, output)
    let taken = 0
    transport.onmessage = (message) => {
      taken++
      if ('id' in message && message.id !== undefined) void transport.send({ jsonrpc: '2.0', id: message.id, result: { answer } })
    }
    await transport.start()
    return { input, output, transport, taken: () => taken }
  }
  const pings = (count: number, padding = '') =>
    Array.from({ length: count }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"ping","params":{"padding":"${padding}"}}\n`)
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('accepts no more requests than the client reads answers, and all of them in the end', async () => {
    const { input, output, transport, taken } = await answering('x'.repeat(1000))
    input.write(pings(5000).join(''))
    await turn()
    expect(taken()).toBeLessThan(300)
    output.resume()
    await transport.whenAnswered()
    expect(taken()).toBe(5000)
  })

  it('limits requests in progress', async () => {
    const { input, output, transport } = await answering('')
    const open: (string | number)[] = []
    transport.onmessage = (message) => void ('id' in message && message.id !== undefined && open.push(message.id))
    output.resume()
    input.write(pings(5000).join(''))
    await turn()
    expect(open).toHaveLength(64)
    for (const id of open.splice(0)) await transport.send({ jsonrpc: '2.0', id, result: {} })
    await turn()
    expect(open).toHaveLength(64)
  })

  it('detects the end of input while its output blocks, and stops reading a long input', async () => {
    const short = await answering('x'.repeat(100_000))
    short.input.end(pings(40).join('').trimEnd())
    await turn()
    expect([short.input.readableEnded, short.taken() < 40]).toEqual([true, true])
    short.output.resume()
    await short.transport.whenAnswered()
    expect(short.taken()).toBe(40)
    const long = await answering('x'.repeat(100_000))
    for (const line of pings(1000, 'p'.repeat(10_000))) long.input.write(line)
    await turn()
    expect(long.input.isPaused()).toBe(true)
    long.output.resume()
    while (long.taken() < 1000) await turn()
    await long.transport.whenAnswered()
  })
})
