import { describe, expect, test } from 'vitest'
import { commit, putFact, unit } from '../contract/samples.js'
import { freshDatabase, openAt, query, SERVER } from './server.js'

const clock = { now: () => Date.now() * 1000 }

describe.skipIf(SERVER === undefined)('shared work of several nodes', () => {
  test('each text is embedded by one node; unfinished claims expire', async () => {
    const url = await freshDatabase()
    const nodes = await Promise.all([0, 1, 2].map(() => openAt(url, clock)))
    const [first] = nodes
    await first?.backlog.adopt({ id: 'm', dimensions: 2, floor: 0 })
    for (const owner of ['ann', 'bob'])
      await commit(
        first ?? (await openAt(url, clock)),
        ...Array.from({ length: 60 }, (_, i) => putFact({ id: `${owner}-${i}`, owner, text: `Otter ${i}` })),
      )
    const claimed = await Promise.all(nodes.map(({ backlog }) => backlog.claims?.take('facts', 40)))
    const ids = claimed.flatMap((texts) => (texts ?? []).map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(40)
    // A claim lasts until the text is done, or for a minute by the database clock.
    const [mine = []] = claimed
    expect(
      await first?.backlog.fill(
        'facts',
        mine.map(({ text: _, long: _long, ...entry }) => ({ ...entry, vector: unit(1, 0) })),
      ),
    ).toBe(mine.length)
    await query(url, 'UPDATE claims SET until = 0')
    const rest = (await first?.backlog.claims?.take('facts', 1000)) ?? []
    expect(rest.map(({ id }) => id).sort()).toEqual(
      ['ann', 'bob']
        .flatMap((owner) => Array.from({ length: 60 }, (_, i) => `${owner}-${i}`))
        .filter((id) => !mine.some((text) => text.id === id))
        .sort(),
    )
    expect(await first?.backlog.claims?.take('facts', 10)).toEqual([])
    for (const node of nodes) await node.close()
  })

  test('a lease lasts as long as requested, independent of node clocks', async () => {
    const url = await freshDatabase()
    const [behind, ahead] = [await openAt(url, clock), await openAt(url, { now: () => clock.now() + 300e6 })]
    const now = clock.now()
    const lease = await behind.jobs.take('link', 'ann', 'behind', now, now + 60e6)
    expect(lease).toBeDefined()
    expect(await ahead.jobs.take('link', 'ann', 'ahead', now + 300e6, now + 360e6)).toBeUndefined()
    await query(url, 'UPDATE jobs SET lease_until = lease_until - 60000000')
    expect(await ahead.jobs.take('link', 'ann', 'ahead', now + 300e6, now + 360e6)).toBeDefined()
    expect(lease === undefined ? undefined : await behind.jobs.renew(lease, now + 60e6, {})).toBe(false)
    for (const backend of [behind, ahead]) await backend.close()
  })

  test('a text that one node cannot embed does not delay others', async () => {
    const url = await freshDatabase()
    const [backend, other] = [await openAt(url, clock), await openAt(url, clock)]
    await commit(backend, putFact({ id: 'a', text: 'Otter' }))
    const taken = (await backend.backlog.claims?.take('facts', 5)) ?? []
    expect(taken.map(({ id }) => id)).toEqual(['a'])
    expect(await other.backlog.claims?.take('facts', 5)).toEqual([])
    await backend.backlog.claims?.giveUp('facts', taken)
    expect((await other.backlog.claims?.take('facts', 5))?.map(({ id }) => id)).toEqual(['a'])
    for (const node of [backend, other]) await node.close()
  })
})
