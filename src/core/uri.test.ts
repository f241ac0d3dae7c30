import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayName, isFormal, normalUri, typeInUri } from './uri.js'

describe('entity URIs', () => {
  test('are lower case, without white space, and stay what they are', () => {
    expect(normalUri(' Stigmem://ACME/Person/Alice  Smith ')).toBe('stigmem://acme/person/alice-smith')
    expect(normalUri('User:Alice Smith')).toBe('user:alice-smith')
    expect(normalUri('https://Example.com/Entity/Alice')).toBe('https://example.com/entity/alice')
    expect(normalUri('mneme:fact/AbC 1')).toBe('mneme:fact/AbC 1')
    expect([isFormal('stigmem://a/b/c'), isFormal('user:a')]).toEqual([true, false])
  })

  test('are told by their last part', () => {
    expect(['stigmem://acme/person/alice', 'user:bob', 'plain', 'https://x.y/z/'].map(displayName)).toEqual(['alice', 'bob', 'plain', 'z'])
    expect([typeInUri('stigmem://acme/person/alice'), typeInUri('user:bob')]).toEqual(['person', null])
  })

  test('doing it twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (text) => {
        let once: string
        try {
          once = normalUri(text)
        } catch {
          return
        }
        expect(normalUri(once)).toBe(once)
      }),
      { numRuns: 300 },
    )
  })
})
