import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openWorld, type World } from '../graph/world.js'

const withId = z.object({ id: z.string() })

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const call = (tool: string, input: Readonly<Record<string, unknown>> = {}) => world.call(`memory/${tool}`, input)
const store = async (content: string, more = {}): Promise<string> => withId.parse(await call('store_memory', { content, ...more })).id

describe('store_memory replaces what changed in one call', () => {
  test('the old memory ends, names its successor, and both happen in one commit', async () => {
    const old = await store('Ann lives in Ulm', { subject: 'Ann', predicate: 'lives_in' })
    const before = await world.backend.store.journal({ newestFirst: true, limit: 1 })
    const id = await store('Ann lives in Bonn', { subject: 'Ann', predicate: 'lives_in', supersedes: old })
    expect(await call('get_memory', { id: old })).toMatchObject({ superseded_by: id, valid_until: expect.any(String), version: 2 })
    expect(await call('get_memory', { id })).toMatchObject({ valid_until: null, subject: 'Ann', predicate: 'lives_in', version: 1 })
    expect(await call('search_text', { query: 'Ann lives' })).toMatchObject({ count: 1, results: [{ id }] })
    const entries = await world.backend.store.journal({ after: before[0]?.seq ?? 0, limit: 10 })
    expect(entries.map(({ op, target }) => [op, target])).toEqual([
      ['fact.put', id],
      ['fact.put', old],
    ])
  })

  test('rejects an id that is unknown, of another owner or ended, and stores nothing', async () => {
    const foreign = await store('Secret', { user_id: 'bea' })
    const ended = await store('Old')
    const next = await store('Newer', { supersedes: ended })
    for (const supersedes of ['nowhere', foreign])
      await expect(call('store_memory', { content: 'x', supersedes })).rejects.toMatchObject({
        code: 'not_found',
        message: `Memory not found: ${supersedes}`,
      })
    await expect(call('store_memory', { content: 'x', supersedes: ended })).rejects.toMatchObject({
      code: 'invalid_input',
      message: `Invalid supersedes: memory ${ended} has ended already, nothing was stored`,
      hint: expect.stringContaining(next),
    })
    expect(await call('list_memories')).toMatchObject({ total: 3 })
    expect(await call('get_memory', { id: foreign })).toMatchObject({ valid_until: null, version: 1 })
  })

  test('accepts subject and predicate as arguments or as keys in metadata', async () => {
    const named = await store('Works at Acme', { metadata: { subject: 'Bob', predicate: 'works_at' } })
    expect(await call('get_memory', { id: named })).toMatchObject({ subject: 'Bob', predicate: 'works_at' })
    const both = await store('Works at Acme', { subject: 'Cid', metadata: { subject: 'Bob' } })
    expect(await call('update_memory', { id: both, metadata: { title: 'T' } })).not.toHaveProperty('subject')
    const own = await store('Works at Acme', { subject: 'Cid' })
    expect(await call('update_memory', { id: own, metadata: { title: 'T' } })).toMatchObject({ subject: 'Cid' })
    await expect(call('store_memory', { content: 'x', subject: ' ' })).rejects.toThrow('Invalid subject: must not be empty')
  })
})

describe('update_memory refuses another version than the one it was made for', () => {
  test('the conflict names both versions and changes nothing', async () => {
    const id = await store('One')
    expect(await call('update_memory', { id, content: 'Two', if_version: 1 })).toMatchObject({ content: 'Two', version: 2 })
    await expect(call('update_memory', { id, content: 'Three', if_version: 1 })).rejects.toMatchObject({
      code: 'conflict',
      message: `Memory ${id} is at version 2, not 1: nothing was changed`,
      hint: expect.stringContaining('Read it again'),
    })
    expect(await call('list_memories')).toMatchObject({ memories: [{ content: 'Two', version: 2 }] })
  })

  test('so that one of two writers with the same version succeeds', async () => {
    const id = await store('One')
    const writes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => call('update_memory', { id, content: `By ${n}`, if_version: 1 })),
    )
    expect(writes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await call('get_memory', { id })).toMatchObject({ version: 2 })
  })
})

