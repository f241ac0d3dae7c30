import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { Backend } from '../../src/ports/backend.js'
import { commit, handClock, putEntity, putFact } from '../contract/samples.js'

describe('how much of a name one commit links', () => {
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
  const mentioning = async (name: string): Promise<number> => (await backend.links.postings('ann', [name], 1000))[0]?.mentions.length ?? 0

  test('the newest older facts at once, the rest when links are made anew', async () => {
    await commit(backend, ...ids.map((id) => putFact({ id, text: 'an otter' })))
    await commit(backend, putEntity({ id: 'o', name: 'otter' }))
    expect(await linked()).toEqual(ids.slice(more))
    await backend.upkeep.relink(() => undefined, new AbortController().signal)
    expect(await linked()).toEqual(ids)
  })

  test('a dropped name leaves no edge, and as many mentions are looked through', async () => {
    await commit(backend, putEntity({ id: 'o', name: 'otter' }), ...ids.map((id) => putFact({ id, text: 'an otter' })))
    expect(await linked()).toEqual(ids)
    await commit(backend, { op: 'entity.delete', id: 'o', owner: 'ann' })
    expect(await linked()).toEqual([])
    expect(await mentioning('otter')).toBe(more)
    await backend.upkeep.relink(() => undefined, new AbortController().signal)
    expect(await mentioning('otter')).toBe(0)
  })

  test('a dropped alias takes its own edges only, however many there are', async () => {
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

  test('a long text is cut before it is split into words', async () => {
    const long = 'unremarkable '.repeat(1300)
    await commit(backend, putFact({ id: 'before', text: `${long} otter` }), putFact({ id: 'start', text: `otter ${long}` }))
    await commit(backend, putEntity({ id: 'o', name: 'otter' }), putFact({ id: 'after', text: `${long} otter` }))
    expect(await linked()).toEqual(['start'])
  })
})
