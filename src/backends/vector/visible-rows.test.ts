import { describe, expect, test } from 'vitest'
import { hashVector } from '../../models/hash.js'
import { BlockMemory } from './block-memory.js'
import { toCodes } from './codes.js'
import { VectorRows } from './vector-rows.js'

const DIMENSIONS = 64
const DOCUMENTS = 900
const vectorOf = (document: number): Float32Array => hashVector(`thing ${document} of room ${document % 7}`, DIMENSIONS)
const query = hashVector('a thing of room 3', DIMENSIONS)

const cosine = (document: number): number => vectorOf(document).reduce((sum, x, i) => sum + x * (query[i] ?? 0), 0)

/** The nearest documents, compared one by one. */
const nearest = (documents: readonly number[], limit: number): readonly number[] =>
  documents
    .map((document) => ({ document, score: cosine(document) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ document }) => document)

const maskOf = (documents: readonly number[]): Uint8Array => {
  const mask = new Uint8Array(DOCUMENTS)
  for (const document of documents) mask[document] = 1
  return mask
}

const filled = (): VectorRows => {
  const rows = new VectorRows(new BlockMemory(DIMENSIONS))
  for (let document = 0; document < DOCUMENTS; document++) rows.put(document, toCodes(vectorOf(document)))
  return rows
}

const search = async (rows: VectorRows, readable: Uint8Array): Promise<readonly number[]> => {
  const found = await rows.search(query, 4, { readable, passes: (document) => readable[document] === 1, ridAt: (document) => document })
  return found.map(({ rid }) => rid)
}

describe('vectors visible to a reader', () => {
  test.each([
    ['few documents', 20],
    ['some', 5],
    ['most', 1.3],
  ])('%s', async (_, share) => {
    const documents = Array.from({ length: Math.floor(DOCUMENTS / share) }, (_, i) => Math.floor(i * share))
    expect(await search(filled(), maskOf(documents))).toEqual(nearest(documents, 4))
  })

  test('are selected again when documents are added, changed or removed', async () => {
    const rows = filled()
    const documents = Array.from({ length: 400 }, (_, i) => 2 * i)
    const mask = maskOf(documents)
    const [best = -1, second = -1, third = -1] = nearest(documents, 3)
    rows.remove(best)
    expect((await search(rows, mask))[0]).toBe(second)
    rows.put(1, toCodes(vectorOf(1)), { index: 0, start: 0, end: 1 })
    rows.put(best, toCodes(vectorOf(best)))
    expect((await search(rows, mask))[0]).toBe(best)
    // A reader may see the one number of a document that changed, and not the other.
    rows.move(best, 899)
    rows.move(second, best)
    expect((await search(rows, mask)).slice(0, 2)).toEqual([best, third])
  })
})

test('cached selections count as memory, are kept for few readers, and are dropped when documents change', async () => {
  const rows = filled()
  const before = rows.memoryBytes
  let max = 0
  for (let n = 2; n < 40; n++) {
    await search(rows, maskOf(Array.from({ length: Math.floor(DOCUMENTS / n) }, (_, i) => i * n)))
    max = Math.max(max, rows.memoryBytes - before)
  }
  expect(max).toBeGreaterThan(8 * DOCUMENTS)
  expect(max).toBeLessThanOrEqual(8 * (2 * DOCUMENTS + 100))
  rows.remove(0)
  expect(rows.memoryBytes).toBe(before)
})
