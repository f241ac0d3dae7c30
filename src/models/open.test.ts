import { describe, expect, it } from 'vitest'
import { findKnownModel, resolveModel } from './known.js'
import { openEmbedder } from './open.js'

describe('openEmbedder', () => {
  it.each([
    ['local', {}, 'gte-small', 384],
    ['ollama', {}, 'nomic-embed-text', 768],
    ['ollama', { model: 'mxbai-embed-large' }, 'mxbai-embed-large', 1024],
    ['openai', {}, 'text-embedding-3-small', 1536],
    ['voyage', {}, 'voyage-3-lite', 512],
    ['onnx', { folder: 'models/e5_multi' }, 'e5_multi', 768],
    ['onnx', { folder: 'anywhere', model: 'bge_m3' }, 'bge_m3', 1024],
    ['hash', { dimensions: 64 }, 'hash-64', 64],
  ] as const)('opens %s %j', async (provider, settings, id, dimensions) => {
    const embedder = openEmbedder({ provider, ...settings })
    expect(embedder.model).toMatchObject({ id, dimensions })
    await embedder.close()
  })

  it('returns a disabled embedder', async () => {
    const embedder = openEmbedder({ provider: 'none' })
    expect(embedder.status()).toMatchObject({ state: 'error', problem: expect.stringContaining('disabled') })
    await expect(embedder.embed(['text'], { purpose: 'query' })).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('rejects an onnx embedder without a folder, and unknown models without dimensions', () => {
    expect(() => openEmbedder({ provider: 'onnx' })).toThrow(/requires a model folder/)
    expect(() => openEmbedder({ provider: 'ollama', model: 'homemade' })).toThrow(/"homemade" has no known vector length/)
    expect(openEmbedder({ provider: 'ollama', model: 'homemade', dimensions: 12 }).model).toEqual({
      id: 'homemade',
      dimensions: 12,
      floor: 0,
    })
  })

  it.each([0, -1, 1.5, 1_000_000])('rejects %d dimensions', (dimensions) => {
    expect(() => openEmbedder({ provider: 'openai', dimensions })).toThrow(/whole number/)
  })
})

describe('known models', () => {
  it('are found by their common names', () => {
    expect(findKnownModel('BAAI/bge-m3')).toBe(findKnownModel('bge_m3'))
    expect(findKnownModel('nomic-embed-text:v1.5')).toBe(findKnownModel('nomic'))
    expect(findKnownModel('unheard-of')).toBeUndefined()
  })

  it('are overridden by settings', () => {
    const prefixes = { query: 'q ', passage: 'p ' }
    expect(resolveModel({ model: 'e5_small' }).prefixes).toEqual({ query: 'query: ', passage: 'passage: ' })
    expect(resolveModel({ model: 'e5_small', prefixes, floor: 0.5, pooling: 'cls' })).toMatchObject({
      prefixes,
      floor: 0.5,
      pooling: 'cls',
    })
  })
})
