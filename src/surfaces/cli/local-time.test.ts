import { afterEach, beforeEach, expect, it } from 'vitest'
import { localTime } from './local-time.js'

const zone = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'America/New_York'
})
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

it('shows an instant in local time', () => {
  expect(localTime('2026-07-01T03:04:05.000000000Z')).toBe('2026-06-30 23:04')
  expect(localTime('2026-12-01T03:04:05Z')).toBe('2026-11-30 22:04')
})

it('leaves other text unchanged', () => expect(localTime('7 May, in the evening')).toBe('7 May, in the evening'))
