import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runs } from '../runs.js'
import { openWorld, type World } from './world.js'

const OWNERS = 8
const FACTS = 15
const WORDS = 'amber basin cedar delta ember fjord grove haven inlet jetty'.split(' ')
const textOf = (owner: number, i: number): string => `${WORDS[i % 10]} ${WORDS[(i * 3 + owner) % 10]} note ${i} kept by secret${owner}`
const ownerName = (owner: number): string => `owner-${owner}`

interface Place {
  readonly facts: readonly string[]
  readonly entity: string
}

async function fill(world: World, owner: number): Promise<Place> {
  const owner_id = ownerName(owner)
  const facts: string[] = []
  for (let i = 0; i < FACTS; i++) facts.push((await world.node('create_node', { text: textOf(owner, i), owner_id })).id)
  const entity = (await world.node('create_node', { text: `Project secret${owner}`, node_type: 'Entity', owner_id })).id
  for (let i = 1; i < FACTS; i++)
    await world.call('create_relation', { from_id: facts[i - 1], to_id: facts[i], relation_type: 'NEXT', owner_id })
  await world.call('create_relation', { from_id: facts[0], to_id: entity, relation_type: 'DESCRIBES', owner_id })
  await world.call('create_triplet', {
    subject: `Project secret${owner}`,
    predicate: 'needs',
    object_value: `Budget secret${owner}`,
    owner_id,
  })
  return { facts, entity }
}

describe('owners', () => {
  let world: World
  const places: Place[] = []
  beforeAll(async () => {
    world = await openWorld()
    for (let owner = 0; owner < OWNERS; owner++) places.push(await fill(world, owner))
  })
  afterAll(() => world.close())

  const owner = fc.nat({ max: OWNERS - 1 })
  const place = fc.nat({ max: FACTS })
  const nodeOf = (count: number, i: number): string => (i === FACTS ? places[count]?.entity : places[count]?.facts[i]) ?? ''

  /** Every tool with an id, with an id of another owner in each argument. */
  const probes = (mine: string, theirs: string): readonly (readonly [string, Record<string, unknown>])[] => [
    ['get_node', { node_id: theirs }],
    ['update_node', { node_id: theirs, text: 'taken over' }],
    ['delete_node', { node_id: theirs }],
    ['get_node_change_history', { node_id: theirs }],
    ['find_similar', { fact_id: theirs, threshold: 0 }],
    ['mark_outdated', { fact_id: theirs, reason: 'mine now' }],
    ['create_triplet', { subject: 'a thing', predicate: 'is', object_value: 'another', fact_id: theirs }],
    ['create_relation', { from_id: mine, to_id: theirs, relation_type: 'X' }],
    ['create_relation', { from_id: theirs, to_id: mine, relation_type: 'X' }],
    ['delete_relation', { from_id: theirs, to_id: mine }],
    ['get_context', { node_id: theirs, depth: 3 }],
    ['get_trace', { from_id: mine, to_id: theirs }],
    ['get_trace', { from_id: theirs, to_id: mine }],
    ['create_summary_fact', { fact_ids: [mine, theirs], summary_text: 'both' }],
  ]

  it('get the same response for a node of another owner as for a missing one', async () => {
    await fc.assert(
      fc.asyncProperty(owner, owner, place, place, fc.nat({ max: 13 }), async (me, other, i, j, which) => {
        fc.pre(me !== other)
        const theirs = nodeOf(other, j)
        const mine = nodeOf(me, i)
        const [tool, input] = probes(mine, theirs)[which] ?? ['get_node', {}]
        const [, blind] = probes(mine, 'no-such-node')[which] ?? ['get_node', {}]
        const answer = JSON.stringify(await world.call(tool, { ...input, owner_id: ownerName(me) }))
        const expected = JSON.stringify(await world.call(tool, { ...blind, owner_id: ownerName(me) }))
        expect(answer.replaceAll(theirs, 'no-such-node')).toBe(expected)
      }),
      { numRuns: runs(60, 150) },
    )
    for (let other = 0; other < OWNERS; other++) {
      for (const [i, id] of (places[other]?.facts ?? []).entries()) {
        expect(await world.node('get_node', { node_id: id, owner_id: ownerName(other) })).toMatchObject({
          text: textOf(other, i),
          status: 'active',
        })
      }
    }
  })

  it('find nothing of each other with any query', async () => {
    await fc.assert(
      fc.asyncProperty(
        owner,
        fc.constantFrom(...WORDS),
        owner,
        fc.constantFrom(null, 'active', 'outdated', 'archived'),
        async (me, word, named, status) => {
          const owner_id = ownerName(me)
          const answers = [
            await world.call('search', {
              query: `${word} note kept by secret${named}`,
              owner_id,
              limit: 50,
              similarity_threshold: 0,
              status,
            }),
            await world.call('search_triplets', { owner_id }),
            await world.call('search_triplets', { owner_id, subject: `Project secret${named}` }),
            await world.call('get_context', { node_id: nodeOf(me, 3), owner_id, depth: 3, max_nodes: 50 }),
            await world.call('find_similar', { fact_id: nodeOf(me, 3), owner_id, threshold: 0, limit: 50 }),
            await world.call('get_trace', { from_id: nodeOf(me, 0), to_id: nodeOf(me, 5), owner_id }),
          ]
          const text = JSON.stringify(answers)
          for (let other = 0; other < OWNERS; other++) if (other !== me) expect(text).not.toContain(`secret${other}`)
        },
      ),
      { numRuns: runs(16, 40) },
    )
    const { stats } = z.object({ stats: z.record(z.string(), z.number()) }).parse(await world.call('get_stats', { owner_id: ownerName(1) }))
    const alone = await openWorld()
    await fill(alone, 1)
    expect(await alone.call('get_stats', { owner_id: ownerName(1) })).toEqual({ success: true, stats })
    await alone.close()
  })

  it('get the same best hits as in a store of their own', async () => {
    const alone = await openWorld()
    await fill(alone, 2)
    const shown = z.object({ results: z.array(z.object({ text: z.string(), similarity: z.number() })) })
    for (const word of WORDS) {
      const input = { query: `${word} note`, owner_id: ownerName(2), limit: 5, similarity_threshold: 0 }
      expect(shown.parse(await world.call('search', input)).results).toEqual(shown.parse(await alone.call('search', input)).results)
    }
    await alone.close()
  })
})
