import { InMemoryStore, InvalidNamespaceError } from '@langchain/langgraph-checkpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openedMemory } from '../../testing/opened-memory.js'
import { MnemeStore } from '../src/store.js'

let opened: Awaited<ReturnType<typeof openedMemory>>
beforeAll(async () => {
  opened = await openedMemory()
})
afterAll(() => opened.close())

describe('a LangGraph store in a memory', () => {
  it('answers what the in-memory store of the framework answers, operation by operation', async () => {
    const ours = new MnemeStore(opened.memory, { owner: 'compare' })
    const theirs = new InMemoryStore()
    for (const store of [ours, theirs]) {
      await store.put(['users', 'ann'], 'prefs', { theme: 'dark', n: 1 })
      await store.put(['users', 'bob'], 'prefs', { theme: 'light', n: 2 })
      await store.put(['users', 'ann'], 'prefs', { theme: 'blue', n: 3 })
      await store.put(['docs'], 'a', { n: 4, deep: { list: [1, { x: 'y' }] } })
      await store.put(['docs'], 'gone', { n: 5 })
      await store.delete(['docs'], 'gone')
      await store.batch([
        { namespace: ['batch'], key: 'k', value: { n: 1 } },
        { namespace: ['batch'], key: 'k', value: { n: 2 } },
      ])
    }
    const plain = (items: readonly { namespace: string[]; key: string; value: unknown }[]) =>
      items
        .map(({ namespace, key, value }) => ({ namespace, key, value }))
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    for (const [namespace, key] of [
      [['users', 'ann'], 'prefs'],
      [['docs'], 'a'],
      [['docs'], 'gone'],
      [['nowhere'], 'x'],
      [['batch'], 'k'],
    ] as const)
      expect((await ours.get([...namespace], key))?.value).toEqual((await theirs.get([...namespace], key))?.value)
    for (const options of [
      {},
      { filter: { n: { $gte: 2 } } },
      { filter: { theme: 'blue' } },
      { filter: { n: { $ne: 3 } } },
      { filter: { n: { $gt: 1, $lt: 4 } } },
    ])
      for (const prefix of [['users'], ['docs'], ['users', 'ann']])
        expect(plain(await ours.search(prefix, options)), JSON.stringify([prefix, options])).toEqual(
          plain(await theirs.search(prefix, options)),
        )
    for (const options of [
      {},
      { prefix: ['users'] },
      { suffix: ['bob'] },
      { maxDepth: 1 },
      { prefix: ['*', 'ann'] },
      { limit: 2, offset: 1 },
    ])
      expect(await ours.listNamespaces(options), JSON.stringify(options)).toEqual(await theirs.listNamespaces(options))
    expect(
      await ours.batch([{ namespace: ['docs'], key: 'a' }, { namespacePrefix: ['docs'] }, { namespace: ['docs'], key: 'b', value: null }]),
    ).toHaveLength(3)
  })

  it('finds items by what they say, with a score, but not those that are not indexed', async () => {
    const store = new MnemeStore(opened.memory, { owner: 'search' })
    await store.put(['notes'], 'tea', { text: 'Ann drinks green tea every morning' })
    await store.put(['notes'], 'car', { text: 'The car is parked in the garage' })
    await store.put(['notes'], 'hidden', { text: 'green tea is in the cellar' }, false)
    await store.put(['other'], 'tea', { text: 'green tea of another namespace' })
    await store.put(['notes'], 'path', { title: 'zebra', items: [{ text: 'green tea by path' }] }, ['items[*].text'])
    const found = await store.search(['notes'], { query: 'green tea', limit: 3 })
    expect(found.map(({ key }) => key).toSorted()).toEqual(expect.arrayContaining(['path', 'tea']))
    expect(found.map(({ key }) => key)).not.toContain('hidden')
    expect(found.every(({ namespace, score }) => namespace[0] === 'notes' && typeof score === 'number')).toBe(true)
    expect(await store.get(['notes'], 'hidden')).toMatchObject({ value: { text: 'green tea is in the cellar' } })
    expect((await store.search(['notes'], {})).every(({ score }) => score === undefined)).toBe(true)
  })

  it('keeps when an item was made and changed, and refuses what the framework refuses', async () => {
    const store = new MnemeStore(opened.memory, { owner: 'dates' })
    await store.put(['n'], 'k', { v: 1 })
    const first = await store.get(['n'], 'k')
    await store.put(['n'], 'k', { v: 2 })
    const second = await store.get(['n'], 'k')
    expect(second?.createdAt).toEqual(first?.createdAt)
    expect(second?.updatedAt.getTime()).toBeGreaterThanOrEqual(first?.updatedAt.getTime() ?? 0)
    for (const namespace of [[], ['a.b'], [''], ['langgraph', 'x']])
      await expect(store.put(namespace, 'k', { v: 1 }), JSON.stringify(namespace)).rejects.toThrow(InvalidNamespaceError)
    await expect(store.search(['n'], { filter: { v: { $regex: 'x' } } })).rejects.toThrow('Unsupported operator')
  })
})
