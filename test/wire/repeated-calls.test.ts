import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { removeTemporaryFolders, runProgram, temporaryFolder } from './program.js'

afterAll(removeTemporaryFolders)

const withId = z.object({ id: z.string() })

interface Caller {
  readonly ready: Promise<void>
  /** The result, or undefined if the process died before. */
  go(): Promise<unknown>
}

/** A process that makes one call, and kills itself before or after the commit on request. */
function startCaller(dataDir: string, call: { readonly tool: string; readonly input: object; readonly end?: 'before' | 'after' }): Caller {
  const dist = pathToFileURL(resolve('dist')).href
  const { tool, input, end = '' } = call
  const [contract = '', name = ''] = tool.split('/')
  const child = spawn(process.execPath, [resolve('test/wire/caller.mjs'), dist, dataDir, contract, name, JSON.stringify(input), end], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  const ready = once(reader, 'line').then(() => {
    reader.on('line', (line) => lines.push(line))
  })
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')])
  return {
    ready,
    async go() {
      await ready
      child.stdin.end('go\n')
      await ended
      return lines[0] === undefined ? undefined : JSON.parse(lines[0])
    },
  }
}

const stored = async (dataDir: string): Promise<readonly { readonly content: string; readonly version: number }[]> => {
  const { out } = await runProgram(['call', 'memory', 'list_memories', '--data-dir', dataDir, '--embedder', 'hash', '--json', '{}'])
  return z.object({ memories: z.array(z.object({ content: z.string(), version: z.int() })) }).parse(JSON.parse(out)).memories
}

describe('a call repeated with its idempotency key', () => {
  const input = { content: 'The kettle is blue', idempotency_key: 'k-1' }
  const tool = 'memory/store_memory'

  it('after a kill between commit and answer: stored once, with the same answer', async () => {
    const dataDir = temporaryFolder()
    expect(await startCaller(dataDir, { tool, input, end: 'after' }).go()).toBeUndefined()
    const first = withId.parse(await startCaller(dataDir, { tool, input }).go())
    expect(await startCaller(dataDir, { tool, input }).go()).toEqual(first)
    expect(await stored(dataDir)).toMatchObject([{ content: 'The kettle is blue', version: 1 }])
  })

  it('after a kill before the commit: stored by the repeated call', async () => {
    const dataDir = temporaryFolder()
    expect(await startCaller(dataDir, { tool, input, end: 'before' }).go()).toBeUndefined()
    expect(await stored(dataDir)).toEqual([])
    withId.parse(await startCaller(dataDir, { tool, input }).go())
    expect(await stored(dataDir)).toHaveLength(1)
  })

  it('is stored once by several processes, which all get the same answer', async () => {
    const dataDir = temporaryFolder()
    const callers = Array.from({ length: 4 }, () => startCaller(dataDir, { tool, input }))
    await Promise.all(callers.map(({ ready }) => ready))
    const answers = await Promise.all(callers.map(async ({ go }) => withId.parse(await go()).id))
    expect(new Set(answers).size).toBe(1)
    expect(await stored(dataDir)).toHaveLength(1)
  })

  it('reports a deletion again instead of an absent memory', async () => {
    const dataDir = temporaryFolder()
    const { id } = withId.parse(await startCaller(dataDir, { tool, input }).go())
    const deletion = { tool: 'memory/delete_memory', input: { id, idempotency_key: 'k-2' } }
    expect(await startCaller(dataDir, { ...deletion, end: 'after' }).go()).toBeUndefined()
    expect(await startCaller(dataDir, deletion).go()).toEqual({ deleted: true })
    expect(await stored(dataDir)).toEqual([])
  })
})
