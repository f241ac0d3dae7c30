import { describe, expect, test } from 'vitest'
import { groupedNumbers } from './grouped-numbers.js'
import { queryTerms, terms, words } from './text.js'

const NO_BREAK = '\u00a0'
const NARROW = '\u202f'

const finds = (question: string, text: string): boolean => {
  const there = new Set(terms(text))
  return queryTerms(question).some((term) => there.has(term))
}

describe('number in groups of three digits', () => {
  test.each([
    ['The rent is 1,310 euros', ['1310']],
    ['€1.250,00', ['1250']],
    ['It costs 1.250.', ['1250']],
    ['$1,234,567.89', ['1234567']],
    ["CHF12'500 and 12’500.50", ['12500', '12500']],
    [`12${NO_BREAK}500, 1${NARROW}310,50${NO_BREAK}€ and 7\u2009000\u2009000`, ['12500', '1310', '7000000']],
    ['12 500 000 people', ['12500000']],
    ['1 310 €, € 2 400, £3 500,99', ['1310', '2400', '3500']],
    ['1,000-2,000, 500-1,500, 1.000-2.000 and 3.000–4.000', ['1000', '2000', '1500', '1000', '2000', '3000', '4000']],
    ['-1,310 (2,500) in 2024 3,700', ['1310', '2500', '3700']],
    ['1.250/month, 12,500km, 家賃は1,310円', ['1250', '12500', '1310']],
  ])('%s', (text, numbers) => {
    expect(groupedNumbers(text)).toEqual(numbers)
  })

  test('matches its digits and the reverse, in addition to its parts', () => {
    expect(words('Rent: 1,310 €')).toEqual(['rent', '1', '310', '1310'])
    expect(words('1.250 now')).toEqual(['1', '250', 'now', '1.250', '1250'])
    for (const written of ['1,310', '1.310,00', "1'310", `1${NARROW}310`]) {
      expect([written, finds('1310', `It is ${written}`), finds(written, 'It is 1310'), finds('310', `It is ${written}`)]).toEqual([
        written,
        true,
        true,
        true,
      ])
    }
  })
})

describe('other numbers', () => {
  test.each([
    ['versions', '1.250.3 2.14.30 v1.250 node-1.250 image:1.250 1.250rc1 1.250-beta 1.250.x 1.250-3 lib/1.250'],
    ['addresses', '10.0.0.1 192.168.100.200 192.168.100.200:8080 192.168.100.0/24 10.100.200.250 255.255.255.255'],
    ['dates and times', '2024-02-01 2024.123 01.02.2024 12:30 10:30:15,123 10:30:15.123 2024/100,200'],
    ['decimals and leading zeros', '0.125 0,125 3.14159 007,123 1,31 1,3100'],
    ['lists', '1,000-2,000-3,000 1,310,42 1,2,300 1, 310 1,,310 1,310.250.5'],
    ['mixed separators', "1,250.300,400 1'250,300.400"],
    ['plain spaces that may stand between two numbers', 'room 12 500 people, 2024 310, 12 500 000 7, 5 12 500, A1 310 200'],
  ])('%s', (_, text) => {
    expect(groupedNumbers(text)).toEqual([])
  })

  test('have more digits than an amount', () => {
    expect(groupedNumbers(`1${',100'.repeat(15)}`)).toEqual([`1${'100'.repeat(15)}`])
    expect(groupedNumbers(`1${',100'.repeat(16)}`)).toEqual([])
  })
})

test('takes time linear in the text', () => {
  // Work by the square of the length would take minutes.
  const pieces = ['1', '1,', '1,100', ',100', '.100', ' 100', '1 100 ', "1'100.", '1-', '100-100,', '12.500,', '1:100.']
  for (const piece of pieces) expect(groupedNumbers(`1,310; ${piece.repeat(100_000)}`)[0]).toBe('1310')
  expect(groupedNumbers('1,310 '.repeat(200_000))).toHaveLength(200_000)
})
