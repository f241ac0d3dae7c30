import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PROGRAM, removeTemporaryFolders, runProgram, temporaryFolder } from './program.js'
import { HELLO, openHttp, openStdio, store, useTools } from './wire.js'

// How dist/main.js ends: in order, with everything acknowledged on disk.
const BOUND_MS = 120_000

afterAll(removeTemporaryFolders)

const argsFor = (folder: string): readonly string[] => ['--data-dir', folder, '--embedder', 'hash', '--log-level', 'warn']
const total = async (folder: string): Promise<unknown> =>
  JSON.parse((await runProgram(['call', 'memory', 'list_memories', ...argsFor(folder)])).out).total
const isGone = (pid: number | undefined): boolean => {
  try {
    return pid === undefined || !process.kill(pid, 0)
  } catch {
    return true
  }
}

describe('mneme mcp', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends on %s with every acknowledged write kept',
    async (signal) => {
      const folder = temporaryFolder()
      const wire = openStdio(argsFor(folder))
      const tools = await useTools(wire)
      await store(tools, 'The first')
      // More calls are running when the signal arrives: each is either acknowledged and stored, or never answered.
      const outcomes = Array.from({ length: 30 }, (_, n) =>
        store(tools, `Number ${n}`).then(
          () => 1,
          () => 0,
        ),
      )
      await Promise.race(outcomes)
      wire.program.child.kill(signal)
      const { code, err } = await wire.program.ended()
      expect([code, err]).toEqual([0, ''])
      const acknowledged = (await Promise.all(outcomes)).reduce((sum: number, value) => sum + value, 1)
      expect(await total(folder)).toBeGreaterThanOrEqual(acknowledged)
      expect(isGone(wire.program.child.pid)).toBe(true)
    },
    BOUND_MS,
  )

  it(
    'answers all requests before it ends with its input',
    async () => {
      const folder = temporaryFolder()
      const calls = Array.from({ length: 10 }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'store_memory', arguments: { content: `Number ${id}` } },
      }))
      const input = [HELLO, ...calls].map((message) => `${JSON.stringify(message)}\n`).join('')
      const { code, out, err } = await runProgram(['mcp', ...argsFor(folder)], input)
      expect([code, err]).toEqual([0, ''])
      const answers = out
        .trim()
        .split('\n')
        .map((line) => z.object({ id: z.unknown(), result: z.unknown() }).parse(JSON.parse(line)).id)
      expect(answers.sort()).toEqual([...calls.map((call) => call.id), 'hello'].sort())
      expect(await total(folder)).toBe(10)
    },
    BOUND_MS,
  )

  it(
    'ends when its parent vanishes while stdin stays open, and leaves no orphan',
    async () => {
      const folder = temporaryFolder()
      // The grandchild reads from a channel that outlives its parent.
      const parent = spawn('sh', ['-c', '"$0" "$@" <&3 & wait', process.execPath, PROGRAM, 'mcp', ...argsFor(folder)], {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      })
      let text = ''
      parent.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      const channel = parent.stdio[3]
      if (!(channel instanceof Duplex)) throw new Error('No channel.')
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'store_memory', arguments: { content: 'Kept' } } }
      channel.write(`${JSON.stringify(HELLO)}\n${JSON.stringify(call)}\n`)
      while (!text.includes('structuredContent')) await once(parent.stdout ?? parent, 'data')
      parent.kill('SIGKILL')
      // The streams close when the last process that holds them, the grandchild, has ended.
      await once(parent, 'close')
      channel.destroy()
      expect(await total(folder)).toBe(1)
    },
    BOUND_MS,
  )
})

describe('mneme serve', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends on %s with what it stored',
    async (signal) => {
      const folder = temporaryFolder()
      const http = await openHttp(argsFor(folder))
      await store(await useTools(http), 'Over HTTP')
      http.program.child.kill(signal)
      expect(await http.program.ended()).toMatchObject({ code: 0, signal: null })
      expect(await total(folder)).toBe(1)
    },
    BOUND_MS,
  )

  it('repair 5: does not listen with a setting that can never work', async () => {
    const args = ['serve', '--port', '0', '--data-dir', temporaryFolder(), '--embedder', 'ollama', '--embed-dimensions', '32']
    const { code, err } = await runProgram(args)
    expect(code).toBe(2)
    expect(err).toContain('embed_dimensions_below_floor')
    expect(err).not.toContain('listening on')
  })
})
