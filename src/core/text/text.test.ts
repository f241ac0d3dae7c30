import { describe, expect, test } from 'vitest'
import { fold, identifierParts, queryTerms, termHash, terms, words } from './text.js'

describe('words', () => {
  test('are folded: case, accents and compatibility forms', () => {
    expect(words('Ünïcode ﬁle Ｆｕｌｌ ÅNGSTRÖM')).toEqual(['unicode', 'file', 'full', 'angstrom'])
    expect(fold('PLAIN')).toBe('plain')
  })

  test('identifiers are followed by their parts', () => {
    expect(words('parseHTTPHeader(user_id)')).toEqual(['parsehttpheader', 'parse', 'http', 'header', 'user_id', 'user', 'id'])
    expect(identifierParts('plain')).toEqual([])
    expect(identifierParts('_')).toEqual([])
  })

  test('CJK text gives overlapping pairs, other scripts between them stay whole', () => {
    expect(words('東京都')).toEqual(['東京', '京都'])
    expect(words('山')).toEqual(['山'])
    expect(words('東京Tower東京')).toEqual(['東京', 'tower', '東京'])
    expect(words('コーヒー 한국어')).toEqual(['コー', 'ーヒ', 'ヒー', '한국', '국어'])
  })

  test('very long runs are neither split nor stemmed', () => {
    const run = `${'Ab'.repeat(40)}s`
    expect(terms(run)).toEqual([run.toLowerCase()])
  })

  test('text without words has none', () => {
    for (const text of ['', '   ', '?!, --', '\u0301', '©®™']) expect(words(text)).toEqual([])
  })
})

describe('terms', () => {
  test('are stems without stop words, with repeats', () => {
    expect(terms('The runners were running and the river ran')).toEqual(['runner', 'run', 'river', 'ran'])
    expect(terms('river rivers')).toEqual(['river', 'river'])
  })

  test('of a query are distinct', () => {
    expect(queryTerms('rivers of the river')).toEqual(['river'])
    expect(queryTerms('?')).toEqual([])
  })

  test('of a query of stop words match no text', () => {
    expect(queryTerms('who are you')).toEqual(['who', 'are', 'you'])
    for (const question of ['IT', 'to be or not to be', 'are they this?']) {
      const requested = queryTerms(question)
      expect(requested.length).toBeGreaterThan(0)
      const text = new Set(terms(`${question} AR headset, THI index, the doe and the onc`))
      expect(requested.filter((term) => text.has(term))).toEqual([])
    }
  })

  test('query syntax is text like any other', () => {
    expect(queryTerms('title:"x" NEAR(otter*) AND NOT ^y')).toEqual(['titl', 'x', 'near', 'otter', 'y'])
  })
})

test('hashes are unsigned, stable and distinct', () => {
  expect(termHash('')).toBe(0x811c9dc5)
  expect(termHash('a')).toBe(0xe40c292c)
  const hashes = new Set(Array.from({ length: 20_000 }, (_, i) => termHash(`term${i}`)))
  expect(hashes.size).toBe(20_000)
  for (const hash of hashes) expect(hash).toBeGreaterThanOrEqual(0)
})

test('a leading underscore does not split a word', () => {
  expect([identifierParts('_foo'), identifierParts('foo_bar')]).toEqual([[], ['foo', 'bar']])
})
