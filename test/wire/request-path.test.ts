import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Driver, PreparedStatement } from '../../src/backends/sqlite/driver.js'
import { defaultDriver } from '../../src/backends/sqlite/driver-choice.js'
import { loadConfig } from '../../src/config.js'
import type { Engine } from '../../src/engine/engine.js'
import { loadContracts, openEngine } from '../../src/open.js'
import { createDispatch } from '../../src/surfaces/host.js'
import { createMcpServer } from '../../src/surfaces/mcp/server.js'
import { memoryLog } from '../surfaces/fake-host.js'

// UPDATE_GOLDEN=1 writes what runs now; read the difference before committing.
const FILE = 'test/golden/request-path.json'
const update = process.env.UPDATE_GOLDEN === '1'
if (update && process.env.CI) throw new Error('Golden files are pins: they are not rewritten in CI.')
const pinned = z.record(z.string(), z.array(z.string())).parse(existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {})

/** Layers that a request passes; core is called from all of them. */
const PASSED = ['surfaces', 'contracts', 'engine', 'backends']

/** Timers run these behind the calls, so they may fall into any of them. */
const BACKGROUND = ['backends/sqlite/compaction', 'backends/sqlite/erasure']

/** Files of mneme on the stack of a caller, including awaiting ones; each once, innermost first. */
function filesOnStack(): readonly string[] {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 200
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  return [...new Set([...stack.matchAll(/\/src\/([\w/-]+)\.ts:\d+/gu)].map(([, path = '']) => path))]
}

/** A driver that records the sender of each statement. */
function recording(seen: Map<string, readonly string[]>): Driver {
  const noting = (statement: PreparedStatement, text: string): PreparedStatement =>
    new Proxy(statement, {
      get(target, method) {
        const call: unknown = Reflect.get(target, method)
        if (typeof call !== 'function') return call
        return (...values: unknown[]) => {
          seen.set(text, filesOnStack())
          return Reflect.apply(call, target, values)
        }
      },
    })
  const driver = defaultDriver()
  return {
    name: driver.name,
    open(file, options) {
      const db = driver.open(file, options)
      const prepare = db.prepare.bind(db)
      return Object.assign(db, { prepare: (text: string) => noting(prepare(text), text) })
    },
  }
}

describe('the path of a request from the wire to the disk', () => {
  const seen = new Map<string, readonly string[]>()
  const session = new Session()
  let directory: string
  let engine: Engine
  let client: Client

  beforeAll(async () => {
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    directory = mkdtempSync(join(tmpdir(), 'mneme-path-'))
    const { config } = loadConfig({ flags: { dataDir: directory, embedder: 'local' }, env: {} })
    engine = await openEngine(config, { driver: recording(seen), log: { warn: () => undefined } })
    const contracts = await loadContracts(['memory'])
    const log = memoryLog()
    const host = { version: '1', contracts, engine: async () => engine, close: async () => undefined }
    const server = createMcpServer({ dispatch: createDispatch(host, log), log, version: '1', contracts, connection: 'c' })
    client = new Client({ name: 'test', version: '0' })
    const [here, there] = InMemoryTransport.createLinkedPair()
    await Promise.all([server.connect(there), client.connect(here)])
  })
  afterAll(async () => {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Files whose functions run during a call. The SQLite library depends on Node. */
  async function filesOf(name: string, input: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    const call = () => client.callTool({ name, arguments: input })
    await call()
    await session.post('Profiler.takePreciseCoverage')
    await call()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const run = result.filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0)),
    )
    const paths = run.flatMap(({ url }) => /\/src\/([\w/-]+)\.ts/u.exec(url)?.[1] ?? [])
    // One of them serves Node's SQLite with several files.
    return [...new Set(paths.map((path) => path.replace(/sqlite\/(?:\w+-driver|whole-texts|columnar-read)$/u, 'sqlite/driver')))]
      .filter((path) => PASSED.some((layer) => path.startsWith(`${layer}/`)) && !BACKGROUND.includes(path))
      .sort()
  }

  test.each([
    ['get_memory', { id: 'x' }],
    ['store_memory', { content: 'The harbour master is called Ines.' }],
    ['search_text', { query: 'harbour' }],
    ['recall', { query: 'Who is the harbour master?' }],
  ] as const)('%s runs no other files than these', async (name, input) => {
    const files = await filesOf(name, input)
    if (update) pinned[name] = [...files]
    if (update) writeFileSync(FILE, `${JSON.stringify(pinned, null, 2)}\n`)
    expect(files).toEqual(pinned[name])
  })

  test.each([
    ['get_memory', { id: 'x' }, ['engine/facts/revise', 'contracts/memory/get-memory', 'contracts/operation', 'surfaces/host']],
    [
      'recall',
      { query: 'harbour master' },
      [
        'engine/recall/assemble-results',
        'engine/recall/recall',
        'engine/with-view',
        'engine/recall/recall-with-code',
        'contracts/memory/recall',
        'contracts/operation',
      ],
    ],
  ] as const)('%s reaches the facts through these, one inside the other', async (name, input, above) => {
    seen.clear()
    await client.callTool({ name, arguments: input })
    const [stack] = [...seen].flatMap(([text, files]) => (/FROM facts WHERE (?:\+owner = \? AND )?id IN/u.test(text) ? [files] : []))
    // Files that only pass a promise on are not on the stack of its waiter.
    expect(stack).toEqual(['backends/sqlite/connection', 'backends/sql/store', ...above])
  })
})
