import { expect, test } from 'vitest'
import { STOP_WORDS, terms, words } from '../text/text.js'
import { parseHyponyms } from './hyponyms.js'
import { KINDS } from './kinds.js'
import { SOFTWARE_KINDS } from './software-kinds.js'

const near = parseHyponyms('pet dog cats; vehicle car\nvehicle bike; car sedan')

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
  const wide = parseHyponyms(
    Array.from({ length: 9 }, (_, i) => `kind${i} ${Array.from({ length: 9 }, (_, j) => `x${i}y${j}`).join(' ')}`).join('; '),
  )
  expect(wide.of(Array.from({ length: 9 }, (_, i) => `kind${i}`)).length).toBe(48)
})

const phrased = parseHyponyms('error+tracking sentry; error sentry exception; look+after owns; project jira')
const asked = (question: string) => phrased.of(terms(question), words(question))

test('a kind of several words is found where they stand side by side, in any form, stop words too', () => {
  expect(asked('who looks after it')).toEqual(['own'])
  expect(asked('look, it was after lunch')).toEqual([])
  expect(asked('after the look')).toEqual([])
  expect(asked('trackings')).toEqual([])
})

test('what more words of the question lead to stands first, and as often, but not without end', () => {
  expect(asked('project errors')).toEqual(['jira', 'sentri', 'except'])
  expect(asked('project error tracking')).toEqual(['sentri', 'sentri', 'sentri', 'jira', 'except'])
  expect(phrased.of(terms('error tracking error'), words('error tracking error tracking')).filter((one) => one === 'sentri').length).toBe(3)
})

const LISTS = { everyday: KINDS, software: SOFTWARE_KINDS }

test.each(Object.entries(LISTS))('the list of %s things is made of words that can be looked for', (_, list) => {
  const entries = list
    .trim()
    .split(/[;\n]/)
    .map((entry) => entry.trim().split(' '))
  expect(entries.length).toBeGreaterThan(150)
  expect(entries.filter((entry) => entry.length < 2)).toEqual([])
  expect(entries.flatMap(([, ...members]) => members).filter((word) => STOP_WORDS.has(word) || !/^[a-z0-9]+$/.test(word))).toEqual([])
  expect(entries.map(([kind = '']) => kind).filter((kind) => STOP_WORDS.has(kind) || !/^[a-z0-9]+(\+[a-z0-9]+)*$/.test(kind))).toEqual([])
})

test.each(Object.entries(LISTS))('every kind of the list of %s things is found', (_, list) => {
  const near = parseHyponyms(list)
  const kinds = list
    .trim()
    .split(/[;\n]/)
    .map((entry) => (entry.trim().split(' ')[0] ?? '').replaceAll('+', ' '))
  expect(kinds.filter((kind) => near.of(terms(kind), words(kind)).length === 0)).toEqual([])
  expect(parseHyponyms(KINDS).of(terms('pet'))).toContain('dog')
})
