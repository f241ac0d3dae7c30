import { describe, expect, it } from 'vitest'
import { findNearestName, knownHint, shownNames } from './known-names.js'

const KNOWN = ['content', 'importance_score', 'memory_type', 'user_id', 'embedModel']

describe('nearest known name', () => {
  it.each([
    ['contnet', 'content'],
    ['userId', 'user_id'],
    ['importance', 'importance_score'],
    ['type', 'memory_type'],
    ['model', 'embedModel'],
    ['colour', undefined],
    ['', undefined],
  ])('of %j is %j', (word, name) => {
    expect(findNearestName(word, KNOWN)).toBe(name)
  })

  it('prefers a name with the same words to one with similar letters', () => {
    expect(findNearestName('object', ['subject', 'object_value'])).toBe('object_value')
    expect(findNearestName('limt', ['limit', 'limt_x'])).toBe('limit')
  })

  it('is not guessed from a common part of several names', () => {
    expect(findNearestName('entity', ['from_entity', 'to_entity'])).toBeUndefined()
  })

  it('lists all known names', () => {
    expect(knownHint('contnet', ['content', 'id'])).toBe('Did you mean "content"? Known: content, id.')
    expect(knownHint(['contnet', 'di', 'colour'], ['content', 'id'])).toBe(
      'Did you mean "content" for "contnet", "id" for "di"? Known: content, id.',
    )
    expect(knownHint('colour', ['id'])).toBe('Known: id.')
    expect(knownHint('colour', [])).toBe('There are none.')
  })

  it('is not searched for input that is no name', () => {
    const long = 'x'.repeat(5_000_000)
    expect(findNearestName(long, KNOWN)).toBeUndefined()
    expect(shownNames([long, ...Array.from({ length: 20 }, (_, i) => `k${i}`)])).toMatch(/^x{100}\.\.\., k0, .*, k8 and 11 more$/u)
    const many = Array.from({ length: 100_000 }, () => 'contnet')
    expect(knownHint(many, KNOWN).length).toBeLessThan(400)
  })
})
