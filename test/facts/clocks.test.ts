import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Teller, tellHistory } from '../../bench/clocks/history.js'
import { loadConfig } from '../../src/config.js'
import type { Engine } from '../../src/engine/engine.js'
import { loadContracts } from '../../src/open.js'
import type { Clock } from '../../src/ports/clock.js'
import { type Opened, openBoth } from '../opened.js'

const HOUR = 3600e6
const DAY = 24 * HOUR
const TODAY = 1_780_000_000_000_000

const memory = z.looseObject({ ingestion_time: z.string(), valid_from: z.string(), valid_until: z.string().nullable() })
const listed = z.object({ results: z.array(z.looseObject({ content: z.string() })) })
const findings = z.object({ healthy: z.boolean(), findings: z.array(z.looseObject({ what: z.string(), remedy: z.string() })) })

let directory: string
/** The correct time; each process has a clock that may be off. */
let wall: number
const open: Engine[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mneme-clocks-'))
  wall = TODAY
})
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close()
  rmSync(directory, { recursive: true, force: true })
})

type Call = (tool: string, input?: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Another process on the same store. */
async function openProcess(
  name: string,
): Promise<{ readonly call: Call; off(microseconds: number): void; readonly backend: Opened['backend']; readonly clock: Clock }> {
  let offset = 0
  let minted = 0
  const clock = {
    now() {
      wall += 10
      return wall + offset
    },
  }
  const { config } = loadConfig({ flags: { dataDir: directory, embedder: 'hash' }, env: {} })
  const ids = { mint: () => `${name}${String(++minted).padStart(4, '0')}` }
  const { engine, backend } = await openBoth(config, { clock, ids })
  open.push(engine)
  const contracts = await loadContracts(['memory', 'admin', 'graph'])
  return {
    backend,
    clock,
    off: (microseconds) => {
      offset = microseconds
    },
    call(tool, input = {}) {
      const [contract, operation] = tool.split('/')
      const found = contracts
        .find((entry) => entry.name === contract)
        ?.operations.find((servedOperation) => servedOperation.name === operation)
      if (found === undefined) throw new Error(`There is no ${tool}.`)
      const signal = new AbortController().signal
      return found.call({ context: engine.context({ signal }), actor: name, connection: name, progress: () => undefined }, input)
    },
  }
}

const store = async (call: Call, content: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  z.object({ id: z.string() }).parse(await call('memory/store_memory', { content, ...more })).id
const get = async (call: Call, id: string) => memory.parse(await call('memory/get_memory', { id }))
const recalled = async (call: Call, query: string, more: Readonly<Record<string, unknown>> = {}) =>
  listed.parse(await call('memory/recall', { query, min_relevance: 0, ...more })).results.map(({ content }) => content)
const valid = async (call: Call) => listed.parse(await call('memory/get_valid', {})).results.map(({ content }) => content)
const iso = (now: number): string => new Date(now / 1000).toISOString()
const passed = (text: string | null): boolean => text !== null && Date.parse(text) * 1000 <= wall

const LEADS: readonly (readonly [string, number])[] = [
  ['20 hours ahead', 20 * HOUR],
  ['3 days ahead', 3 * DAY],
  ['in 2099', Date.UTC(2099, 0, 1) * 1000 - TODAY],
  ['3 days behind', -3 * DAY],
]

describe('a wrong clock hides no memory', () => {
  test.each(LEADS)('a fact stored under a clock %s is found, is dated no later than now, and affects no other date', async (_, lead) => {
    const { call, off } = await openProcess('a')
    off(lead)
    const early = await store(call, 'The otter lives in Porto.')
    expect(await recalled(call, 'Where does the otter live?')).toEqual(['The otter lives in Porto.'])
    off(0)
    expect(await recalled(call, 'Where does the otter live?')).toEqual(['The otter lives in Porto.'])
    expect(await valid(call)).toEqual(['The otter lives in Porto.'])
    const { ingestion_time, valid_from } = await get(call, early)
    expect([ingestion_time, valid_from].map(passed)).toEqual([true, true])
    const before = wall
    const { ingestion_time: later } = await get(call, await store(call, 'The heron lives in Lisbon.'))
    expect(Date.parse(later) * 1000).toBeGreaterThan(before - 2000)
    expect(passed(later)).toBe(true)
    const history = z.object({ changes: z.array(z.looseObject({ at: z.string() })) }).parse(await call('admin/history', {}))
    expect(history.changes.map(({ at: now }) => passed(now))).toEqual([true, true])
  })

  test.each(LEADS)('a fact ended under a clock %s stays ended', async (_, lead) => {
    const right = await openProcess('a')
    const wrong = await openProcess('b')
    const id = await store(right.call, 'The office is in Lisbon.')
    wrong.off(lead)
    expect(await wrong.call('memory/invalidate', { id, reason: 'moved' })).toEqual({ invalidated: true })
    for (const { call } of [right, wrong]) {
      expect(await recalled(call, 'Where is the office?')).toEqual([])
      expect(await valid(call)).toEqual([])
      expect(await call('memory/invalidate', { id })).toEqual({ invalidated: false })
    }
    expect(passed((await get(right.call, id)).valid_until)).toBe(true)
  })

  test('a beginning and an end set by the author keep their meaning', async () => {
    const wrong = await openProcess('a')
    const right = await openProcess('b')
    wrong.off(3 * DAY)
    await store(wrong.call, 'The canteen opens in Faro.', { valid_from: iso(TODAY + 10 * DAY) })
    await store(wrong.call, 'The canteen is open in Evora.', { valid_until: iso(TODAY + 20 * DAY) })
    expect(await recalled(right.call, 'canteen')).toEqual(['The canteen is open in Evora.'])
    expect(await recalled(right.call, 'canteen', { as_of: iso(TODAY - DAY) })).toEqual([])
    wall = TODAY + 15 * DAY
    expect((await recalled(right.call, 'canteen')).sort()).toEqual(['The canteen is open in Evora.', 'The canteen opens in Faro.'])
    wall = TODAY + 21 * DAY
    expect(await recalled(right.call, 'canteen')).toEqual(['The canteen opens in Faro.'])
  })

  test('the later of two statements of the same thing ranks first', async () => {
    const { call, off } = await openProcess('a')
    const about = { metadata: { subject: 'Billing', predicate: 'port' } }
    off(3 * DAY)
    await store(call, 'The billing service listens on port 8080.', about)
    off(0)
    await store(call, 'The billing service listens on port 9090.', about)
    expect(await recalled(call, 'billing service port')).toEqual([
      'The billing service listens on port 9090.',
      'The billing service listens on port 8080.',
    ])
  })

  test('a lease taken in 2099 does not last until then', async () => {
    const { backend } = await openProcess('a')
    const { jobs } = backend
    const year = Date.UTC(2099, 0, 1) * 1000
    expect(await jobs.take('link', 'x', 'then', year, year + 60e6)).toBeDefined()
    expect(await jobs.take('link', 'x', 'now', TODAY, TODAY + 60e6)).toBeDefined()
    expect(await jobs.take('link', 'x', 'other', TODAY + 1e6, TODAY + 61e6)).toBeUndefined()
  })

  test('a fact dated ahead by its author and then ended is not reported, and mend terminates', async () => {
    const { call } = await openProcess('p')
    const { id } = z.object({ id: z.string() }).parse(await call('memory/store_memory', { content: 'Not yet', valid_from: '2099-01-01' }))
    expect(await call('memory/invalidate', { id })).toMatchObject({ invalidated: true })
    expect(findings.parse(await call('admin/doctor'))).toMatchObject({ healthy: true, findings: [] })
    expect(await call('admin/mend')).toMatchObject({ facts: 0, entities: 0, relations: 0 })
  })

  test('doctor finds instants after the present, and mend dates them by the journal', async () => {
    const { call, off, backend, clock } = await openProcess('a')
    await store(call, 'The first note.')
    off(3 * DAY)
    const ended = await store(call, 'The second note.')
    await call('memory/invalidate', { id: ended })
    const lasting = await store(call, 'The third note.', { valid_until: iso(TODAY + 30 * DAY) })
    await call('memory/create_entity', { name: 'Orion' })
    off(0)
    const before = wall
    await store(call, 'The fourth note.')
    const report = findings.parse(await call('admin/doctor'))
    expect(report.findings).toMatchObject([
      { what: expect.stringContaining('2 facts, 1 entities'), remedy: expect.stringContaining('mneme mend') },
    ])
    expect(await call('admin/mend')).toMatchObject({ facts: 2, entities: 1, entries: 4 })
    expect(findings.parse(await call('admin/doctor')).findings).toEqual([])
    const now = clock.now()
    const facts = await backend.store.listFacts({ limit: 10, offset: 0, oldestFirst: true })
    expect(facts.map(({ text }) => text)).toEqual(['The first note.', 'The second note.', 'The third note.', 'The fourth note.'])
    for (const { recordedAt, validFrom, updatedAt, id, validUntil } of facts) {
      expect(Math.max(recordedAt, validFrom, updatedAt)).toBeLessThanOrEqual(now)
      if (id === ended) expect(validUntil).toBeLessThanOrEqual(before + 1000)
      if (id === lasting) expect(validUntil).toBe(TODAY + 30 * DAY)
    }
    for (const { at: instant } of await backend.store.journal({ limit: 100 })) expect(instant).toBeLessThanOrEqual(now)
    expect(await valid(call)).toEqual(['The fourth note.', 'The third note.', 'The first note.'])
  })

  test('three processes with clocks of their own: random histories', async () => {
    const owner = { user_id: 'history' }
    const tellers = await Promise.all(
      ['a', 'b', 'c'].map(async (name): Promise<Teller> => {
        const { call, off } = await openProcess(name)
        const ids = async (tool: string, query: string) =>
          z
            .object({ results: z.array(z.looseObject({ id: z.union([z.string(), z.object({ id: z.object({ String: z.string() }) })]) })) })
            .parse(await call(tool, { query, limit: 20, ...(tool === 'memory/recall' ? { min_relevance: 0 } : {}), ...owner }))
            .results.map(({ id }) => (typeof id === 'string' ? id : id.id.String))
        const all = async () =>
          z.object({ results: z.array(memory) }).parse(await call('memory/get_valid', { limit: 100, ...owner })).results
        return {
          setClock: async (seconds) => off(seconds * 1e6),
          store: (content) => store(call, content, owner),
          end: async (id) => z.object({ invalidated: z.boolean() }).parse(await call('memory/invalidate', { id })).invalidated,
          remove: async (id) => z.object({ deleted: z.boolean() }).parse(await call('memory/delete_memory', { id })).deleted,
          search: (word) => ids('memory/search_text', word),
          recall: (word) => ids('memory/recall', word),
          valid: async () =>
            (await all()).map((entry) => z.object({ id: z.object({ id: z.object({ String: z.string() }) }) }).parse(entry).id.id.String),
          late: async () =>
            (await all()).flatMap((entry) => (passed(entry.ingestion_time) && passed(entry.valid_from) ? [] : [JSON.stringify(entry)])),
        }
      }),
    )
    for (let seed = 1; seed <= 8; seed++) {
      owner.user_id = `history-${seed}`
      expect(await tellHistory(tellers, seed, 14)).toEqual([])
    }
  }, 120_000)
})
