import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEmbeddingPipeline, NOT_READY } from '../../src/engine/embedding/embedding-pipeline.js'
import type { EmbeddingPipeline } from '../../src/engine/environment.js'
import { MemoryError } from '../../src/errors.js'
import { openHashEmbedder } from '../../src/models/hash.js'
import type { Backend } from '../../src/ports/backend.js'
import type { EmbedOptions } from '../../src/ports/embedder.js'
import { commit, handClock, putFact } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { openRam } from '../memory-backend/open.js'

const DEAD = 'http://127.0.0.1:1 cannot be reached.'

describe('failing model', () => {
  let backend: Backend
  let vectoriser: EmbeddingPipeline
  let requested: EmbedOptions['purpose'][]
  /** Milliseconds before a call fails; null while the model works. */
  let failsAfter: number | null

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    requested = []
    failsAfter = 2600
    const clock = handClock()
    backend = await openRam({ clock })
    const hash = openHashEmbedder(8)
    vectoriser = createEmbeddingPipeline({
      backlog: backend.backlog,
      // Another process holds the lease of the backlog, so only calls of this test use the model.
      jobs: { ...backend.jobs, take: async () => undefined },
      embedder: {
        ...hash,
        async embed(texts, options) {
          requested.push(options.purpose)
          if (failsAfter === null) return hash.embed(texts, options)
          vi.advanceTimersByTime(failsAfter)
          throw new MemoryError('unavailable', DEAD)
        },
      },
      clock,
      log: { warn: () => undefined },
      holder: 'test',
      forceModel: false,
      waitMs: 5000,
    })
  })
  afterEach(async () => {
    await vectoriser.close()
    vi.useRealTimers()
  })

  const store = async (id: string): Promise<void> => {
    await commit(backend, putFact({ id }))
    await vectoriser.now([id])
  }
  const query = (): Promise<Float32Array> => vectoriser.query('what?', new AbortController().signal)
  const refused = { code: 'unavailable', message: NOT_READY, details: { problem: DEAD } }

  test('delays one write, not every write', async () => {
    for (const id of ['a', 'b', 'c']) await store(id)
    await vectoriser.embedPending()
    expect(requested).toEqual(['passage'])
    vi.advanceTimersByTime(500)
    await store('d')
    vi.advanceTimersByTime(999)
    await store('e')
    expect(requested).toEqual(['passage', 'passage'])
    expect(await backend.backlog.pending('facts')).toBe(5)
  })

  test('is reported to queries immediately, for a doubling period', async () => {
    for (let i = 0; i < 3; i++) await expect(query()).rejects.toMatchObject(refused)
    expect(requested).toEqual(['query'])
    for (const pause of [500, 1000, 2000]) {
      vi.advanceTimersByTime(pause - 1)
      await expect(query()).rejects.toMatchObject(refused)
      vi.advanceTimersByTime(1)
      requested = []
      await expect(query()).rejects.toMatchObject(refused)
      await expect(query()).rejects.toMatchObject(refused)
      expect(requested).toEqual(['query'])
    }
  })

  test('for passages does not prevent queries', async () => {
    await store('a')
    failsAfter = null
    expect(await query()).toHaveLength(8)
  })

  test('is detected as available again automatically', async () => {
    await store('a')
    await expect(query()).rejects.toMatchObject(refused)
    failsAfter = null
    vi.advanceTimersByTime(500)
    await vectoriser.embedPending()
    expect(await query()).toHaveLength(8)
    await store('b')
    expect(await backend.backlog.pending('facts')).toBe(0)
  })

  test('is called again each time if it fails immediately', async () => {
    failsAfter = 10
    for (const id of ['a', 'b']) await store(id)
    await expect(query()).rejects.toMatchObject(refused)
    failsAfter = null
    await vectoriser.embedPending()
    expect(await backend.backlog.pending('facts')).toBe(0)
    expect(await query()).toHaveLength(8)
  })
})

describe('store of another model with equal dimensions', () => {
  const opened = (backend: Backend, id: string, forceModel: boolean) => {
    const hash = openHashEmbedder(8)
    return createEmbeddingPipeline({
      backlog: backend.backlog,
      jobs: backend.jobs,
      embedder: { ...hash, model: { ...hash.model, id } },
      clock: handClock(),
      log: { warn: () => undefined },
      holder: id,
      forceModel,
      waitMs: 5000,
    })
  }

  test('is rejected by name, or migrated before the first query if requested', async () => {
    const backend = await openRam({ clock: handClock() })
    const signal = new AbortController().signal
    await commit(backend, putFact({ id: 'a' }))
    const first = opened(backend, 'one', false)
    await first.now(['a'])
    expect([await backend.backlog.pending('facts'), (await backend.backlog.model())?.id]).toEqual([0, 'one'])
    await first.close()

    const second = opened(backend, 'two', false)
    await expect(second.query('what?', signal)).rejects.toMatchObject({
      code: 'conflict',
      message: 'The store holds vectors of one, the configured model is two.',
    })
    await second.close()

    const third = opened(backend, 'two', true)
    await third.query('what?', signal)
    expect((await backend.backlog.model())?.id).toBe('two')
    await vi.waitUntil(async () => (await backend.backlog.pending('facts')) === 0, EVENTUALLY)
    await third.close()
    await backend.close()
  })
})

describe('texts stored during searches', () => {
  test('are embedded once, and each search waits for them', async () => {
    const clock = handClock()
    const backend = await openRam({ clock })
    const hash = openHashEmbedder(8)
    const embedded: string[] = []
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const vectoriser = createEmbeddingPipeline({
      backlog: backend.backlog,
      jobs: { ...backend.jobs, take: async () => undefined },
      embedder: {
        ...hash,
        async embed(texts, options) {
          embedded.push(...texts)
          await held
          return hash.embed(texts, options)
        },
      },
      clock,
      log: { warn: () => undefined },
      holder: 'test',
      forceModel: false,
      waitMs: 60_000,
    })
    const ids = ['a', 'b', 'c']
    await commit(backend, ...ids.map((id) => putFact({ id, text: `text ${id}` })))
    const stored = ids.map((id) => vectoriser.now([id]))
    const searches = Array.from({ length: 5 }, () => vectoriser.embedPending())
    let ended = 0
    for (const search of searches) void search.then(() => ended++)
    await vi.waitFor(() => expect(embedded).toHaveLength(3), EVENTUALLY)
    expect(ended).toBe(0)
    release()
    await Promise.all([...stored, ...searches])
    expect([...embedded].sort()).toEqual(['text a', 'text b', 'text c'])
    expect(await backend.backlog.pending('facts')).toBe(0)
    await vectoriser.close()
  })
})
