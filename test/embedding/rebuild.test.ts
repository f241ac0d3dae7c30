import { describe, expect, test, vi } from 'vitest'
import { createEmbeddingPipeline } from '../../src/engine/embedding/embedding-pipeline.js'
import { openHashEmbedder } from '../../src/models/hash.js'
import type { Backend } from '../../src/ports/backend.js'
import { commit, handClock, putFact } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { openRam } from '../memory-backend/open.js'

const COUNT = 300
const NEVER = new AbortController().signal

/** A store of COUNT facts with vectors, and pipelines that note which texts their model has read. */
async function openFilled() {
  const clock = handClock()
  const backend = await openRam({ clock })
  const texts = Array.from({ length: COUNT }, (_, i) => `text ${i}`)
  await commit(backend, ...texts.map((text, i) => putFact({ id: `fact-${i}`, text })))
  const open = (beforeBatch: (embedded: number) => Promise<void> | void = () => undefined) => {
    const hash = openHashEmbedder(8)
    const embedded: string[] = []
    const pipeline = createEmbeddingPipeline({
      backlog: backend.backlog,
      jobs: backend.jobs,
      embedder: {
        ...hash,
        async embed(given, options) {
          await beforeBatch(embedded.length)
          embedded.push(...given)
          return hash.embed(given, options)
        },
      },
      clock,
      log: { warn: () => undefined },
      holder: 'test',
      forceModel: false,
      waitMs: 5000,
    })
    return { pipeline, embedded }
  }
  const first = open()
  await first.pipeline.rebuild(() => undefined, NEVER)
  await first.pipeline.close()
  return { backend, texts, open }
}

const waiting = (backend: Backend): Promise<number> => backend.backlog.pending('facts')

describe('a rebuild of all vectors', () => {
  test('embeds every text once and reports how far it is', async () => {
    const { backend, texts, open } = await openFilled()
    const { pipeline, embedded } = open()
    const reports: [number, number][] = []
    expect(await pipeline.rebuild((done, total) => reports.push([done, total]), NEVER)).toBe(COUNT)
    expect([...embedded].sort()).toEqual([...texts].sort())
    expect(reports.at(-1)).toEqual([COUNT, COUNT])
    expect(reports.map(([done]) => done)).toEqual([...reports.map(([done]) => done)].sort((a, b) => a - b))
    expect(await waiting(backend)).toBe(0)
    await pipeline.close()
  })

  test('continues after an interruption, and starts over once it was complete', async () => {
    const { backend, texts, open } = await openFilled()
    const stop = new AbortController()
    const cut = open((embedded) => {
      if (embedded >= 128) stop.abort()
      stop.signal.throwIfAborted()
    })
    await expect(cut.pipeline.rebuild(() => undefined, stop.signal)).rejects.toThrow()
    await cut.pipeline.close()
    const left = await waiting(backend)
    expect(left).toBeLessThan(COUNT)
    expect(left).toBeGreaterThan(0)

    const second = open()
    expect(await second.pipeline.rebuild(() => undefined, NEVER)).toBe(left)
    expect(second.embedded).toHaveLength(left)
    expect(await waiting(backend)).toBe(0)
    await second.pipeline.close()

    const third = open()
    await third.pipeline.rebuild(() => undefined, NEVER)
    expect([...third.embedded].sort()).toEqual([...texts].sort())
    await third.pipeline.close()
  })

  test('starts over after the background has completed an interrupted one', async () => {
    const { backend, texts, open } = await openFilled()
    const stop = new AbortController()
    const cut = open((embedded) => {
      if (embedded >= 128) stop.abort()
      stop.signal.throwIfAborted()
    })
    await expect(cut.pipeline.rebuild(() => undefined, stop.signal)).rejects.toThrow()
    await cut.pipeline.close()
    const background = open()
    background.pipeline.drain()
    await vi.waitUntil(async () => (await backend.jobs.find('reembed', '*')) === undefined, EVENTUALLY)
    expect(await waiting(backend)).toBe(0)
    await background.pipeline.close()
    await commit(backend, putFact({ id: 'later', text: 'a later text' }))

    const again = open()
    await again.pipeline.rebuild(() => undefined, NEVER)
    expect([...again.embedded].sort()).toEqual([...texts, 'a later text'].sort())
    await again.pipeline.close()
  })

  test('counts the backlog rarely and stores a batch while the next one is embedded', async () => {
    const { backend, open } = await openFilled()
    const counts = vi.spyOn(backend.backlog, 'pending')
    const { fill } = backend.backlog
    let release = (): void => undefined
    const storing = new Promise<void>((resolve) => {
      release = resolve
    })
    vi.spyOn(backend.backlog, 'fill').mockImplementation(async (...given) => {
      await storing
      return fill(...given)
    })
    // The second request to the model comes while the first batch is still being stored.
    const { pipeline } = open((embedded) => {
      if (embedded > 0) release()
    })
    await pipeline.rebuild(() => undefined, NEVER)
    // Counts of everything: once at the beginning, for each kind of text.
    expect(counts.mock.calls.filter(([, atMost]) => atMost === undefined)).toHaveLength(3)
    await pipeline.close()
  })
})
