import { describe, expect, test } from 'vitest'
import { digestOf, openCursor, sealCursor } from './cursor.js'

const SECRET = 'a secret'
const digest = digestOf({ entity: 'user:ann' })
const seal = (place: number | string, secret = SECRET): string => sealCursor({ d: digest, place }, secret)
const wrap = (statement: unknown): string => Buffer.from(JSON.stringify(statement)).toString('base64url')
const refused = (cursor: string, secret = SECRET, name = digest): string | undefined => {
  try {
    openCursor(cursor, secret, name)
    return undefined
  } catch (error) {
    return String(error)
  }
}

describe('a cursor', () => {
  test('opens to its contents, for the same query only', () => {
    expect(openCursor(seal(7), SECRET, digest)).toEqual({ d: digest, place: 7 })
    expect(refused(seal(7), SECRET, digestOf({ entity: 'user:bob' }))).toContain('it was issued for a different query')
    expect(refused(seal(7), 'another secret')).toContain('issued for a different query')
  })

  test('has the same length for every position, and is encrypted', () => {
    expect(seal(7)).toHaveLength(seal(123_456_789).length)
    expect(seal('x'.repeat(100)).length).toBeGreaterThan(seal(7).length)
    expect(Buffer.from(seal(7), 'base64url').toString()).not.toContain(digest)
  })

  const bytes = Buffer.from(String(JSON.parse(Buffer.from(seal(7), 'base64url').toString()).c), 'base64url')

  test.each([
    ['other signs', `${seal(7)}!`],
    ['no JSON', Buffer.from('no').toString('base64url')],
    ['no object', wrap([1])],
    ['no text within', wrap({ c: 5 })],
    ['too short', wrap({ c: bytes.subarray(0, 27).toString('base64url') })],
    ['nothing within', wrap({ c: bytes.subarray(0, 28).toString('base64url') })],
    ['a bit changed', wrap({ c: Buffer.from(bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte))).toString('base64url') })],
    ['the same said otherwise', wrap({ c: bytes.toString('base64url'), d: 1 })],
    ['more than anyone was given', seal('x'.repeat(40_000))],
  ])('is refused with %s', (_, cursor) => {
    expect(refused(cursor)).toContain('Invalid cursor: it was issued for a different query')
  })
})
