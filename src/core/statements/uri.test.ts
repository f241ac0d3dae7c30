import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayName, entityIdIn, entityUri, factIdIn, factUri, isFormal, normalUri, typeInUri } from './uri.js'

describe('entity URIs', () => {
  test('are normalised to lower case without white space', () => {
    expect(normalUri(' Stigmem://ACME/Person/Alice  Smith ')).toBe('stigmem://acme/person/alice-smith')
    expect(normalUri('User:Alice Smith')).toBe('user:alice-smith')
    expect(normalUri('https://Example.com/Entity/Alice')).toBe('https://example.com/entity/alice')
    expect(normalUri('mneme:fact/AbC 1')).toBe('mneme:fact/AbC 1')
    expect([isFormal('stigmem://a/b/c'), isFormal('user:a')]).toEqual([true, false])
  })

  test('are displayed by their last part', () => {
    expect(['stigmem://acme/person/alice', 'user:bob', 'plain', 'https://x.y/z/', '/x'].map(displayName)).toEqual([
      'alice',
      'bob',
      'plain',
      'z',
      'x',
    ])
    expect([typeInUri('stigmem://acme/person/alice'), typeInUri('user:bob')]).toEqual(['person', null])
  })

  test('name facts and entities of this store', () => {
    expect([factIdIn(factUri('F1')), factIdIn('user:bob')]).toEqual(['F1', undefined])
    expect([entityIdIn(entityUri('E1')), entityIdIn('user:bob')]).toEqual(['E1', undefined])
  })

  test('have 2048 bytes at most', () => {
    expect(normalUri('x'.repeat(2048))).toHaveLength(2048)
    expect(() => normalUri('x'.repeat(2049))).toThrow('2049 bytes, at most 2048')
  })

  test('are idempotent under normalisation', () => {
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