describe('relations take names as well as ids', () => {
  test('and names of entities match in any case within the owner', async () => {
    const ann = withId.parse(await call('create_entity', { name: 'Ann Lee' })).id
    const acme = withId.parse(await call('create_entity', { name: 'Acme' })).id
    await call('create_entity', { name: 'Ann Lee', user_id: 'bea' })
    await call('create_relation', { from_entity: 'ann lee', to_entity: acme, relation_type: 'works_at' })
    const related = await call('get_related', { entity_id: 'ANN LEE' })
    expect(related).toMatchObject({ entities: [{ id: acme }], relations: [{ from_entity: ann, to_entity: acme }] })
    expect(await call('get_related', { entity_id: 'Ann Lee', user_id: 'bea' })).toMatchObject({ entity_count: 0 })
    await expect(call('get_related', { entity_id: 'Acme', user_id: 'bea' })).rejects.toThrow('Entity not found: Acme')
  })

  test('a name that looks like an id is read as an id first', async () => {
    const first = withId.parse(await call('create_entity', { name: 'First' })).id
    await call('create_entity', { name: first })
    await call('create_relation', { from_entity: first, to_entity: first, relation_type: 'is' })
    expect(await call('get_related', { entity_id: 'First' })).toMatchObject({ relations: [{ from_entity: first, to_entity: first }] })
  })

  test('the error for an unknown one names the tools that find or create it', async () => {
    await call('create_entity', { name: 'Acme' })
    for (const wrong of [
      { from_entity: 'Absent', to_entity: 'Acme' },
      { from_entity: 'Acme', to_entity: 'Absent' },
    ])
      await expect(call('create_relation', { ...wrong, relation_type: 'knows' })).rejects.toMatchObject({
        code: 'not_found',
        message: 'Entity not found: Absent',
        hint: expect.stringContaining('create_entity'),
      })
    await expect(call('get_related', { entity_id: 'Absent' })).rejects.toMatchObject({ hint: expect.stringContaining('recall') })
  })
})

describe('the tools that take an id take an owner who must match', () => {
  test('a memory of another owner is reported as unknown', async () => {
    const id = await store('Mine', { user_id: 'ann' })
    const successor = await store('Mine too', { user_id: 'ann' })
    const entity = withId.parse(await call('create_entity', { name: 'Kite', user_id: 'ann' })).id
    await expect(call('get_memory', { id, user_id: 'bea' })).rejects.toThrow(`Memory not found: ${id}`)
    await expect(call('update_memory', { id, content: 'Taken', user_id: 'bea' })).rejects.toThrow(`Memory not found: ${id}`)
    expect(await call('delete_memory', { id, user_id: 'bea' })).toEqual({ deleted: false })
    expect(await call('invalidate', { id, user_id: 'bea', superseded_by: successor })).toEqual({ invalidated: false })
    await expect(call('get_related', { entity_id: entity, user_id: 'bea' })).rejects.toThrow(`Entity not found: ${entity}`)
    await expect(call('create_relation', { from_entity: id, to_entity: entity, relation_type: 'x', user_id: 'bea' })).rejects.toThrow(
      `Entity not found: ${id}`,
    )
    expect(await call('get_memory', { id, user_id: 'ann' })).toMatchObject({ content: 'Mine', valid_until: null })
    await call('create_relation', { from_entity: id, to_entity: entity, relation_type: 'x', user_id: 'ann' })
    expect(await call('invalidate', { id, user_id: 'ann', superseded_by: successor })).toEqual({ invalidated: true })
    expect(await call('delete_memory', { id, user_id: 'ann' })).toEqual({ deleted: true })
  })
})
