import { describe, expect, it } from 'vitest'
import type { Embedder, EmbedOptions } from '../ports/embedder.js'
import { cacheEmbedder, NO_CACHE } from './cache.js'
import { hashVector } from './hash.js'

interface Call {
  readonly texts: readonly string[]
  readonly options: EmbedOptions
  answer(): void
  refuse(failure: Error): void
}

function recordingEmbedder(): { readonly embedder: Embedder; readonly calls: Call[] } {
  const calls: Call[] = []
  const embedder: Embedder = {
    model: { id: 'recording', dimensions: 8, floor: 0 },
    status: () => ({ state: 'ready', problem: null, cache: NO_CACHE }),
    warm: () => undefined,
    close: async () => undefined,
    embed: (texts, options) =>
      new Promise((resolve, reject) => {
        calls.push({ texts, options, answer: () => resolve(texts.map((text) => hashVector(text, 8))), refuse: reject })
      }),
  }
  return { embedder, calls }
}

function instantEmbedder(seen: string[]): Embedder {
  const { embedder } = recordingEmbedder()
  return {
    ...embedder,
    embed: async (texts) => {
      seen.push(...texts)
      return texts.map((text) => hashVector(text, 8))
    },
  }
}

const passage: EmbedOptions = { purpose: 'passage' }

describe('cacheEmbedder', () => {
  it('computes a text once and counts hits and misses', async () => {
    const seen: string[] = []
    const cache = cacheEmbedder(instantEmbedder(seen), 10)
    const long = 'word '.repeat(50)
    await cache.embed(['a', long], passage)
    const [again] = await cache.embed([long], passage)
    expect(seen).toEqual(['a', long])
    expect(again).toEqual(hashVector(long, 8))
    expect(cache.status().cache).toEqual({ hits: 1, misses: 2, size: 2, maxSize: 10 })
  })

  it('separates queries and passages', async () => {
    const seen: string[] = []
    const cache = cacheEmbedder(instantEmbedder(seen))
    await cache.embed(['a'], passage)
    await cache.embed(['a'], { purpose: 'query' })
    expect(seen).toEqual(['a', 'a'])
  })

  it('distinguishes lone surrogates', async () => {
    const seen: string[] = []
    const cache = cacheEmbedder(instantEmbedder(seen))
    const pad = 'x'.repeat(100)
    await cache.embed([`${pad}\ud800`, `${pad}\ud801`], passage)
    expect(seen).toHaveLength(2)
  })

  it('evicts the least recently used entry', async () => {
    const seen: string[] = []
    const cache = cacheEmbedder(instantEmbedder(seen), 2)
    await cache.embed(['a', 'b'], passage)
    await cache.embed(['a'], passage)
    await cache.embed(['c'], passage)
    await cache.embed(['a'], passage)
    await cache.embed(['b'], passage)
    expect(seen).toEqual(['a', 'b', 'c', 'b'])
  })

  it('stores nothing at size 0', async () => {
    const seen: string[] = []
    const cache = cacheEmbedder(instantEmbedder(seen), 0)
    await cache.embed(['a'], passage)
    await cache.embed(['a'], passage)
    expect(seen).toEqual(['a', 'a'])
  })

  it('is not changed by a caller that changes its vector', async () => {
    const cache = cacheEmbedder(instantEmbedder([]))
    const [first] = await cache.embed(['a'], passage)
    first?.fill(7)
    const [second] = await cache.embed(['a'], passage)
    expect(second).toEqual(hashVector('a', 8))
  })

  it('shares one computation between concurrent callers and within a call', async () => {
    const { embedder, calls } = recordingEmbedder()
    const cache = cacheEmbedder(embedder)
    const both = Promise.all([cache.embed(['a', 'a', 'b'], passage), cache.embed(['b', 'c'], passage)])
    expect(calls.map((call) => call.texts)).toEqual([['a', 'b'], ['c']])
    for (const call of calls) call.answer()
    const [left, right] = await both
    expect(left).toEqual(['a', 'a', 'b'].map((text) => hashVector(text, 8)))
    expect(right).toEqual(['b', 'c'].map((text) => hashVector(text, 8)))
  })

  it('continues while any caller waits, and stops when the last one cancels', async () => {
    const { embedder, calls } = recordingEmbedder()
    const cache = cacheEmbedder(embedder)
    const [controller, two] = [new AbortController(), new AbortController()]
    const first = cache.embed(['a'], { ...passage, signal: controller.signal })
    const second = cache.embed(['a'], { ...passage, signal: two.signal })
    controller.abort()
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    expect(calls[0]?.options.signal?.aborted).toBe(false)
    two.abort()
    await expect(second).rejects.toMatchObject({ code: 'cancelled' })
    expect(calls[0]?.options.signal?.aborted).toBe(true)
    const third = cache.embed(['a'], passage)
    expect(calls).toHaveLength(2)
    calls[1]?.answer()
    expect(await third).toHaveLength(1)
  })

  it('does not cache a failure', async () => {
    const { embedder, calls } = recordingEmbedder()
    const cache = cacheEmbedder(embedder)
    const failing = cache.embed(['a'], passage)
    calls[0]?.refuse(new Error('down'))
    await expect(failing).rejects.toThrow('down')
    const working = cache.embed(['a'], passage)
    calls[1]?.answer()
    expect(await working).toEqual([hashVector('a', 8)])
  })

  it('rejects a call that is already cancelled', async () => {
    const { embedder, calls } = recordingEmbedder()
    await expect(cacheEmbedder(embedder).embed(['a'], { ...passage, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    })
    expect(calls).toEqual([])
  })
})
