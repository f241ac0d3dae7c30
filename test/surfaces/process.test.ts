import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleProgram } from './bundle.js'

let program = ''
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-process-'))
  program = await bundleProgram()
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Run {
  readonly child: ChildProcess
  /** Resolves when stdout or stderr contains the text. */
  saw(text: string): Promise<void>
  ended(): Promise<{ code: number | null; out: string; err: string }>
}

function run(argv: readonly string[]): Run {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, MNEME_DATA_DIR: folder, MNEME_SHARED: 'off' }
  const child = spawn(process.execPath, [program, ...argv], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const text = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    text.out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    text.err += chunk.toString()
  })
  const closed = once(child, 'close')
  return {
    child,
    async saw(wanted) {
      while (!(text.out + text.err).includes(wanted)) {
        const came = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), closed.then(() => 'ended')])
        if (came === 'ended' && !(text.out + text.err).includes(wanted)) throw new Error(`It ended without ${wanted}: ${text.err}`)
      }
    },
    async ended() {
      await closed
      return { code: child.exitCode, ...text }
    },
  }
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}
const call = (id: number, name: string, args: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
const lines = (...messages: unknown[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('')

describe('mneme mcp as a process', () => {
  it('prints every answer before it exits at the end of input', async () => {
    const { child, ended } = run(['mcp'])
    child.stdin?.end(lines(initialize, call(1, 'slow', { ms: 200 }), call(2, 'echo', { text: 'x' })))
    const { code, out, err } = await ended()
    expect(code).toBe(0)
    expect(out.trim().split('\n')).toHaveLength(3)
    expect(err).toContain('store closed')
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends in order on %s, with a long call running', async (signal) => {
    const { child, saw, ended } = run(['mcp'])
    child.stdin?.write(lines(initialize, call(1, 'slow', { ms: 60_000 })))
    await saw('serverInfo')
    child.kill(signal)
    expect(await ended()).toMatchObject({ code: 0, err: expect.stringContaining('store closed') })
  })

  it('ends when its reader has closed the pipe', async () => {
    const { child, saw, ended } = run(['mcp'])
    child.stdin?.write(lines(initialize))
    await saw('serverInfo')
    child.stdout?.destroy()
    child.stdin?.write(lines(call(1, 'echo', { text: 'x' })))
    expect(await ended()).toMatchObject({ code: 0, err: expect.stringContaining('store closed') })
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends on %s while its output blocks', async (signal) => {
    const { child, saw, ended } = run(['mcp'])
    child.stdin?.write(lines(initialize))
    await saw('serverInfo')
    child.stdout?.pause()
    const large = [1, 2, 3, 4].map((id) => call(id, 'echo', { text: 'x'.repeat(1000), times: 1000 }))
    child.stdin?.write(lines(...large, call(5, 'fail', { how: 'bug' })))
    await saw('failed unexpectedly')
    child.kill(signal)
    await once(child, 'exit')
    child.stdout?.resume()
    expect(await ended()).toMatchObject({ code: 0, err: expect.stringContaining('store closed') })
  })

  it('ends at once on a second signal', async () => {
    const { child, saw, ended } = run(['mcp', '--log-level', 'debug'])
    child.stdin?.write(lines(initialize, call(1, 'slow', { ms: 60_000 })))
    await saw('serverInfo')
    child.kill('SIGTERM')
    await saw('Stopping')
    child.kill('SIGTERM')
    expect((await ended()).code).toBe(130)
  })

  it('refuses to serve the commands of the operator', async () => {
    for (const command of ['mcp', 'serve'])
      expect(await run([command, '--profile', 'memory,admin']).ended()).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/"admin" cannot be served.*\n.*A profile may name: memory, other\./),
      })
  })

  it('ends when its parent vanishes while stdin stays open', async () => {
    // Node closes a dead child's stdin, so the grandchild reads from a channel that outlives its parent.
    const parent = spawn('sh', ['-c', '"$0" "$1" mcp --log-level debug <&3 & wait', process.execPath, program], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    let text = ''
    for (const stream of [parent.stdout, parent.stderr])
      stream?.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
    const channel = parent.stdio[3]
    if (channel instanceof Duplex) channel.write(lines(initialize))
    while (!text.includes('serverInfo')) await once(parent.stdout ?? parent, 'data')
    parent.kill('SIGKILL')
    while (!text.includes('store closed')) await once(parent.stderr ?? parent, 'data')
    expect(text).toContain('parent gone')
    if (channel instanceof Duplex) channel.destroy()
  })
})

describe('mneme serve as a process', () => {
  it('picks a port, prints its URL, answers and ends on a signal', async () => {
    const { child, saw, ended } = run(['serve', '--port', '0'])
    await saw('listening on http://127.0.0.1:')
    child.kill('SIGTERM')
    const { code, out, err } = await ended()
    expect([code, out]).toEqual([0, ''])
    expect(err).toContain('store closed')
  })

  it('reports a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const result = await run(['serve', '--port', String(port)]).ended()
    taken.close()
    expect(result).toMatchObject({ code: 6, out: '', err: expect.stringContaining(`Port ${port} on 127.0.0.1 is already in use.`) })
  })
})

describe('mneme call as a process', () => {
  it.skipIf(!existsSync('/dev/full'))('fails when its output cannot be written', async () => {
    const full = openSync('/dev/full', 'w')
    const env = { PATH: process.env.PATH, MNEME_DATA_DIR: folder, MNEME_SHARED: 'off' }
    const argv = [program, 'call', 'memory', 'echo', '--json', '{"text":"hi"}']
    const child = spawn(process.execPath, argv, { env, stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    let err = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      err += chunk.toString()
    })
    await once(child, 'close')
    expect([child.exitCode, err]).toEqual([7, expect.stringMatching(/output could not be written: ENOSPC/)])
  })

  it('prints JSON and exits 0, or the failure and its code', async () => {
    const good = run(['call', 'memory', 'echo', '--json', '{"text":"hi"}'])
    expect(await good.ended()).toMatchObject({ code: 0, out: expect.stringMatching(/^\{"said":"hi".*\}\n$/) })
    const bad = run(['call', 'memory', 'fail'])
    expect(await bad.ended()).toMatchObject({ code: 3, out: '', err: expect.stringContaining('Memory not found: x') })
    expect(await run(['mcp', '--profile', 'nothing']).ended()).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no contract "nothing"'),
    })
    expect(await run(['--version']).ended()).toMatchObject({ code: 0, out: '1.2.3\n' })
  })
})
