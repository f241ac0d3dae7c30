import { InMemoryStore, InvalidNamespaceError } from '@langchain/langgraph-checkpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openedMemory } from '../../testing/opened-memory.js'
import { MnemeStore } from '../src/store.js'

let opened: Awaited<ReturnType<typeof openedMemory>>
beforeAll(async () => {
  opened = await openedMemory()
})
afterAll(() => opened.close())

const plain = (items: readonly { namespace: string[]; key: string; value: unknown }[]) =>
  items.map(({ namespace, key, value }) => ({ namespace, key, value })).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

describe('a LangGraph store in a memory', () => {
  it('matches the in-memory store of the framework operation by operation', async () => {
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
      { filter: { n: { $in: [1, 3] } } },
      { filter: { theme: { $nin: ['blue'] } } },
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

  it('finds items by their text with a score, except items that are not indexed', async () => {
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

  it('matches the in-memory store after 150 random operations', async () => {
    const ours = new MnemeStore(opened.memory, { owner: 'random' })
    const theirs = new InMemoryStore()
    const random = seeded(7)
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
    const spaces = [['users', 'ann'], ['users', 'bob'], ['users', 'ann', 'notes'], ['docs'], ['ä/%2F', 'x\u001fy'], ['{"q"}']]
    for (let step = 0; step < 150; step++) {
      const [namespace, key] = [[...pick(spaces)], pick(['a', 'b', 'k/1', '', '键'])]
      const value = { n: Math.floor(random() * 5), tag: pick(['x', 'y']), list: [step] }
      const prefix = pick(spaces).slice(0, 1 + Math.floor(random() * 2))
      const filter = pick([{}, { n: { $gte: 2 } }, { tag: 'x' }, { tag: { $ne: 'x' }, n: { $lt: 4 } }, { missing: 1 }])
      const kind = random()
      const [mine, reference] = await Promise.all(
        [ours, theirs].map(async (store) => {
          if (kind < 0.45) return store.put(namespace, key, value)
          if (kind < 0.55) return store.delete(namespace, key)
          if (kind < 0.75) return (await store.get(namespace, key))?.value
          return plain(await store.search([...prefix], { filter, limit: 100 }))
        }),
      )
      expect(mine, `step ${step}`).toEqual(reference)
    }
    const listed = async (store: MnemeStore | InMemoryStore, options: object) =>
      (await store.listNamespaces(options)).map((one) => JSON.stringify(one)).toSorted()
    expect(await listed(ours, {})).toEqual(await listed(theirs, {}))
    expect(await listed(ours, { maxDepth: 1 })).toEqual(await listed(theirs, { maxDepth: 1 }))
  })

  it('finds the items of one namespace among those of many others', async () => {
    const store = new MnemeStore(opened.memory, { owner: 'crowd' })
    for (let user = 0; user < 25; user++)
      await store.batch(
        ['drinks green tea', 'walks to work', 'plays chess'].map((habit) => ({
          namespace: ['users', `u${user}`],
          key: habit,
          value: { text: `User ${user} ${habit}` },
        })),
      )
    const found = await store.search(['users', 'u7'], { query: 'who drinks tea?', limit: 5 })
    expect(found.map(({ key, namespace }) => [namespace[1], key])[0]).toEqual(['u7', 'drinks green tea'])
    expect(new Set(found.map(({ namespace }) => namespace[1]))).toEqual(new Set(['u7']))
    expect(found).toHaveLength(3)
    expect(await store.search(['users'], { query: 'who drinks tea?', limit: 40 })).toHaveLength(40)
  })

  it('keeps all namespaces in one owner if asked to', async () => {
    const store = new MnemeStore(opened.memory, { owner: 'shared', ownerPerNamespace: false })
    await opened.memory.add('A plain fact of the same owner.', { owner: 'shared' })
    await store.put(['a'], 'k', { text: 'first of two' })
    await store.put(['b'], 'k', { text: 'second of two' })
    expect((await store.search(['b'], { query: 'of two' })).map(({ namespace }) => namespace)).toEqual([['b']])
    expect(await store.listNamespaces()).toEqual([['a'], ['b']])
    const owners: string[] = []
    for await (const { owner } of opened.memory.list({ owner: 'shared' })) owners.push(owner ?? '')
    expect(new Set(owners)).toEqual(new Set(['shared']))
  })

  it('keeps the times of creation and change, and rejects what the framework rejects', async () => {
    const store = new MnemeStore(opened.memory, { owner: 'dates' })
    await store.put(['n'], 'k', { v: 1 })
    const first = await store.get(['n'], 'k')
    await store.put(['n'], 'k', { v: 2 })
    const second = await store.get(['n'], 'k')
    expect(second?.createdAt).toEqual(first?.createdAt)
    expect(second?.updatedAt.getTime()).toBeGreaterThanOrEqual(first?.updatedAt.getTime() ?? 0)
    for (const namespace of [[], ['a.b'], [''], ['langgraph', 'x']])
      await expect(store.put(namespace, 'k', { v: 1 }), JSON.stringify(namespace)).rejects.toThrow(InvalidNamespaceError)
    for (const operation of [
      { namespace: [], key: 'k', value: { v: 1 } },
      { namespace: [undefined], key: 'k', value: { v: 1 } },
    ])
      await expect(Reflect.apply(store.batch, store, [[operation]]), JSON.stringify(operation)).rejects.toThrow(InvalidNamespaceError)
    await expect(store.search(['n'], { filter: { v: { $regex: 'x' } } })).rejects.toThrow('Unsupported operator in filter: $regex. Use $eq')
    await expect(store.search(['n'], { filter: { v: { $in: 'x' } } })).rejects.toThrow('must be a list, got "x"')
    const other = { matchConditions: [{ matchType: 'infix', path: ['n'] }], limit: 1, offset: 0 }
    await expect(Reflect.apply(store.batch, store, [[other]])).rejects.toThrow('Unsupported match type: infix')
  })

  it('keeps labels with any characters apart', async () => {
    const store = new MnemeStore(opened.memory, { owner: 'labels' })
    const namespaces = [['a', 'b'], ['a/b'], ['a%2Fb'], ['ann@example.com'], ['', 'a'], ['日本', '💾']]
    await store.batch(namespaces.map((namespace) => ({ namespace, key: 'k', value: { of: namespace.join('|') } })))
    for (const namespace of namespaces) {
      expect(await store.get(namespace, 'k'), JSON.stringify(namespace)).toMatchObject({ namespace, value: { of: namespace.join('|') } })
      expect((await store.search(namespace)).map((item) => item.namespace)).toEqual([namespace])
    }
  })
})
