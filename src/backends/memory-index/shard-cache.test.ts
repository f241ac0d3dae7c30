import { expect, test } from 'vitest'
import { createShardCache } from './shard-cache.js'

const MB = 2 ** 20

const memoryOf = (bytes: number) => {
  const gone: string[] = []
  const memory = createShardCache({ bytes, idleMs: 1e6 })
  const shelf = memory.shelf((key) => ({ memoryBytes: 10 * MB, release: () => void gone.push(key) }))
  return { memory, shelf, gone }
}

test('evicts the least recently used shards before the process exceeds the limit', () => {
  const { memory, shelf, gone } = memoryOf(256 * MB)
  for (let n = 0; n < 40; n++) {
    shelf.release([shelf.acquire(`u${n}`)])
    expect(memory.memoryBytes()).toBeLessThanOrEqual(256 * MB)
  }
  // A part of the limit is reserved, and a shard takes more than it counts.
  expect(40 - gone.length).toBe(14)
  expect(gone[0]).toBe('u0')
  memory.close()
})

test('keeps shards in use, however small the limit', () => {
  const { memory, shelf, gone } = memoryOf(1)
  const [shard, two] = [shelf.acquire('one'), shelf.acquire('two')]
  shelf.release([shard])
  expect(gone).toEqual(['one'])
  shelf.release([two])
  expect(gone).toEqual(['one', 'two'])
  memory.close()
})
