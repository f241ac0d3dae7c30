import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openWorld, type World } from '../graph/world.js'

const worlds: World[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})
const open = async (...values: Parameters<typeof openWorld>): Promise<World> => {
  const world = await openWorld(...values)
  worlds.push(world)
  return world
}

const store = (world: World, content: string, owner: string) => world.call('memory/store_memory', { content, user_id: owner })
const listed = async (world: World, owner: string): Promise<unknown> => (await world.call('memory/list_memories', { user_id: owner })).total
const copiesIn = (directory: string): string[] => readdirSync(directory).filter((name) => name.endsWith('.bak'))

describe('reset_all_memory keeps a copy and knows owners', () => {
  test('erases all owners, and names the copy', async () => {
    const world = await open()
    await store(world, 'Ann likes otters', 'ann')
    await store(world, 'Bob likes seals', 'bob')
    const answer = await world.call('memory/reset_all_memory', { confirm: true })
    expect(answer).toMatchObject({ reset: true, deleted: { memories: 2 } })
    expect(await listed(world, 'ann')).toBe(0)
    const [name = ''] = copiesIn(world.directory)
    expect(answer.copy).toBe(join(world.directory, name))
    expect(answer.message).toContain(name)
    expect(answer.message).toContain('still holds')
    const before = join(world.directory, 'before')
    mkdirSync(before)
    renameSync(String(answer.copy), join(before, 'mneme.db'))
    const old = await open({}, { directory: before, clock: world.clock })
    expect([await listed(old, 'ann'), await listed(old, 'bob')]).toEqual([1, 1])
  })

  test.each(['true', 'TRUE', 1, 'yes', ['true']])('repair 3: %j is no confirmation', async (confirm) => {
    const world = await open()
    await store(world, 'Ann likes otters', 'ann')
    expect(await world.call('memory/reset_all_memory', { confirm })).toMatchObject({ reset: false })
    expect(await listed(world, 'ann')).toBe(1)
  })

  test('with an owner erases only data of that owner', async () => {
    const world = await open()
    await store(world, 'Ann likes otters', 'ann')
    await store(world, 'Bob likes seals', 'bob')
    await world.call('memory/create_entity', { name: 'Otter', user_id: 'ann' })
    const answer = await world.call('memory/reset_all_memory', { confirm: true, user_id: 'ann' })
    expect(answer).toMatchObject({ reset: true, deleted: { memories: 1, entities: 1 } })
    expect(existsSync(String(answer.copy))).toBe(true)
    expect([await listed(world, 'ann'), await listed(world, 'bob')]).toEqual([0, 1])
    expect(await world.call('memory/recall', { query: 'who likes seals', user_id: 'bob' })).toMatchObject({
      results: [{ content: 'Bob likes seals' }],
    })
    expect(await world.backend.maintenance.diagnose()).toEqual([])
  })

  test('makes no copy of an empty store, and none if disabled', async () => {
    const world = await open({ resetCopy: false })
    await store(world, 'Ann likes otters', 'ann')
    expect(await world.call('memory/reset_all_memory', { confirm: true })).toEqual({ reset: true, deleted: expect.anything() })
    const other = await open()
    expect(await other.call('memory/reset_all_memory', { confirm: true })).toEqual({ reset: true, deleted: expect.anything() })
    expect([...copiesIn(world.directory), ...copiesIn(other.directory)]).toEqual([])
  })

  test('erases nothing if the copy fails', async () => {
    const world = await open()
    await store(world, 'Ann likes otters', 'ann')
    const { backend } = world
    const broken = {
      ...backend,
      maintenance: { ...backend.maintenance, keepCopy: () => backend.maintenance.backup('/proc/none/copy.db').then(() => null) },
    }
    const { eraseAll } = await import('../../src/engine/maintenance/erase-all.js')
    await expect(eraseAll(broken, { owner: null, actor: 'test', reason: 'x', keepCopy: true })).rejects.toMatchObject({
      message: expect.stringContaining('Nothing was erased'),
      hint: expect.stringContaining('--reset-copy'),
    })
    expect(await listed(world, 'ann')).toBe(1)
  })
})
