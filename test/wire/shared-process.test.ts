import { existsSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EVENTUALLY } from '../eventually.js'
import { removeTemporaryFolders, startProgram, temporaryFolder } from './program.js'
import { HASH, noneLeft, oneLeft, SHARED, sharedProcesses, startWarm, warm } from './warm.js'
import { openStdio, type StdioWire, store, useTools } from './wire.js'

// Commands, hooks and MCP servers as real processes, on Linux: it can tell which processes there are.
let folder = ''
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  // A client that is still there would start another process.
  await Promise.all(clients.splice(0).map((wire) => wire.close()))
  await warm(folder, ['stop'])
  await noneLeft(folder)
})
afterAll(removeTemporaryFolders)

const clients: StdioWire[] = []
const openClient = (env: Readonly<Record<string, string>> = {}): StdioWire => {
  const wire = openStdio(['--data-dir', folder, ...HASH], { env: { ...SHARED, ...env } })
  clients.push(wire)
  return wire
}
const socketOf = (): string => join(folder, 'shared.sock')
const recalled = async (query: string, options: Parameters<typeof warm>[2] = {}): Promise<unknown> => {
  const { code, out, err } = await warm(folder, ['recall', query], options)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

describe.skipIf(process.platform !== 'linux')('the shared process', () => {
  it('is started by the first command, answers the same as a process of its own, and is shown and stopped', async () => {
    expect((await warm(folder, ['remember', 'The gate width is 4711'])).code).toBe(0)
    const [pid] = sharedProcesses(folder)
    expect(statSync(socketOf()).mode & 0o777).toBe(0o600)
    const there = await recalled('gate width')
    expect(there).toEqual(await recalled('gate width', { env: { MNEME_SHARED: 'off' } }))
    expect(there).toMatchObject({ results: [{ content: 'The gate width is 4711' }] })
    expect(JSON.parse((await warm(folder, ['status'])).out)).toMatchObject({ memories_count: 1, shared_process: { pid, clients: 0 } })
    expect(JSON.parse((await warm(folder, ['stop'])).out)).toEqual({ stopped: true, pid })
    expect(sharedProcesses(folder)).toEqual([])
    expect(existsSync(socketOf())).toBe(false)
    expect(JSON.parse((await warm(folder, ['stop'])).out)).toEqual({ stopped: false, pid: null })
  })

  it('is one even if twenty start at once, and runs every call once', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `Note number ${i} of the crowd`)
    const ended = await Promise.all(texts.map((text) => warm(folder, ['remember', text])))
    expect(ended.map(({ code, err }) => [code, err])).toEqual(texts.map(() => [0, '']))
    await oneLeft(folder)
    const { memories, total } = JSON.parse((await warm(folder, ['list', '--limit', '100'])).out)
    expect(total).toBe(20)
    expect(
      z
        .array(z.looseObject({ content: z.string() }))
        .parse(memories)
        .map(({ content }) => content)
        .sort(),
    ).toEqual(texts.sort())
  })

  it('ends by itself once its last client has been gone for a while', async () => {
    const wire = openClient({ MNEME_KEEP_WARM: '0.001' })
    const tools = await useTools(wire)
    await store(tools, 'Kept while a client is there')
    expect(sharedProcesses(folder)).toHaveLength(1)
    await wire.close()
    await noneLeft(folder)
    expect(existsSync(socketOf())).toBe(false)
  })

  it('serves concurrent MCP clients, each in its own order, and resolves relative paths in the folder of the client', async () => {
    const [first, second] = await Promise.all([useTools(openClient()), useTools(openClient())])
    const id = await store(first, 'Written by the first')
    expect(await second.call('get_memory', { id })).toMatchObject({ content: 'Written by the first' })
    await oneLeft(folder)
    expect(await second.call('index_project', { path: 'test/fixtures/none' }).catch(String)).toContain(process.cwd())
  })

  it('answers hooks', async () => {
    await warm(folder, ['remember', 'The gate width is 4711'])
    const payload = JSON.stringify({ session_id: 's', cwd: folder, prompt: 'What is the gate width?' })
    const { code, out } = await warm(folder, ['hook', 'claude-code', 'UserPromptSubmit'], { input: payload })
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { hookSpecificOutput: expect.objectContaining({ additionalContext: expect.stringContaining('The gate width is 4711') }) },
    ])
  })

  it('accepts standard input, returns failures with their exit codes, and prints text at a terminal', async () => {
    expect(JSON.parse((await warm(folder, ['remember', '-'], { input: `Piped ${'text '.repeat(15_000)}` })).out)).toHaveProperty('id')
    expect(await warm(folder, ['show', 'nope'])).toMatchObject({ code: 3, out: '', err: expect.stringContaining('Memory not found: nope') })
    expect((await warm(folder, ['list', '--output', 'text'])).out).toMatch(/^Piped text/)
  })

  it('leaves a call with other settings, or of another copy of the program, to its own process', async () => {
    await warm(folder, ['remember', 'The gate width is 4711'])
    const [pid] = sharedProcesses(folder)
    const own = await recalled('gate width', { env: { MNEME_RECALL_OWNER: 'default' } })
    expect(own).toMatchObject({ results: [{ content: 'The gate width is 4711' }] })
    await oneLeft(folder)
    expect(sharedProcesses(folder)).toEqual([pid])
    const zone = await warm(folder, ['list', '--output', 'text'], { env: { TZ: 'Pacific/Auckland' } })
    expect(zone.code).toBe(0)
  })

  it('is not used if the socket is a file, a link or a folder, which stays unchanged', async () => {
    for (const make of [
      () => writeFileSync(socketOf(), 'kept'),
      () => symlinkSync(join(folder, 'elsewhere'), socketOf()),
      () => mkdirSync(socketOf()),
    ]) {
      make()
      expect((await warm(folder, ['remember', 'Stored all the same'])).code).toBe(0)
      expect(sharedProcesses(folder)).toEqual([])
      rmSync(socketOf(), { recursive: true })
    }
  })

  it('replaces the socket of a process that was killed', async () => {
    await warm(folder, ['remember', 'The gate width is 4711'])
    for (const pid of sharedProcesses(folder)) process.kill(pid, 'SIGKILL')
    await noneLeft(folder)
    expect(existsSync(socketOf())).toBe(true)
    expect(await recalled('gate width')).toMatchObject({ results: [{ content: 'The gate width is 4711' }] })
    expect(sharedProcesses(folder)).toHaveLength(1)
  })

  it('is reached in a private folder if the path is too long for a socket', async () => {
    folder = join(temporaryFolder(), 'x'.repeat(120))
    mkdirSync(folder)
    expect((await warm(folder, ['remember', 'Deep down'])).code).toBe(0)
    expect(sharedProcesses(folder)).toHaveLength(1)
    expect(await recalled('deep')).toMatchObject({ results: [{ content: 'Deep down' }] })
  })

  it.each(['moved', 'deleted'] as const)('ends when its data directory is %s', async (how) => {
    await warm(folder, ['remember', 'Here today'])
    expect(sharedProcesses(folder)).toHaveLength(1)
    const before = folder
    if (how === 'moved') renameSync(folder, join(temporaryFolder(), 'moved'))
    else rmSync(folder, { recursive: true })
    await noneLeft(before)
  })

  it('survives clients that send garbage, half a frame or too much, or never read', async () => {
    await warm(folder, ['remember', 'The gate width is 4711'])
    const [pid] = sharedProcesses(folder)
    const garbage = [
      Buffer.from('not json\n'),
      Buffer.from('{"hello":{"mode":"command"'),
      Buffer.alloc(3 * 1024 * 1024, 0x61),
      Buffer.from('[1]\n{}\n'),
    ]
    const sockets = garbage.map((bytes) => {
      const socket = connect(socketOf())
      socket.on('error', () => undefined)
      socket.write(bytes)
      return socket
    })
    const [first, , third, fourth] = sockets
    for (const socket of [first, third, fourth]) if (socket?.closed === false) await new Promise((resolve) => socket.once('close', resolve))
    const silent = startWarm(folder, ['mcp'])
    silent.child.stdout.pause()
    for (let id = 1; id <= 40; id++) silent.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`)
    expect(await recalled('gate width')).toMatchObject({ results: [{ content: 'The gate width is 4711' }] })
    await oneLeft(folder)
    expect(sharedProcesses(folder)).toEqual([pid])
    silent.child.kill('SIGKILL')
    for (const socket of sockets) socket.destroy()
  })

  it('serves fifty clients at once', async () => {
    await warm(folder, ['remember', 'The gate width is 4711'])
    const [pid] = sharedProcesses(folder)
    const ended = await Promise.all(Array.from({ length: 50 }, () => warm(folder, ['recall', 'gate width'])))
    expect(ended.map(({ code }) => code)).toEqual(ended.map(() => 0))
    await oneLeft(folder)
    expect(sharedProcesses(folder)).toEqual([pid])
  })

  it('is replaced for a client when it is killed between two calls or during one', async () => {
    const wire = openClient()
    const tools = await useTools(wire)
    const id = await store(tools, 'Before the end')
    const [before] = sharedProcesses(folder)
    for (const pid of sharedProcesses(folder)) process.kill(pid, 'SIGKILL')
    expect(await tools.call('get_memory', { id })).toMatchObject({ content: 'Before the end' })
    await expect.poll(() => sharedProcesses(folder).filter((pid) => pid !== before), EVENTUALLY).toHaveLength(1)
    for (const pid of sharedProcesses(folder)) process.kill(pid, 'SIGSTOP')
    const pending = tools.call('store_memory', { content: 'Cut off' })
    const keyed = tools.call('store_memory', { content: 'Cut off, with a key', idempotency_key: 'k1' })
    const reads = tools.call('get_memory', { id })
    for (const pid of sharedProcesses(folder)) process.kill(pid, 'SIGKILL')
    expect(await pending.catch(String)).toContain('whether it took effect is unknown')
    expect(await keyed).toHaveProperty('id')
    expect(await reads).toMatchObject({ content: 'Before the end' })
    const { total } = z.object({ total: z.int() }).parse(await tools.call('list_memories', {}))
    expect(total).toBe(2)
  })

  it('falls back to the own process if none can be started', async () => {
    const { code, out } = await warm(folder, ['remember', 'Alone'], { env: { MNEME_SHARED: 'off' } })
    expect([code, JSON.parse(out)]).toEqual([0, { id: expect.any(String) }])
    expect(sharedProcesses(folder)).toEqual([])
    const program = startProgram(['shared-process', folder, join(folder, 'no', 'such', 'folder', 'x.sock')], { env: SHARED })
    expect((await program.ended()).code).not.toBe(0)
  })
})
