import { expect, test } from 'vitest'
import { terms, words } from '../text/text.js'
import { parseHyponyms } from './hyponyms.js'

const near = parseHyponyms('# a comment\npet dog cats\n\nvehicle car\nvehicle bike\ncar sedan')

test('a category returns its members as stemmed terms', () => {
  expect(near.of(terms('Which pets?'))).toEqual(['dog', 'cat'])
  expect(near.of(terms('my vehicle'))).toEqual(['car', 'bike'])
})

test('a member returns neither its category nor other members, and an unknown word nothing', () => {
  expect(near.of(terms('dog'))).toEqual([])
  expect(near.of(terms('car'))).toEqual(['sedan'])
  expect(near.of(terms('zeppelin'))).toEqual([])
})

test('query terms are excluded, and each member is returned once', () => {
  expect(near.of(terms('pet dog'))).toEqual(['cat'])
  expect(near.of(terms('vehicle or car'))).toEqual(['bike', 'sedan'])
})

test('a query with many categories returns at most 48 members', () => {
  const wide = parseHyponyms(
    Array.from({ length: 9 }, (_, i) => `kind${i} ${Array.from({ length: 9 }, (_, j) => `x${i}y${j}`).join(' ')}`).join('\n'),
  )
  expect(wide.of(Array.from({ length: 9 }, (_, i) => `kind${i}`)).length).toBe(48)
})

const phrased = parseHyponyms('error+tracking sentry\nerror sentry exception\nlook+after owns\nproject jira')
const asked = (question: string) => phrased.of(terms(question), words(question))

test('a category of several words matches adjacent words in any inflection, including stop words', () => {
  expect(asked('who looks after it')).toEqual(['own'])
  expect(asked('look, it was after lunch')).toEqual([])
  expect(asked('after the look')).toEqual([])
  expect(asked('trackings')).toEqual([])
})

test('a member is repeated once per query word that leads to it, at most three times, and ranked by that', () => {
  expect(asked('project errors')).toEqual(['jira', 'sentri', 'except'])
  expect(asked('project error tracking')).toEqual(['sentri', 'sentri', 'sentri', 'jira', 'except'])
  expect(phrased.of(terms('error tracking error'), words('error tracking error tracking')).filter((term) => term === 'sentri').length).toBe(
    3,
  )
})
