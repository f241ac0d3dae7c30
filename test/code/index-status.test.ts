import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadConfig } from '../../src/config.js'
import { type CodeMemory, createCodeMemory } from '../../src/engine/code/code-memory.js'
import { createEngine, type Engine } from '../../src/engine/engine.js'
import { MemoryError } from '../../src/errors.js'
import { openParts } from '../../src/open.js'
import { openCodeParser } from '../../src/parsers/code-parser.js'
import type { CodeParser } from '../../src/ports/code-parser.js'
import { createProjectFiles } from '../../src/readers/project-files.js'
import { EVENTUALLY } from '../eventually.js'
import { call, makeProject, removeTemporaryFolders, temporaryFolder } from './workbench.js'

// Every state of get_index_status. UPDATE_GOLDEN=1 writes the current responses; read the difference before committing.
const FILE = 'test/golden/memory-code/status.json'
const update = process.env.UPDATE_GOLDEN === '1'
if (update && process.env.CI) throw new Error('Golden files are pins: they are not rewritten in CI.')

/** A parser that lets a given number of calls pass. */
function createGate(): CodeParser & { waiting(): number; open(calls: number): void; fail(error: Error): void } {
  const parser = openCodeParser({ threads: 0 })
  let permits = 0
  let failure: Error | undefined
  /** Batches are concurrent and arrive in any order, so they are released by their files. */
  const waiting: { readonly path: string; go(): void }[] = []
  const pump = (): void => {
    while (waiting.length > 0 && (permits > 0 || failure !== undefined)) {
      permits--
      waiting.shift()?.go()
    }
  }
  return {
    async parse(files, options) {
      await new Promise<void>((resolve) => {
        waiting.push({ path: files[0]?.path ?? '', go: resolve })
        waiting.sort((a, b) => (a.path < b.path ? -1 : 1))
        pump()
      })
      if (failure !== undefined) throw failure
      return parser.parse(files, options)
    },
    waiting: () => waiting.length,
    open(calls) {
      permits = calls
      pump()
    },
    fail(error) {
      failure = error
      pump()
    },
    close: () => parser.close(),
  }
}

let engine: Engine
let code: CodeMemory
let gate: ReturnType<typeof createGate>
let now = 0

beforeEach(async () => {
  now = Date.UTC(2026, 0, 6, 12) * 1000
  const clock = { now: () => now }
  const { config } = loadConfig({ flags: { dataDir: temporaryFolder('data'), embedder: 'hash' } })
  const { environment, backend } = await openParts(config, { clock, log: { warn: () => undefined } })
  gate = createGate()
  code = createCodeMemory({
    ports: environment,
    clock,
    ids: environment.ids,
    log: environment.log,
    maskSecrets: true,
    holder: 'me',
    files: createProjectFiles(),
    parser: gate,
    self: { pid: process.pid, host: hostname(), isAlive: () => true },
    embed: () => undefined,
  })
  engine = createEngine(environment, backend, code)
})
afterEach(async () => {
  gate.open(Number.POSITIVE_INFINITY)
  await engine.close()
})
afterAll(removeTemporaryFolders)

const pinned: Record<string, unknown> = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}

function pin(state: string, answer: Record<string, unknown>): void {
  const shown = {
    ...answer,
    path: '<folder>',
    ...(typeof answer.error_message === 'string' ? { error_message: answer.error_message } : {}),
  }
  for (const key of ['started_at', 'completed_at'])
    if (typeof answer[key] === 'string') Object.assign(shown, { [key]: String(answer[key]).replace(/\.\d{9}Z$/, '.<fraction>Z') })
  if (update) {
    pinned[state] = shown
    writeFileSync(FILE, `${JSON.stringify(pinned, null, 2)}\n`)
  }
  expect(shown).toEqual(pinned[state])
}

const status = (project: string): Promise<Record<string, unknown>> => call(engine, 'get_index_status', { project_id: project })
const manyFiles = Object.fromEntries(
  Array.from({ length: 96 }, (_, i) => [`f${String(i).padStart(2, '0')}.py`, `def f${String(i).padStart(2, '0')}(): pass\n`]),
)

it('is pending, then indexing with percent and time left, then completed', async () => {
  const running = call(engine, 'index_project', { path: makeProject('one', manyFiles) })
  await vi.waitFor(async () => expect(await status('one')).toMatchObject({ status: 'indexing' }), EVENTUALLY)
  const waiting = call(engine, 'index_project', { path: makeProject('two', { 'a.py': 'a = 1\n' }) })
  await vi.waitFor(async () => pin('pending', await status('two')), EVENTUALLY)
  now += 10e6
  await vi.waitFor(() => expect(gate.waiting()).toBe(3), EVENTUALLY)
  gate.open(2)
  await vi.waitFor(async () => expect(await status('one')).toMatchObject({ progress_percent: 66.6, indexed_files: 64 }), EVENTUALLY)
  pin('indexing', await status('one'))
  gate.open(Number.POSITIVE_INFINITY)
  await Promise.all([running, waiting])
  pin('completed', await status('one'))
})

it('has failed with the reason', async () => {
  const running = call(engine, 'index_project', { path: makeProject('one', manyFiles) })
  gate.open(1)
  gate.fail(new MemoryError('storage', 'The disk that holds the store is full.'))
  await expect(running).rejects.toThrow('disk')
  pin('failed', await status('one'))
})

it('was interrupted if no process continues it', async () => {
  const running = call(engine, 'index_project', { path: makeProject('one', manyFiles) })
  await vi.waitFor(async () => expect(await status('one')).toMatchObject({ status: 'indexing' }), EVENTUALLY)
  gate.fail(new Error('gone'))
  const closing = code.close()
  await expect(running).rejects.toThrow()
  await closing
  pin('interrupted', await status('one'))
})
