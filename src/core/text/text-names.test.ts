import { describe, expect, test } from 'vitest'
import { queryTerms, terms, words } from './text.js'

/** Number of query terms in a text. */
const shared = (question: string, text: string): number => {
  const there = new Set(terms(text))
  return queryTerms(question).filter((term) => there.has(term)).length
}

describe('linked numbers', () => {
  test.each([
    ['10.0.2.1', 'Host 10.0.2.1', 'Host 10.0.1.2'],
    ['what happened on 2024-02-01?', 'Moved on 2024-02-01.', 'Moved on 2024-01-02.'],
    ['release 1.2.3', 'release v1.2.3-rc1', 'release v2.1.3-rc1'],
    ['at 10:30', 'Meet at 10:30 today', 'Meet at 30:10 today'],
    ['2024/02/01', 'logged 2024-02-01T09:15:00Z', 'logged 2024-01-02T09:15:00Z'],
  ])('%s is rather %s than %s', (question, right, wrong) => {
    expect(shared(question, right)).toBeGreaterThan(shared(question, wrong))
  })

  test('are added to the single numbers', () => {
    expect(words('10.0.2.1')).toEqual(['10', '0', '2', '1', '10.0.2.1'])
    expect(words('é 1/2')).toEqual(['e', '1', '2', '1.2'])
    expect(shared('2024', 'Moved on 2024-02-01')).toBe(1)
  })

  test('are joined by one sign and as long as a name', () => {
    expect(words('3. 4 - 5, 6--7 8')).toEqual(['3', '4', '5', '6', '7', '8'])
    expect(words('1.'.repeat(40))).toEqual(Array.from({ length: 40 }, () => '1'))
    expect(words(`${'7'.repeat(70)}-1`)).toEqual(['7'.repeat(70), '1'])
  })

  test('take time linear in the text', () => {
    expect(words('1'.repeat(200_000))).toHaveLength(1)
    expect(words(`1.2 ${'1'.repeat(200_000)}`)).toHaveLength(4)
    expect(words('1-'.repeat(100_000))).toHaveLength(100_000)
  })
})

describe('identifiers', () => {
  test('that differ in one letter are distinguished', () => {
    const [value, many] = ['parseUserToken() reads it', 'parseUserTokens() reads it']
    expect(shared('parseUserTokens', many)).toBeGreaterThan(shared('parseUserTokens', value))
    expect(terms('parseUserTokens')).toEqual(['parseusertokens', 'parseusertoken', 'pars', 'user', 'token'])
  })

  test('are found in any capitalisation', () => {
    for (const name of ['YouTube', 'iPhone', 'LinkedIn']) expect(shared(name.toLowerCase(), `posted on ${name}`)).toBe(1)
    expect(terms('YouTube videos')).toEqual(['youtube', 'youtub', 'tube', 'video'])
  })

  test('plain words are stems alone', () => {
    expect(terms('Tokens were parsed')).toEqual(['token', 'pars'])
  })
})
