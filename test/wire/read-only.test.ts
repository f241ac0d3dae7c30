import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Ended, removeTemporaryFolders, startProgram, temporaryFolder } from './program.js'
import { find, openStdio, store, useTools } from './wire.js'

afterAll(removeTemporaryFolders)

const FILE = 'mneme.db'
const argsFor = (folder: string): readonly string[] => ['--data-dir', folder, '--embedder', 'hash', '--log-level', 'silent']

/** Runs a command as a user who may read the folder and its files, but not write. */
async function readOnly(...args: readonly string[]): Promise<Ended> {
  const program = startProgram(args, { keepOutput: true, unprivileged: true })
  program.child.stdin.end()
  return program.ended()
}

function protect(folder: string): void {
  for (const name of readdirSync(folder)) if (statSync(join(folder, name)).isFile()) chmodSync(join(folder, name), 0o444)
  chmodSync(folder, 0o555)
}

/** A folder with two memories; the file and its log are readable by all. */
async function written(): Promise<{ readonly folder: string; readonly wire: ReturnType<typeof openStdio>; readonly id: string }> {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const first = openStdio(argsFor(folder))
  const id = await store(await useTools(first), 'The lighthouse keeper sleeps at noon')
  await first.close()
  chmodSync(join(folder, FILE), 0o644)
  const wire = openStdio(argsFor(folder))
  await store(await useTools(wire), 'Marmalade is kept behind the clock')
  return { folder, wire, id }
}

async function expectReadable(folder: string, id: string): Promise<void> {
  const before = readdirSync(folder).sort()
  const answer = async (...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const { code, out, err } = await readOnly(...args, ...argsFor(folder))
    expect([code, err], args.join(' ')).toEqual([0, expect.not.stringContaining('cannot')])
    return JSON.parse(out)
  }
  expect(JSON.stringify(await answer('recall', 'where is the marmalade?'))).toContain('behind the clock')
  expect(JSON.stringify(await answer('search', 'the keeper of the lighthouse'))).toContain('sleeps at noon')
  expect(await answer('call', 'memory', 'get_memory', '--id', id)).toMatchObject({ content: expect.stringContaining('lighthouse') })
  expect(await answer('call', 'memory', 'list_memories')).toMatchObject({ total: 2 })
  expect(await answer('doctor')).toMatchObject({ healthy: true, store: { facts: 2 } })
  expect(await answer('status')).toMatchObject({
    status: 'degraded',
    problems: [expect.stringContaining('is read-only')],
    memories_count: 2,
  })
  const target = temporaryFolder()
  chmodSync(target, 0o777)
  expect(await answer('export', join(target, 'all.jsonl'))).toMatchObject({ file: join(target, 'all.jsonl') })
  expect(readFileSync(join(target, 'all.jsonl'), 'utf8')).toContain('behind the clock')
  for (const args of [
    ['remember', 'Something new'],
    ['call', 'memory', 'delete_memory', '--id', id],
  ]) {
    const refused = await readOnly(...args, ...argsFor(folder))
    expect([refused.code, refused.out]).toEqual([7, ''])
    expect(refused.err).toContain('is read-only')
    expect(refused.err).toContain('--data-dir')
  }
  expect(readdirSync(folder).sort()).toEqual(before)
}

describe('reading requires no right to write', () => {
  it('of a closed store', async () => {
    const { folder, wire, id } = await written()
    await wire.close()
    expect(existsSync(join(folder, `${FILE}-wal`))).toBe(false)
    protect(folder)
    await expectReadable(folder, id)
  })

  it('of a store whose process was killed, including its log', async () => {
    const { folder, wire, id } = await written()
    wire.program.child.kill('SIGKILL')
    await wire.program.ended()
    expect(statSync(join(folder, `${FILE}-wal`)).size).toBeGreaterThan(0)
    protect(folder)
    await expectReadable(folder, id)
  })

  it('of a log without its index', async () => {
    const { folder, wire, id } = await written()
    wire.program.child.kill('SIGKILL')
    await wire.program.ended()
    const other = join(temporaryFolder(), 'moved')
    mkdirSync(other)
    const { copyFileSync } = await import('node:fs')
    for (const side of ['', '-wal', '-count']) copyFileSync(join(folder, `${FILE}${side}`), join(other, `${FILE}${side}`))
    chmodSync(join(other, '..'), 0o755)
    protect(other)
    await expectReadable(other, id)
    chmodSync(other, 0o755)
  })

  it('during writes of another process, whose memories are found immediately', async () => {
    const { folder, wire, id } = await written()
    const writer = await useTools(wire)
    await expectReadable(folder, id)
    const reader = openStdio(argsFor(folder), { unprivileged: process.getuid?.() === 0 })
    const tools = await useTools(reader)
    expect(await find(tools, 'search_text', 'walrus')).toEqual([])
    const late = await store(writer, 'A walrus came by')
    expect(await find(tools, 'search_text', 'walrus')).toEqual([late])
    await reader.close()
    await wire.close()
    expect(existsSync(join(folder, FILE))).toBe(true)
  })

  it('so that an earlier reader finds later writes', async () => {
    const { folder, wire } = await written()
    await wire.close()
    const reader = openStdio(argsFor(folder), { unprivileged: true })
    const tools = await useTools(reader)
    expect(await find(tools, 'search_text', 'walrus')).toEqual([])
    const writer = openStdio(argsFor(folder))
    const late = await store(await useTools(writer), 'A walrus came by')
    expect(await find(tools, 'search_text', 'walrus')).toEqual([late])
    await writer.close()
    expect(await find(tools, 'search_text', 'walrus')).toEqual([late])
    await reader.close()
  })
})
