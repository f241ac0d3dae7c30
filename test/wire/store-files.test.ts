import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it } from 'vitest'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { PROGRAM, removeTemporaryFolders, runProgram, temporaryFolder } from './program.js'
import { find, HELLO, openStdio, store, useTools } from './wire.js'

// How dist/main.js handles an unusable data directory.
afterAll(removeTemporaryFolders)

const FILE = 'mneme.db'
const argsFor = (folder: string): readonly string[] => ['--data-dir', folder, '--embedder', 'hash', '--log-level', 'silent']

/** A file with a memory written by a server. */
async function filled(): Promise<string> {
  const folder = temporaryFolder()
  expect(await runProgram(['remember', 'An early memory', ...argsFor(folder)])).toMatchObject({ code: 0 })
  return folder
}

const sqlite = (file: string, ...statements: readonly string[]): void => {
  const db = openFile(file)
  for (const statement of statements) db.exec(statement)
  db.close()
}

const SPOILED: readonly [string, (file: string) => void, string][] = [
  ['text of another program', (file) => writeFileSync(file, 'not a database at all\n'.repeat(50)), 'is damaged or not a mneme file'],
  [
    'an SQLite file of another program',
    (file) => sqlite(file, 'CREATE TABLE bookmarks (url TEXT)'),
    'is an SQLite file of another program',
  ],
  [
    "a file with another program's mark",
    (file) => sqlite(file, 'PRAGMA application_id = 77', 'CREATE TABLE x (y)'),
    'belongs to another program',
  ],
  [
    'a file whose pages are garbage',
    (file) => writeFileSync(file, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8192, 0xa5)])),
    'Nothing was changed',
  ],
  ['a folder in place of the file', (file) => mkdirSync(file), 'is not a file'],
]

describe('a data directory', () => {
  it.each(SPOILED)('with %s keeps the server running, and works once that is removed', async (_, spoil, message) => {
    const folder = temporaryFolder()
    const file = join(folder, FILE)
    spoil(file)
    const before = existsSync(join(file, '.')) ? undefined : readFileSync(file)
    const wire = openStdio(argsFor(folder))
    const tools = await useTools(wire)
    expect(await wire.send({ jsonrpc: '2.0', id: 'list', method: 'tools/list' })).toMatchObject({ result: { tools: expect.anything() } })
    for (const [name, input] of [
      ['store_memory', { content: 'x' }],
      ['get_status', {}],
      ['search_text', { query: 'x' }],
    ] as const) {
      const refusal = await tools.refusal(name, input)
      expect(refusal).toContain(message)
      expect(refusal).toContain(file)
      expect(refusal).toContain('--data-dir')
    }
    if (before !== undefined) expect(readFileSync(file).equals(before)).toBe(true)
    rmSync(file, { recursive: true })
    await store(tools, 'Stored after the repair')
    await wire.close()
  })

  it('of a newer mneme is rejected and unchanged', async () => {
    const folder = await filled()
    const file = join(folder, FILE)
    sqlite(file, 'PRAGMA user_version = 4711')
    const before = readFileSync(file)
    const { code, out, err } = await runProgram(['status', ...argsFor(folder)])
    expect([code, out]).toEqual([7, ''])
    expect(err).toContain('was written by a newer mneme (schema 4711')
    expect(err).toContain('Upgrade mneme')
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('with a damaged file is reported, by doctor too, and the server keeps running', async () => {
    const folder = await filled()
    const file = join(folder, FILE)
    const bytes = readFileSync(file)
    bytes.fill(0x5a, 4096)
    writeFileSync(file, bytes)
    const wire = openStdio(argsFor(folder))
    const tools = await useTools(wire)
    expect(await tools.refusal('list_memories')).toContain(`${file} is damaged`)
    expect(await tools.refusal('store_memory', { content: 'x' })).toContain(`${file} is damaged`)
    expect((await wire.close()).code).toBe(0)
    const doctor = await runProgram(['doctor', ...argsFor(folder)])
    expect(`${doctor.out}${doctor.err}`).toContain('damaged')
    expect(`${doctor.out}${doctor.err}`).toContain('mneme restore')
    expect(doctor.err).not.toContain('Internal error')
  })

  it('that is removed or loses its log accepts no writes from the server that had it open', async () => {
    for (const lost of ['', FILE, `${FILE}-wal`]) {
      const folder = await filled()
      const wire = openStdio(argsFor(folder))
      const tools = await useTools(wire)
      await store(tools, 'Stored in time')
      rmSync(join(folder, lost), { recursive: true })
      const refusal = await tools.refusal('store_memory', { content: 'Stored too late' })
      expect(refusal).toContain('was moved, deleted or replaced while it was open')
      expect(refusal).toContain('restart')
      expect(await tools.call('list_memories')).toMatchObject({ total: 2 })
      expect((await wire.close()).code).toBe(0)
      mkdirSync(folder, { recursive: true })
    }
  })

  it('that may not be read is rejected by name', async () => {
    const folder = await filled()
    chmodSync(join(folder, FILE), 0o000)
    const answers = await unprivileged(folder, 'exec "$0" "$@"', 0o777)
    for (const answer of answers)
      expect(answer).toMatchObject({ result: { isError: true, content: [{ text: expect.stringContaining(`${FILE} cannot be read`) }] } })
  })

  it('is recovered by restore after its server was killed', async () => {
    const folder = await filled()
    const backup = join(temporaryFolder(), 'backup.db')
    expect(await runProgram(['backup', backup, ...argsFor(folder)])).toMatchObject({ code: 0 })
    const wire = openStdio(argsFor(folder))
    const tools = await useTools(wire)
    for (let i = 0; i < 20; i++) await store(tools, `Stored after the backup, number ${i}`)
    const open = await runProgram(['restore', backup, ...argsFor(folder)])
    expect(open).toMatchObject({ code: 6, out: '', err: expect.stringContaining('Another process has') })
    wire.program.child.kill('SIGKILL')
    await wire.program.ended()
    writeFileSync(join(folder, FILE), 'damaged beyond opening')
    const { code, out } = await runProgram(['restore', backup, ...argsFor(folder)])
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { restored: join(folder, FILE), from: backup, kept: expect.stringContaining('.bak') },
    ])
    const doctor = await runProgram(['doctor', ...argsFor(folder)])
    expect(JSON.parse(doctor.out)).toMatchObject({ healthy: true, findings: [], store: { facts: 1 } })
  })

  it('that is missing is created with its parents', async () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    expect(await runProgram(['remember', 'Deep down', ...argsFor(folder)])).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, FILE))).toBe(true)
  })

  it('that is a file is rejected with a remedy', async () => {
    const path = join(temporaryFolder(), 'data')
    writeFileSync(path, 'a file')
    const wire = openStdio(argsFor(path))
    const tools = await useTools(wire)
    const refusal = await tools.refusal('store_memory', { content: 'x' })
    expect(refusal).toContain(`The data directory ${path} cannot be used`)
    expect(refusal).toContain('choose another with --data-dir')
    await wire.close()
    expect(readFileSync(path, 'utf8')).toBe('a file')
  })

  it('that may not be written is rejected with a remedy', async () => {
    const folder = await filled()
    const answers = await unprivileged(folder, 'exec "$0" "$@"')
    for (const answer of answers)
      expect(answer).toMatchObject({ result: { isError: true, content: [{ text: expect.stringContaining('--data-dir') }] } })
  })

  it('on a full disk rejects the write, keeps its data and keeps serving', async () => {
    const folder = temporaryFolder()
    // A limit on file sizes simulates a full disk: writes beyond 1 MB fail.
    const limited = `trap '' XFSZ; ulimit -f 2048; exec "$0" "$@"`
    const child = spawn('sh', ['-c', limited, process.execPath, PROGRAM, 'mcp', ...argsFor(folder)], { stdio: ['pipe', 'pipe', 'ignore'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const ask = async (id: number | string, method: string, params: unknown): Promise<unknown> => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      const { value } = await lines.next()
      return JSON.parse(String(value))
    }
    await ask('hello', HELLO.method, HELLO.params)
    let refused: unknown
    let kept = 0
    for (; kept < 60 && refused === undefined; kept++) {
      const answer = await ask(kept, 'tools/call', {
        name: 'store_memory',
        arguments: { content: `${kept} ${'words of a long story '.repeat(4000)}` },
      })
      if (JSON.stringify(answer).includes('"isError":true')) refused = answer
    }
    expect(refused).toMatchObject({
      result: { content: [{ text: expect.stringMatching(/The disk that holds .*(is full|reported an error)/u) }] },
    })
    expect(await ask('list', 'tools/call', { name: 'list_memories', arguments: { limit: 1 } })).toMatchObject({
      result: { isError: false, structuredContent: { total: kept - 1 } },
    })
    child.stdin.end()
    await once(child, 'close')
    const doctor = await runProgram(['doctor', ...argsFor(folder)])
    expect(JSON.parse(doctor.out)).toMatchObject({ healthy: true, store: { facts: kept - 1 } })
  })
})

