import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { EVENTUALLY } from '../eventually.js'
import { openWorld, type World } from '../graph/world.js'

const withId = z.object({ id: z.string() })

describe('the memory contract', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  const call = (tool: string, input: Readonly<Record<string, unknown>> = {}) => world.call(`memory/${tool}`, input)
  const store = async (content: string, more = {}): Promise<string> => withId.parse(await call('store_memory', { content, ...more })).id
  const entity = async (name: string): Promise<string> => withId.parse(await call('create_entity', { name })).id

  describe('invalidate', () => {
    test('rejects a successor of another owner as unknown', async () => {
      const old = await store('Old', { user_id: 'u1' })
      const foreign = await store('New', { user_id: 'u2' })
      await expect(call('invalidate', { id: old, superseded_by: foreign })).rejects.toMatchObject({
        code: 'not_found',
        message: `Memory not found: ${foreign}`,
      })
      expect(await call('get_memory', { id: old })).toMatchObject({ valid_until: null })
    })

    test('rejects an ended successor', async () => {
      const [first, second] = [await store('One'), await store('Two')]
      expect(await call('invalidate', { id: first, superseded_by: second })).toEqual({ invalidated: true })
      await expect(call('invalidate', { id: second, superseded_by: first })).rejects.toThrow(`memory ${first} has itself ended`)
      await expect(call('invalidate', { id: second, superseded_by: second })).rejects.toThrow('cannot replace itself')
      expect(await call('get_valid')).toMatchObject({ count: 1 })
      await call('invalidate', { id: second })
      expect(await call('invalidate', { id: first, superseded_by: second })).toEqual({ invalidated: false })
    })
  })

  describe('validity', () => {
    test('repair 12: begins at the time of the event, unless valid_from is given', async () => {
      const id = await store('Ended', { event_time: '2019-05-01', valid_until: '2020-01-01' })
      expect(await call('get_memory', { id })).toMatchObject({
        valid_from: '2019-05-01T00:00:00.000000000Z',
        valid_until: '2020-01-01T00:00:00.000000000Z',
      })
      const later = await store('Not yet', { event_time: '2019-05-01', valid_until: '2099-01-01' })
      expect(String((await call('get_memory', { id: later })).valid_from)).toMatch(/^2019-05-01/)
    })

    test('that ends before it begins is rejected with the names of the arguments', async () => {
      const refused = { message: 'Invalid valid_until: lies in the past, and valid_from is now unless it is given' }
      await expect(store('Ended', { valid_until: '2020-01-01' })).rejects.toMatchObject(refused)
      await expect(store('Ended', { valid_until: '2020-01-01', event_time: '2021-01-01' })).rejects.toMatchObject(refused)
      await expect(store('Ended', { valid_until: '2020-01-01', valid_from: '2021-01-01' })).rejects.toMatchObject({
        message: 'Invalid valid_until: lies before valid_from',
      })
    })
  })

  describe('get_related', () => {
    test('returns explicitly related memories from either end', async () => {
      const acme = await entity('Acme')
      const text = `${'A long report on the pumps. '.repeat(10)}😀`
      const report = await store(text)
      const { id } = withId.parse(
        await call('create_relation', { from_entity: acme, to_entity: report, relation_type: 'documented_by', weight: 0.5 }),
      )
      const relations = [{ id, from_entity: acme, to_entity: report, relation_type: 'documented_by', weight: 0.5 }]
      expect(await call('get_related', { entity_id: acme })).toEqual({
        entities: [
          {
            id: report,
            name: `${text.slice(0, 80)}...`,
            entity_type: 'memory',
            content: text,
            created_at: expect.stringMatching(/Z$/),
          },
        ],
        relations,
        entity_count: 1,
        relation_count: 1,
      })
      expect(await call('get_related', { entity_id: report, direction: 'incoming' })).toMatchObject({
        entities: [{ id: acme, name: 'Acme' }],
        relations,
      })
      expect(await call('get_related', { entity_id: report })).toMatchObject({ entity_count: 0, relation_count: 0 })
    })

    test('excludes mentions and similar memories', async () => {
      const acme = await entity('Acme')
      const value = await store('Acme makes pumps in Porto')
      await store('Acme makes pumps in Braga')
      await world.call('graph/search', { query: 'wakes the linker' })
      await expect.poll(async () => (await world.backend.store.edges({ types: ['SIMILAR_TO'], limit: 9 })).length, EVENTUALLY).toBe(1)
      for (const entity_id of [acme, value])
        expect(await call('get_related', { entity_id, direction: 'both', depth: 3 })).toMatchObject({ entity_count: 0, relation_count: 0 })
    })
  })

  describe('update_memory', () => {
    const sessionOf = async (id: string): Promise<string | null | undefined> => (await world.backend.store.facts([id]))[0]?.session

    test('with new metadata keeps the session', async () => {
      const id = await store('In a session', { metadata: { session: 's1', title: 'T' } })
      await call('update_memory', { id, content: 'Still in it' })
      expect(await sessionOf(id)).toBe('s1')
      await call('update_memory', { id, metadata: {} })
      expect(await sessionOf(id)).toBeNull()
      await call('update_memory', { id, metadata: { session: 's2' } })
      expect(await sessionOf(id)).toBe('s2')
    })

    test('with new metadata keeps the session of the connection', async () => {
      const id = await store('Said in passing', { metadata: { author: 'Ann' } })
      await call('update_memory', { id, metadata: { author: 'Ann', mood: 'good' } })
      expect(await sessionOf(id)).toBe('~c1')
    })
  })

  test('rejects a key that would be lost instead of dropping it', async () => {
    const metadata: unknown = JSON.parse('{"k": {"__proto__": {"x": 1}}}')
    const id = await store('Kept')
    for (const input of [
      { tool: 'store_memory', with: { content: 'p', metadata } },
      { tool: 'update_memory', with: { id, metadata } },
    ])
      await expect(call(input.tool, input.with)).rejects.toThrow('Invalid metadata: the key __proto__ cannot be stored')
    expect(JSON.stringify(await world.call('create_node', { text: 'p', metadata }))).toContain('the key __proto__ cannot be stored')
  })

  test('treats content without visible characters as empty', async () => {
    for (const content of ['\u200b', ' \u200b\ufeff\u2060 '])
      await expect(store(content)).rejects.toThrow('Invalid content: must not be empty')
    await expect(call('search_text', { query: '\u200b' })).rejects.toThrow('Invalid query: must not be empty')
  })

  test('treats anything but true as no confirmation of a reset, without an error', async () => {
    await store('Kept')
    for (const confirm of ['false', 'yes', 1, null, false, {}])
      expect(await call('reset_all_memory', { confirm })).toEqual({
        reset: false,
        message: 'Confirmation required. Set confirm=true to delete all data.',
      })
    expect(await call('get_status')).toMatchObject({ memories_count: 1 })
    expect(await call('reset_all_memory', { confirm: true })).toMatchObject({ reset: true, deleted: { memories: 1 } })
  })

  test('an export replaces a file only on request', async () => {
    await store('Kept')
    const file = join(world.directory, 'out.jsonl')
    writeFileSync(file, 'precious')
    await expect(world.call('admin/export', { file })).rejects.toMatchObject({
      code: 'invalid_input',
      message: `${file} already exists.`,
      hint: expect.stringContaining('--force'),
    })
    expect([readFileSync(file, 'utf8'), existsSync(`${file}.partial`)]).toEqual(['precious', false])
    expect(await world.call('admin/export', { file, force: true })).toEqual({ file, lines: 2 })
    expect(await world.call('admin/export', { file: join(world.directory, 'new.jsonl') })).toMatchObject({ lines: 2 })
  })
})
