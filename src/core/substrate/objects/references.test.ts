import { describe, expect, test } from 'vitest'
import { aFact, NOON } from '../../../../test/contract/samples.js'
import type { Fact } from '../../facts/fact.js'
import { evidenceOf, fieldEdges, findUnresolvedEndpoints, isSingle, referencesOf, relationsOf, sameRelations } from './references.js'

describe('references', () => {
  const fact = aFact({
    ...{ id: 'know:1', subject: 'node:s', predicate: 'uses', valueType: 'ref', value: 'node:o' },
    references: { subject_refs: ['node:s', 5, 'plain'], depends_on: ['work:1'] },
    evidence: [
      { source_id: 'src:1', segment_id: '1', hash: 'h', locator: { page: 2 } },
      { source_id: 'src:1', segment_id: '2' },
      { source_id: 5 },
      'x',
    ],
  })

  test('are read if they are valid', () => {
    expect([isSingle('parent_ref'), isSingle('child_refs')]).toEqual([true, false])
    expect(evidenceOf({ evidence: [{ source_id: 'src:2' }, { segment_id: '1' }] })).toEqual([])
    expect(referencesOf(fact, 'subject_refs')).toEqual(['node:s', 'plain'])
    expect(evidenceOf(fact)).toEqual([
      { source_id: 'src:1', segment_id: '1', hash: 'h', locator: { page: 2 } },
      { source_id: 'src:1', segment_id: '2' },
    ])
  })

  const relations = (input: Fact) =>
    relationsOf(input).map(({ from, relation, to, derivation }) => `${from} ${relation} ${to} ${derivation}`)

  test('create each relation once', () => {
    expect(relations(fact)).toEqual([
      'know:1 subject node:s field_reference',
      'know:1 subject plain field_reference',
      'know:1 evidence src:1 evidence_ref',
      'node:s uses node:o structured_payload',
    ])
    const bare = { ...fact, references: null, evidence: null }
    expect(relations({ ...bare, value: 'no id' })).toEqual([])
    expect(relations({ ...bare, valueType: null })).toEqual([])
    expect(relations({ ...bare, predicate: null })).toEqual([])
    expect(relations({ ...bare, subject: null })).toEqual([])
    expect(relations({ ...bare, subject: null, references: { subject_refs: ['node:r'] } })).toContain(
      'node:r uses node:o structured_payload',
    )
    expect(relations({ ...bare, form: 'activity', references: { artifact_refs: ['file'] } })).toEqual([
      'node:s uses node:o structured_payload',
    ])
  })

  test('are limited to kinds of objects', () => {
    expect(findUnresolvedEndpoints(fact)).toEqual(['plain'])
    const edges = fieldEdges(fact, NOON, new Map([['plain', { kind: 'fact', type: 'knowledge' }]]))
    expect(edges.map(({ from, fromKind, to, toKind }) => [from, fromKind, to, toKind])).toEqual([
      ['know:1', 'fact', 'node:s', 'entity'],
      ['know:1', 'fact', 'plain', 'fact'],
      ['know:1', 'fact', 'src:1', 'source'],
      ['node:s', 'entity', 'node:o', 'entity'],
    ])
    expect(fieldEdges(fact, NOON, new Map())[1]).toMatchObject({ toKind: 'entity' })
    expect([sameRelations(fact, { ...fact, text: 'other' }), sameRelations(fact, { ...fact, scope: 'team' })]).toEqual([true, false])
  })
})
