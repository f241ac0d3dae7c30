import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CodeMemory, createCodeMemory } from '../../src/engine/code/code-memory.js'
import { tryLease } from '../../src/engine/code/index-lease.js'
import type { PassResult } from '../../src/engine/code/index-pass.js'
import { INDEX_FORM, projectById, registerProject } from '../../src/engine/code/project-state.js'
import type { Engine } from '../../src/engine/engine.js'
import { openCodeParser } from '../../src/parsers/code-parser.js'
import type { ProjectFiles } from '../../src/ports/project-files.js'
import { createProjectFiles } from '../../src/readers/project-files.js'
import { EVENTUALLY } from '../eventually.js'
import type { Opened } from '../opened.js'
import { makeProject, openParted, removeTemporaryFolders, temporaryFolder, writeTree } from './workbench.js'

const FILES = { 'src/a.ts': 'export const first = 1\n', 'b.py': 'def count_sheep(n):\n    return n\n' }

let parted: Opened
let engine: Engine
let opened: CodeMemory[]
let now: number
const clock = { now: () => now }
const gone = new Set<number>()
const isAlive = (pid: number): boolean => !gone.has(pid)

beforeEach(async () => {
  now = Date.UTC(2026, 0, 6, 12) * 1000
  gone.clear()
  opened = []
  parted = await openParted(temporaryFolder('data'), { clock })
  engine = parted.engine
})
afterEach(async () => {
  for (const memory of opened) await memory.close()
  await engine.close()
})
afterAll(removeTemporaryFolders)

const toolsOf = (pid: number) => ({ jobs: parted.backend.jobs, clock, self: { pid, host: 'here', isAlive }, holder: `holder-${pid}` })

/** The memory of one process; all share the store. */
function memoryOf(pid: number, files: ProjectFiles = createProjectFiles()): CodeMemory {
  const code = createCodeMemory({
    ports: parted.backend,
    clock,
    ids: engine.ids,
    log: engine.log,
    maskSecrets: true,
    holder: `holder-${pid}`,
    files,
    parser: openCodeParser({ threads: 0 }),
    self: { pid, host: 'here', isAlive },
    lookAgainMs: 20,
    embed: () => undefined,
  })
  opened.push(code)
  return code
}

const index = (code: CodeMemory, path: string, watch?: boolean): Promise<PassResult> =>
  code.index({ owner: 'default', path, actor: 'test', watch, signal: new AbortController().signal, progress: () => undefined })

const filesOf = async (code: CodeMemory): Promise<number> => (await code.report('farm', 'default')).indexedFiles

describe('watching across processes', () => {
  it('is taken over by a process started before the watch', async () => {
    const [memory, two] = [memoryOf(1), memoryOf(2)]
    two.resume()
    const root = makeProject('farm', FILES)
    await index(memory, root, true)
    expect((await two.report('farm', 'default')).watching).toBe(true)
    await memory.close()
    await vi.waitFor(async () => expect((await memoryOf(3).report('farm', 'default')).watching).toBe(true), EVENTUALLY)
    writeTree(root, { 'c.py': 'def late(): pass\n' })
    await vi.waitFor(async () => expect(await filesOf(two)).toBe(3), EVENTUALLY)
  })

  it('is not reported as active when its process is dead, and continues in the next long-running process', async () => {
    const memory = memoryOf(1)
    const { source } = await index(memory, makeProject('farm', FILES), true)
    await memory.close()
    expect((await memoryOf(2).report('farm', 'default')).watching).toBe(false)
    const dead = await tryLease(toolsOf(9), 'watch', source.id)
    expect((await memoryOf(3).report('farm', 'default')).watching).toBe(true)
    gone.add(9)
    const four = memoryOf(4)
    expect((await four.report('farm', 'default')).watching).toBe(false)
    four.resume()
    await vi.waitFor(async () => expect((await four.report('farm', 'default')).watching).toBe(true), EVENTUALLY)
    await dead?.release(null)
  })

  it('ends in its process when another process requests it', async () => {
    const [memory, two] = [memoryOf(1), memoryOf(2)]
    const root = makeProject('farm', FILES)
    await index(memory, root, true)
    await index(two, root, false)
    expect((await two.report('farm', 'default')).watching).toBe(false)
    const lease = async () => (await parted.backend.jobs.list()).find((job) => job.kind === 'watch')?.state
    await vi.waitFor(async () => expect(await lease()).toBe('idle'), EVENTUALLY)
    await index(two, root, true)
    expect((await memory.report('farm', 'default')).watching).toBe(true)
  })

  it('detects that its folder is gone and follows it again when it returns', async () => {
    const memory = memoryOf(1)
    const root = makeProject('farm', FILES)
    await index(memory, root, true)
    rmSync(root, { recursive: true })
    await vi.waitFor(async () => expect((await memory.report('farm', 'default')).status).toBe('failed'), EVENTUALLY)
    mkdirSync(root)
    writeTree(root, { ...FILES, 'c.py': 'def back(): pass\n' })
    await vi.waitFor(
      async () => expect(await memory.report('farm', 'default')).toMatchObject({ status: 'completed', indexedFiles: 3 }),
      EVENTUALLY,
    )
    writeTree(root, { 'd.py': 'def later(): pass\n' })
    await vi.waitFor(async () => expect(await filesOf(memory)).toBe(4), EVENTUALLY)
  }, 240_000)

  it('detects a missing folder at start, and begins once it exists', async () => {
    const memory = memoryOf(1)
    const root = makeProject('farm', FILES)
    await index(memory, root, true)
    await memory.close()
    renameSync(root, `${root}-away`)
    const two = memoryOf(2)
    two.resume()
    await vi.waitFor(
      async () => expect(await two.report('farm', 'default')).toMatchObject({ status: 'failed', watching: false }),
      EVENTUALLY,
    )
    renameSync(`${root}-away`, root)
    await vi.waitFor(
      async () => expect(await two.report('farm', 'default')).toMatchObject({ status: 'completed', watching: true }),
      EVENTUALLY,
    )
  })
})

