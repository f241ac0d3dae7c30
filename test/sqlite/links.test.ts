import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sqliteDialect } from '../../src/backends/sqlite/dialect.js'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { Backend } from '../../src/ports/backend.js'
import { commit, handClock, putEntity, putFact } from '../contract/samples.js'

describe('links created by one commit', () => {
  const more = 20
  const ids = Array.from({ length: 300 + more }, (_, i) => `f${String(i).padStart(4, '0')}`)
  let directory: string
  let backend: Backend

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'mneme-links-'))
    backend = await openSqlite({ directory, clock: handClock(), busyTimeoutMs: 2000 })
  })
  afterEach(async () => {
    await backend.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const linked = async (): Promise<readonly string[]> =>
    (await backend.store.edges({ types: ['MENTIONS_ENTITY'], limit: 1000 })).map((edge) => edge.from).sort()
  const mentioning = async (name: string): Promise<number> =>
    (await (await backend.view('ann')).links.postings('ann', [name], 1000))[0]?.mentions.length ?? 0

  test('are found by the words of the name; no other fact of the owner is read', () => {
    const db = openFile(join(directory, 'mneme.db'))
    const dialect = sqliteDialect(() => undefined)
    for (const { text, values } of [dialect.lexicalAll('ann', ['otter'], 300), dialect.lexicalPhrase('ann', ['otter'], 300)]) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values)
      expect(plan.map(({ detail }) => detail)).toContain('SEARCH f USING INTEGER PRIMARY KEY (rowid=?)')
    }
    db.close()
  })

  test('include the newest older facts now, the rest when links are rebuilt', async () => {
    await commit(backend, ...ids.map((id) => putFact({ id, text: 'an otter' })))
    await commit(backend, putEntity({ id: 'o', name: 'otter' }))
    expect(await linked()).toEqual(ids.slice(more))
    await backend.maintenance.relink(() => undefined, new AbortController().signal)
    expect(await linked()).toEqual(ids)
  })

  test('a dropped name leaves no edge, and a limited number of mentions is examined', async () => {
    await commit(backend, putEntity({ id: 'o', name: 'otter' }), ...ids.map((id) => putFact({ id, text: 'an otter' })))
    expect(await linked()).toEqual(ids)
    await commit(backend, { op: 'entity.delete', id: 'o', owner: 'ann' })
    expect(await linked()).toEqual([])
    expect(await mentioning('otter')).toBe(more)
    await backend.maintenance.relink(() => undefined, new AbortController().signal)
    expect(await mentioning('otter')).toBe(0)
  })

  test('a dropped alias removes only its own edges, however many', async () => {
    const others = ids.map((id) => `only-${id}`)
    await commit(
      backend,
      putEntity({ id: 'o', name: 'otter', aliases: ['lutra'] }),
      ...ids.map((id) => putFact({ id, text: 'the otter, or lutra' })),
      ...others.map((id) => putFact({ id, text: 'lutra alone' })),
    )
    expect(await linked()).toEqual([...ids, ...others])
    await commit(backend, putEntity({ id: 'o', name: 'otter', version: 2 }))
    expect(await linked()).toEqual(ids)
  })

  test('relations of reference fields are rebuilt, for one owner alone', async () => {
    const facts = ['a', 'b', 'c'].map((id) => putFact({ id, references: { subject_refs: [`node:${id}`] } }))
    await commit(backend, ...facts, putFact({ id: 'd', owner: 'bob', references: { subject_refs: ['node:d'] } }))
    const stated = async () => (await backend.store.edges({ types: ['subject'], limit: 10 })).map(({ from, to }) => `${from} ${to}`).sort()
    expect(await stated()).toEqual(['a node:a', 'b node:b', 'c node:c', 'd node:d'])
    const db = openFile(join(directory, 'mneme.db'))
    db.exec(`DELETE FROM entity_edges WHERE fact_id IN ('a', 'd'); UPDATE entity_edges SET object = 'node:wrong' WHERE fact_id = 'b'`)
    db.close()
    let after: number | null = 0
    for (let pages = 0; after !== null && pages < 9; pages++) after = await backend.graph.rebuildReferenceEdges('ann', after, 2)
    expect(await stated()).toEqual(['a node:a', 'b node:b', 'c node:c'])
  })

  test('a long text is truncated before it is split into words', async () => {
    const long = 'unremarkable '.repeat(1300)
    await commit(backend, putFact({ id: 'before', text: `${long} otter` }), putFact({ id: 'start', text: `otter ${long}` }))
    await commit(backend, putEntity({ id: 'o', name: 'otter' }), putFact({ id: 'after', text: `${long} otter` }))
    expect(await linked()).toEqual(['start'])
  })

  describe('work under the write lock is bounded', () => {
    test('older facts are examined after the commit, while others write', async () => {
      await commit(backend, ...ids.map((id) => putFact({ id, text: 'an otter' })))
      const order: string[] = []
      await Promise.all([
        commit(backend, putEntity({ id: 'o', name: 'otter' })).then(() => order.push('the name')),
        commit(backend, putFact({ id: 'other', text: 'a heron' })).then(() => order.push('another writer')),
      ])
      expect(order).toEqual(['another writer', 'the name'])
      expect(await linked()).toEqual(ids.slice(more))
    })

    test('a fact deleted or changed during the search for a name is not linked', async () => {
      await commit(backend, ...ids.map((id) => putFact({ id, text: 'an otter' })))
      await Promise.all([
        commit(backend, putEntity({ id: 'o', name: 'otter' })),
        commit(backend, { op: 'fact.delete', id: 'f0319', owner: 'ann' }, putFact({ id: 'f0318', text: 'a heron', version: 2 })),
      ])
      expect(await linked()).toEqual(ids.slice(more - 2, -2))
    })

    test.each([
      ['joined by signs', 'a_'.repeat(4_950)],
      ['without spaces', '東京'.repeat(4_950)],
      ['of many words', 'otter a '.repeat(1_200)],
    ])('a name of 9,900 characters %s is kept, and looked for nowhere', async (_, name) => {
      await commit(backend, ...ids.map((id) => putFact({ id, text: `${'a_'.repeat(30)} a otter 東京` })))
      await commit(backend, putEntity({ id: 'o', name, aliases: [`${name}x`] }))
      expect((await backend.store.entities(['o']))[0]?.name).toBe(name)
      await commit(backend, putFact({ id: 'new', text: name.slice(0, 9_000) }))
      expect(await linked()).toEqual([])
      await commit(backend, { op: 'entity.delete', id: 'o', owner: 'ann' })
    })

    test('a name is found among thousands that begin with the same word', async () => {
      await commit(backend, ...Array.from({ length: 2_100 }, (_, i) => putEntity({ id: `o${i}`, name: `otter of pond${i}` })))
      await commit(backend, putFact({ id: 'f', text: 'The otter of pond7 met the otter of pond2099.' }))
      const edges = await backend.store.edges({ nodes: ['f'], limit: 10 })
      expect(edges.map((edge) => edge.to).sort()).toEqual(['o2099', 'o7'])
    })
  })
})