/** Calls a server that runs as a user without files there; the superuser is never rejected. */
async function unprivileged(folder: string, script: string, mode = 0o555): Promise<readonly unknown[]> {
  const root = process.getuid?.() === 0
  if (root) chownSync(folder, 0, 0)
  chmodSync(folder, mode)
  const child = spawn('sh', ['-c', script, process.execPath, PROGRAM, 'mcp', ...argsFor(folder)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, HOME: '/nonexistent', MNEME_SHARED: 'off' },
    ...(root ? { uid: 65534, gid: 65534 } : {}),
  })
  const call = (id: number, name: string, input: unknown) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: input },
  })
  child.stdin.end(
    [HELLO, call(1, 'store_memory', { content: 'x' }), call(2, 'get_status', {})].map((message) => `${JSON.stringify(message)}\n`).join(''),
  )
  const answers: unknown[] = []
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line))
  return answers.slice(1)
}

it('allows a second server on the same file: each finds writes of the other, by word and by meaning', async () => {
  const folder = temporaryFolder()
  const wires = [openStdio(argsFor(folder)), openStdio(argsFor(folder))]
  const [first, second] = await Promise.all(wires.map(useTools))
  if (first === undefined || second === undefined) throw new Error('No servers.')
  for (const [writer, reader, text] of [
    [first, second, 'The lighthouse keeper sleeps at noon'],
    [second, first, 'Marmalade is kept behind the clock'],
  ] as const) {
    const id = await store(writer, text)
    for (const name of ['search_text', 'search', 'recall'] as const) expect((await find(reader, name, text))[0]).toBe(id)
    await reader.call('invalidate', { id })
    for (const name of ['search_text', 'search', 'recall'] as const) expect(await find(writer, name, text)).not.toContain(id)
  }
  for (const wire of wires) expect((await wire.close()).code).toBe(0)
})
