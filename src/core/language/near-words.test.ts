import { expect, test } from 'vitest'
import { STOP_WORDS, terms } from '../text.js'
import { KINDS } from './kinds.js'
import { parseKinds } from './near-words.js'

const near = parseKinds('pet dog cats; vehicle car\nvehicle bike; car sedan')

test('a kind leads to its members, in the form in which words are looked for', () => {
  expect(near.of(terms('Which pets?'))).toEqual(['dog', 'cat'])
  expect(near.of(terms('my vehicle'))).toEqual(['car', 'bike'])
})

test('a member leads neither to its kind nor to other members, and what is unknown to nothing', () => {
  expect(near.of(terms('dog'))).toEqual([])
  expect(near.of(terms('car'))).toEqual(['sedan'])
  expect(near.of(terms('zeppelin'))).toEqual([])
})

test('words of the question itself are not near words, and each is told once', () => {
  expect(near.of(terms('pet dog'))).toEqual(['cat'])
  expect(near.of(terms('vehicle or car'))).toEqual(['bike', 'sedan'])
})

test('a question that names many kinds brings no more words than a search can walk through', () => {
  const wide = parseKinds(
    Array.from({ length: 9 }, (_, i) => `kind${i} ${Array.from({ length: 9 }, (_, j) => `x${i}y${j}`).join(' ')}`).join('; '),
  )
  expect(wide.of(Array.from({ length: 9 }, (_, i) => `kind${i}`)).length).toBe(48)
})

test('the list is made of words that can be looked for', () => {
  const entries = KINDS.trim()
    .split(/[;\n]/)
    .map((entry) => entry.trim().split(' '))
  expect(entries.length).toBeGreaterThan(300)
  expect(entries.filter((entry) => entry.length < 2)).toEqual([])
  expect(entries.flat().filter((word) => STOP_WORDS.has(word) || !/^[a-z0-9]+$/.test(word))).toEqual([])
  expect(parseKinds(KINDS).of(terms('pet'))).toContain('dog')
})

test('every kind of the list is found by its stem', () => {
  const near = parseKinds(KINDS)
  const kinds = KINDS.split(/[;\n]/).flatMap((entry) => terms(entry).slice(0, 1))
  expect(kinds.length).toBeGreaterThan(300)
  expect(kinds.filter((kind) => near.of([kind]).length === 0)).toEqual([])
})
