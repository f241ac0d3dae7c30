import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { openWorld, type World } from '../graph/world.js'

const DAY = 86_400e6
const report = z.object({ jobs: z.array(z.looseObject({ merged: z.number(), checked: z.number() })) })

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const texts = async (asOf?: number): Promise<readonly string[]> =>
  z
    .object({ results: z.array(z.object({ content: z.string() })) })
    .parse(
      await world.call('memory/recall', {
        query: 'Where is the office?',
        ...(asOf === undefined ? {} : { as_of: new Date(asOf / 1000).toISOString() }),
      }),
    )
    .results.map((entry) => entry.content)

it('rejects a day that does not exist', async () => {
  await expect(world.call('memory/recall', { query: 'office', as_of: '2025-02-30' })).rejects.toThrow(
    expect.objectContaining({
      ...{ code: 'invalid_input', message: 'Invalid as_of: there is no day 2025-02-30', hint: expect.stringContaining('2026-02-28') },
    }),
  )
  // The contract has one text for any invalid timestamp of this tool.
  await expect(world.call('memory/get_valid_at', { timestamp: '2025-02-30' })).rejects.toThrow(
    expect.objectContaining({
      ...{ message: 'Invalid timestamp format. Use ISO 8601', hint: expect.stringContaining('There is no day 2025-02-30.') },
    }),
  )
})

it('returns as of an instant what was valid then, and only that', async () => {
  const begin = world.clock.peek()
  const old = z
    .object({ id: z.string() })
    .parse(
      await world.call('memory/store_memory', { content: 'The office is in Lisbon.', valid_from: new Date(begin / 1000).toISOString() }),
    )
  world.clock.advance(10 * DAY)
  const moved = world.clock.peek()
  await world.call('memory/invalidate', { id: old.id, reason: 'moved' })
  await world.call('memory/store_memory', { content: 'The office is in Porto.' })
  world.clock.advance(10 * DAY)
  expect(await texts()).toEqual(['The office is in Porto.'])
  expect(await texts(moved - DAY)).toEqual(['The office is in Lisbon.'])
  expect(await texts(moved + DAY)).toEqual(['The office is in Porto.'])
  expect(await texts(begin - DAY)).toEqual([])
})

it('ranks the newest statement of the same thing first for every limit', async () => {
  const state = (content: string) => world.call('memory/store_memory', { content, metadata: { subject: 'Billing', predicate: 'port' } })
  await state('The billing service listens on port 8080.')
  for (let i = 0; i < 30; i++) await world.call('memory/store_memory', { content: `Service number ${i} listens on some port.` })
  await state('Since the move it is another one for billing, namely 9090.')
  for (const limit of [1, 5, 20]) {
    const found = z
      .object({ results: z.array(z.object({ content: z.string() })) })
      .parse(await world.call('memory/recall', { query: 'billing service listens on port', limit, min_relevance: 0 })).results
    expect(found[0]?.content, String(limit)).toContain('9090')
  }
})

it('follows relations of the default owner even if another owner has a nearer fact', async () => {
  const entity = async (name: string) => z.object({ id: z.string() }).parse(await world.call('memory/create_entity', { name })).id
  const [orion, vega] = [await entity('Orion'), await entity('Vega')]
  await world.call('memory/create_relation', { from_entity: orion, to_entity: vega, relation_type: 'depends_on' })
  await world.call('memory/store_memory', { content: 'Vega runs on port 8081.' })
  await world.call('memory/store_memory', { content: 'Orion is a telescope.', user_id: 'bob' })
  const { results } = z
    .object({ results: z.array(z.object({ content: z.string(), ppr_score: z.number() })) })
    .parse(await world.call('memory/recall', { query: 'What does Orion need?', min_relevance: 0 }))
  expect(results.find((result) => result.content.startsWith('Vega'))?.ppr_score).toBeGreaterThan(0)
})

it('compares only facts of the last day with older ones', async () => {
  const run = async () => report.parse(await world.call('admin/jobs', { action: 'run', kind: 'deduplicate' })).jobs[0]
  await world.node('create_node', { text: 'The bins are emptied on Monday.' })
  await world.node('create_node', { text: 'The bins are emptied on Monday!' })
  world.clock.advance(2 * DAY)
  expect(await run()).toMatchObject({ checked: 0, merged: 0 })
  await world.node('create_node', { text: 'The bins are emptied on Monday.' })
  expect(await run()).toMatchObject({ checked: 1, merged: 1 })
})
