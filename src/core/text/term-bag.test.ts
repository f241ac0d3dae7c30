import { expect, test } from 'vitest'
import { eachTerm, packTerms } from './term-bag.js'
import { termHash } from './text.js'

function unpack(packed: Uint8Array): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>()
  eachTerm(packed, (hash, title, head, text) => found.set(hash, [title, head, text]))
  return found
}

test('each term is stored once with its counts per part', () => {
  const bag = unpack(packTerms({ title: 'River otters', head: 'Ann', text: 'The otter met an otter. Ann saw.' }))
  expect(bag).toEqual(
    new Map([
      [termHash('river'), [1, 0, 0]],
      [termHash('otter'), [1, 0, 2]],
      [termHash('ann'), [0, 1, 1]],
      [termHash('met'), [0, 0, 1]],
      [termHash('saw'), [0, 0, 1]],
    ]),
  )
})

test('hashes above 2^31 survive', () => {
  const high = Array.from({ length: 100 }, (_, i) => `term${i}x`).filter((term) => termHash(term) > 2 ** 31)
  expect(high.length).toBeGreaterThan(10)
  expect([...unpack(packTerms({ title: '', head: '', text: high.join(' ') })).keys()]).toEqual(high.map(termHash))
})

test('counts stop at 255, nothing gives nothing, and a cut entry is ignored', () => {
  const many = packTerms({ title: '', head: '', text: 'otter '.repeat(1000) })
  expect(unpack(many)).toEqual(new Map([[termHash('otter'), [0, 0, 255]]]))
  expect(packTerms({ title: '', head: '', text: 'the of' })).toHaveLength(0)
  expect(unpack(many.subarray(0, 6)).size).toBe(0)
})
