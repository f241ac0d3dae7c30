import { describe, expect, test } from 'vitest'
import { aFact } from '../../../../test/contract/samples.js'
import type { Fact } from '../../facts/fact.js'
import { objectStatus, titleOf, typeOfId } from './objects.js'
import { buildClaimSearchText } from './stated-words.js'

describe('objects', () => {
  test('have a title, a status and a type', () => {
    expect(titleOf({ title: ' ', text: ` ${'x'.repeat(80)}\nmore` })).toBe('x'.repeat(80))
    expect(titleOf({ title: null, text: 'x'.repeat(81) })).toBe(`${'x'.repeat(77)}...`)
    const status = (form: string | null, stage: string | null, life: Fact['status']) => objectStatus({ form, stage, status: life })
    expect([
      status(null, 'draft', 'outdated'),
      status('activity', null, 'active'),
      status('activity', 'draft', 'active'),
      status('activity', 'draft', 'superseded'),
      status('activity', 'draft', 'archived'),
      status('work_item', null, 'archived'),
      status('work_item', 'blocked', 'active'),
    ]).toEqual(['superseded', 'finalized', 'draft', 'superseded', 'archived', 'open', 'blocked'])
    expect(['know:1', 'work:1', 'src:1', 'x', 'unknown:1'].map(typeOfId)).toEqual([
      'knowledge',
      'work_item',
      'source',
      undefined,
      undefined,
    ])
  })

  test('are found by their claim in addition to their text', () => {
    const fact = aFact({ id: 'a', subject: 'Ann', predicate: 'likes', value: { cups: 3, of: 'tea', warm: true, no: null }, scopes: ['p'] })
    expect(buildClaimSearchText(fact)).toEqual([])
    expect(buildClaimSearchText({ ...fact, origin: 'imported' })).toEqual(['Ann likes 3 tea p'])
    expect(buildClaimSearchText({ ...fact, form: 'activity', details: { text: 'x'.repeat(5000) } })[0]).toHaveLength(4000)
  })
})
