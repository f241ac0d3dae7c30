import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { factSeal } from '../../src/backends/sql/plan/row-checksums.js'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { importLines } from '../../src/engine/transfer/transfer.js'
import { aFact } from '../contract/samples.js'
import { openWorld, tickingClock, type World } from '../graph/world.js'

const YEAR = 365 * 86_400e6
const withId = z.object({ id: z.string() })
const recalled = z.object({ results: z.array(z.looseObject({ content: z.string(), relevance: z.number() })) })
const doctor = z.object({ healthy: z.boolean(), findings: z.array(z.looseObject({ what: z.string() })) })

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const store = async (content: string, more = {}): Promise<string> =>
  withId.parse(await world.call('memory/store_memory', { content, ...more })).id
const ask = async (query: string, more = {}) =>
  recalled.parse(await world.call('memory/recall', { query, min_relevance: 0, ...more })).results
const texts = async (query: string, more = {}): Promise<readonly string[]> => (await ask(query, more)).map((result) => result.content)
const valid = async (): Promise<string> => JSON.stringify(await world.call('memory/get_valid', { limit: 100 }))

describe('a fact that has ended inside an open window', () => {
  const ended = (now: number) =>
    aFact({
      id: 'old',
      owner: 'default',
      text: 'The office is in Lisbon.',
      kind: 'semantic',
      status: 'superseded',
      validFrom: now - YEAR,
      validUntil: now + YEAR,
      recordedAt: now - YEAR,
      updatedAt: now - 1000,
      eventAt: now - YEAR,
    })

  async function* lines(): AsyncGenerator<string> {
    yield JSON.stringify({ fact: ended(world.clock.peek()) })
  }

  test('comes in as ended when it was last changed: neither recalled nor valid, found as of then, and doctor is content', async () => {
    const now = world.clock.peek()
    await importLines(world.engine.context(), lines(), { actor: 'test', signal: new AbortController().signal, progress: () => undefined })
    expect(await texts('Where is the office?')).toEqual([])
    expect(await valid()).not.toContain('Lisbon')
    expect(await texts('Where is the office?', { as_of: new Date((now - YEAR / 2) / 1000).toISOString() })).toEqual([
      'The office is in Lisbon.',
    ])
    expect((await world.backend.store.facts(['old']))[0]?.validUntil).toBe(now - 1000)
    expect(doctor.parse(await world.call('admin/doctor'))).toMatchObject({ healthy: true, findings: [] })
  })

  test('that an older program has stored is not recalled, is found by doctor and mended', async () => {
    const id = await store('The office is in Lisbon.')
    await store('The kettle is in the kitchen.')
    const now = world.clock.peek()
    const { directory } = world
    const clock = tickingClock(now)
    tamper(join(directory, 'mneme.db'), id, `status = 'superseded', valid_until = ${now + YEAR}`)
    const other = await openWorld({}, { directory, clock })
    try {
      expect(
        recalled.parse(await other.call('memory/recall', { query: 'Where is the office?' })).results.map((entry) => entry.content),
      ).not.toContain('The office is in Lisbon.')
      expect(JSON.stringify(await other.call('memory/get_valid', { limit: 100 }))).not.toContain('Lisbon')
      expect(doctor.parse(await other.call('admin/doctor')).findings.length).toBeGreaterThan(0)
      tamper(join(directory, 'mneme.db'), id, `valid_until = NULL`)
      expect(doctor.parse(await other.call('admin/doctor')).findings.map(({ what }) => what)).toEqual([
        '1 facts contradict themselves: each has ended but has no end of validity',
      ])
      expect(await other.call('admin/mend')).toMatchObject({ facts: 1 })
      expect(doctor.parse(await other.call('admin/doctor'))).toMatchObject({ healthy: true, findings: [] })
      const [fact] = await other.backend.store.facts([id])
      expect(fact?.validUntil ?? 0).toBeLessThanOrEqual(now)
    } finally {
      await other.close()
    }
  })

  /** Modifies a row with a valid checksum, as another program might. */
  function tamper(file: string, id: string, set: string): void {
    const db = openFile(file)
    db.prepare(`UPDATE facts SET ${set} WHERE id = ?`).run(id)
    const row: unknown = db.prepare(`SELECT * FROM facts WHERE id = ?`).get(id)
    db.prepare(`UPDATE facts SET seal = ? WHERE id = ?`).run(factSeal(z.record(z.string(), z.unknown()).parse(row)), id)
    db.close()
  }
})

describe('facts reached by links', () => {
  test('belong to the owner and are current', async () => {
    await store('The marsh survey was led by Ada Quill.', { user_id: 'ann' })
    await store('Ada Quill keeps bees in Porto.', { user_id: 'ann', subject: 'Ada Quill' })
    const over = await store('Ada Quill keeps goats in Lisbon.', { user_id: 'ann', subject: 'Ada Quill' })
    await store('Ada Quill keeps secrets in Madrid.', { user_id: 'bob', subject: 'Ada Quill' })
    const then = world.clock.peek()
    world.clock.advance(YEAR)
    await world.call('memory/invalidate', { id: over, user_id: 'ann' })
    const question = { user_id: 'ann', limit: 10 }
    const found = await texts('Who led the marsh survey?', question)
    expect(found).toContain('Ada Quill keeps bees in Porto.')
    expect(found.join()).not.toMatch(/goats|secrets/u)
    const before = await texts('Who led the marsh survey?', { ...question, as_of: new Date(then / 1000).toISOString() })
    expect(before).toContain('Ada Quill keeps goats in Lisbon.')
    expect(before.join()).not.toContain('secrets')
  })

  test.each([
    [5, true],
    [25, false],
  ])("are none where a name is everybody's: %i facts about it, linked %s", async (facts, linked) => {
    await store('The marsh survey was led by Ada Quill.')
    for (let i = 0; i < 40; i++) await store(`bread number ${i} rises in the oven.`)
    for (let i = 0; i < facts; i++) await store(`Ada Quill signed parcel ${i} at the depot.`, { subject: 'Ada Quill' })
    const results = JSON.stringify(await world.call('memory/recall', { query: 'marsh survey', limit: 50, explain: true, min_relevance: 0 }))
    expect(results.includes('"path":')).toBe(linked)
  })
})

test('returns nothing below the requested relevance, and states the relevance of each result', async () => {
  await store('The harbour master is called Ines.')
  for (const value of ['Bread rises in the morning.', 'The printer jams on Mondays.', 'Rain is expected.']) await store(value)
  const all = await ask('Who is the harbour master?', { limit: 10 })
  const [best] = all
  expect(best?.content).toBe('The harbour master is called Ines.')
  const floor = (best?.relevance ?? 0) - 0.001
  const kept = await ask('Who is the harbour master?', { limit: 10, min_relevance: floor })
  expect(kept).toEqual(all.filter((entry) => entry.relevance >= floor))
  expect(await ask('Who is the harbour master?', { min_relevance: 1 })).toEqual([])
})
