import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from './world.js'

describe('writes of one commit', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  const ids = Array.from({ length: 1001 }, (_, i) => `fact-${i}`)

  it('link to at most 1,000 nodes', async () => {
    const links = ids.map((id) => ({ node_id: id, relation_type: 'NEAR' }))
    expect(await world.call('create_node', { text: 'hub', links })).toMatchObject({
      success: false,
      error: expect.stringContaining('Invalid links: 1001, at most 1000 are allowed'),
    })
  })

  it('summarise at most 1,000 facts', async () => {
    expect(await world.call('create_summary_fact', { fact_ids: ids, summary_text: 'all' })).toMatchObject({
      success: false,
      error: expect.stringContaining('Invalid fact_ids: 1001, at most 1000 are allowed'),
    })
  })
})
