import { expect, test } from 'vitest'
import { aFact } from '../../../../test/contract/samples.js'
import type { Fact } from '../../facts/fact.js'
import { isLater, parseStatedDate } from './stated-date.js'

const said = (given: Partial<Fact>): Fact => aFact({ id: 'f', eventAt: 5e15, recordedAt: 5e15, ...given })

const saidLater = (newer: Fact, older: Fact): boolean | null => isLater(parseStatedDate(newer), parseStatedDate(older))

test.each([
  ['2025-09-01', '2023-02-11', true],
  ['2023-02-11', '2025-09-01', false],
  ['2025-09', '2023-02', true],
  ['2025', '2023-02-11', true],
  ['2025-09', '2025-09-11', null],
  ['2025-09-11', '2025-09-11', null],
  ['2025-09-11T10:00', '2025-09-11T08:00:30Z', true],
  ['2025-09-11 10:00', '2025-09-11', null],
  ['September 2025', 'March 2021', true],
  ['January 2025', 'March 2024', true],
  ['12 May 2026', 'May 11, 2026', true],
  ['1st Sept. 2025', '2025-08-31', true],
  ['1:56 pm on 8 May, 2023', '9 May 2023', false],
  ['8 Foo 2023', '2022-01-01', null],
  ['yesterday', '2022-01-01', null],
  ['20250911', '2022-01-01', true],
  ['20251311', '2022-01-01', null],
  ['12.05.2026', '2026-01-05', true],
  ['12. Mai 2026', '11.05.2026', true],
  ['Marathon 2024', '2022-01-01', null],
  ['2026-05-12T23:00-08:00', '2026-05-13T01:00+02:00', true],
  ['2026-05-12T23:00:00.000+25:99', '2026-05-13', false],
  [`2025-09-11 ${'x'.repeat(60)}`, '2022-01-01', null],
])('%s after %s: %s', (newer, older, later) => {
  expect(saidLater(said({ date: newer }), said({ date: older }))).toBe(later)
})

test('by event time if both have one, and not otherwise', () => {
  const at = (iso: string) => said({ eventAt: Date.parse(iso) * 1000 })
  expect(saidLater(at('2019-08-01'), at('2025-08-01'))).toBe(false)
  expect(saidLater(at('2025-08-01'), at('2019-08-01'))).toBe(true)
  expect(saidLater(at('2025-08-01'), said({ date: '2024-12' }))).toBe(true)
  expect(saidLater({ ...at('2025-08-01'), date: 'last Tuesday' }, at('2019-08-01'))).toBe(true)
  expect(saidLater(at('2019-08-01'), said({}))).toBeNull()
  expect(saidLater(said({ date: '2019' }), said({}))).toBeNull()
  expect(saidLater(said({ eventAt: 1e30 }), said({ eventAt: -1e30 }))).toBe(true)
})