describe('project in the queue', () => {
  it('is pending while a live process queues it, failed after that, and continued by a long-running process', async () => {
    const root = makeProject('farm', FILES)
    const code = memoryOf(1)
    const source = await registerProject(parted.backend, engine.ids.mint(), 'default', await createProjectFiles().find(root), 'test')
    expect((await code.report('farm', 'default')).status).toBe('pending')
    now += 9e6
    const queued = await tryLease(toolsOf(9), 'queue', source.id)
    expect((await code.report('farm', 'default')).status).toBe('pending')
    gone.add(9)
    expect(await code.report('farm', 'default')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Index the project again'),
    })
    code.resume()
    await vi.waitFor(
      async () => expect(await code.report('farm', 'default')).toMatchObject({ status: 'completed', indexedFiles: 2 }),
      EVENTUALLY,
    )
    await queued?.release(null)
  })
})

describe('index pass', () => {
  it('keeps the index of folders and files that cannot be read, and counts them', async () => {
    const files = createProjectFiles()
    let locked = false
    const code = memoryOf(1, {
      ...files,
      async *scan(path, options) {
        for await (const file of files.scan(path, options)) if (!locked || !file.path.startsWith('src/')) yield file
        if (locked) options.onSkip?.('src', 'unreadable', true)
      },
      read: async (file) => (locked ? { skipped: 'unreadable', size: 0, mtimeUs: 0 } : files.read(file)),
    })
    const root = makeProject('farm', { ...FILES, 'src/deep/c.ts': 'export const c = 1\n' })
    expect(await index(code, root)).toMatchObject({ filesChanged: 3 })
    locked = true
    writeFileSync(join(root, 'b.py'), 'def count_goats(n):\n    return n\n')
    expect(await index(code, root)).toMatchObject({ filesChanged: 0, filesRemoved: 0, files: 3 })
    expect((await code.report('farm', 'default')).skipped).toEqual({ unreadable: 2 })
    locked = false
    rmSync(join(root, 'src/deep'), { recursive: true })
    expect(await index(code, root)).toMatchObject({ filesChanged: 1, filesRemoved: 1, files: 2 })
    expect((await code.report('farm', 'default')).skipped).toEqual({})
  })

  it('reads every file again if the index was built by older rules', async () => {
    const code = memoryOf(1)
    const root = makeProject('farm', FILES)
    const { source } = await index(code, root)
    expect(await index(code, root)).toMatchObject({ filesChanged: 0 })
    const current = (await projectById(parted.backend, source.id)) ?? source
    await parted.backend.store.commit({ actor: 'test', owners: ['default'] }, () => [
      { op: 'source.put', source: { ...current, metadata: { ...current.metadata, form: '' }, version: current.version + 1 } },
    ])
    expect(await index(code, root)).toMatchObject({ filesChanged: 2, filesRemoved: 0 })
    expect(await index(code, root)).toMatchObject({ filesChanged: 0 })
  })

  it('updates an index of older rules automatically', async () => {
    const root = makeProject('farm', FILES)
    const { source } = await index(memoryOf(1), root)
    const current = (await projectById(parted.backend, source.id)) ?? source
    await parted.backend.store.commit({ actor: 'test', owners: ['default'] }, () => [
      { op: 'source.put', source: { ...current, metadata: { ...current.metadata, form: '' }, version: current.version + 1 } },
    ])
    memoryOf(2).resume()
    await vi.waitUntil(async () => (await projectById(parted.backend, source.id))?.metadata.form === INDEX_FORM, EVENTUALLY)
  })
})
