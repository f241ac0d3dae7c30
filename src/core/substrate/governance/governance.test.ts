import { describe, expect, test } from 'vitest'
import { aFact, NOON } from '../../../../test/contract/samples.js'
import type { Fact } from '../../facts/fact.js'
import { storeClaimEnds } from '../objects/claim-ends.js'
import { claimKey, scopesOverlap } from '../objects/claims.js'
import { objectStatus, titleOf, typeOfId } from '../objects/objects.js'
import {
  evidenceOf,
  fieldEdges,
  findUnresolvedEndpoints,
  isSingle,
  referencesOf,
  relationsOf,
  sameRelations,
} from '../objects/references.js'
import { buildClaimSearchText } from '../objects/stated-words.js'
import { checkGovernance, findCompetingClaims, governedStatus, isPersonal, resolveNewClaim } from './governance.js'
import { type NewObject, toGovernedFact } from './new-object.js'

describe('requirements of knowledge', () => {
  test.each([
    [{ reason: ' ' }, 'requires reason'],
    [{ origin: 'rumour' }, 'unsupported memory_source: rumour'],
    [{ scopes: [] }, 'requires scope_refs'],
    [{ scopes: ['p', ' '] }, 'requires scope_refs'],
  ])('%j: %s', (more, message) => {
    const statement = { reason: 'why', origin: 'imported', scopes: ['p'] }
    expect(() => checkGovernance({ ...statement, ...more })).toThrow(message)
    expect(() => checkGovernance(statement)).not.toThrow()
  })

  test('include evidence or a statement of a person if it is active', () => {
    expect([isPersonal('user_declared'), isPersonal('imported'), isPersonal(null)]).toEqual([true, false, false])
    expect(governedStatus('active', 'agent_inferred', 0)).toBe('candidate')
    expect(governedStatus('stale', 'agent_inferred', 0)).toBe('stale')
    expect([governedStatus('active', 'imported', 1), governedStatus('active', 'human_curated', 0)]).toEqual(['active', 'active'])
    expect(() => governedStatus('active', 'imported', 0)).toThrow('requires evidence_refs')
    expect(governedStatus('candidate', 'imported', 0)).toBe('candidate')
  })
})

describe('claims', () => {
  const statement = (id: string, value: string, more: Partial<Fact> = {}) =>
    aFact({ id, subject: 'Ann', predicate: 'likes', value, ...more })

  test('are compared by kind, subject and predicate', () => {
    expect(claimKey(statement('a', 'tea'))).toBe(claimKey(statement('b', 'milk')))
    expect(claimKey(statement('a', 'tea', { references: { subject_refs: ['node:a'] } }))).not.toBe(claimKey(statement('a', 'tea')))
    for (const none of [{ subject: null }, { predicate: null }, { form: 'activity' }])
      expect(claimKey(statement('a', 'tea', none))).toBeNull()
  })

  test.each([
    [null, ['q'], true],
    [['p'], null, true],
    [[], ['q'], true],
    [['p'], [], true],
    [['p', 'q'], ['q'], true],
    [['p'], ['q'], false],
  ])('hold where their scopes meet: %j and %j', (a, b, expected) => expect(scopesOverlap(a, b)).toBe(expected))

  test('end in a value, in another object, or in both', () => {
    expect(storeClaimEnds(3, null, { a: 1 })).toEqual({ value: 3, valueType: null, details: { a: 1 } })
    expect(storeClaimEnds(null, 'node:o', {})).toEqual({ value: 'node:o', valueType: 'ref', details: {} })
    expect(storeClaimEnds(3, 'node:o', {})).toEqual({ value: 3, valueType: null, details: { object: 'node:o' } })
  })

  test('with equal values are duplicates, with others conflicts', () => {
    const others = [
      statement('a', 'tea'),
      statement('same', 'tea'),
      statement('other', 'milk'),
      statement('far', 'milk', { scopes: ['q'] }),
      statement('elsewhere', 'milk', { predicate: 'drinks' }),
    ]
    const own = statement('a', 'tea', { scopes: ['p'] })
    const { duplicates, conflicts } = findCompetingClaims(own, others)
    expect([duplicates.map(({ id }) => id), conflicts.map(({ id }) => id)]).toEqual([['same'], ['other']])
    expect(findCompetingClaims({ ...own, predicate: null }, others)).toEqual({ duplicates: [], conflicts: [] })
    expect(() => resolveNewClaim(own, others, false)).toThrow('duplicate knowledge exists: same')
    expect(resolveNewClaim(own, [...others, statement('also', 'milk')], true)).toMatchObject({
      status: 'contested',
      conflicts: ['also', 'other'],
    })
    expect(resolveNewClaim(own, [statement('same', 'tea')], true)).toBe(own)
    expect(resolveNewClaim(own, [statement('other', 'milk')], false)).toMatchObject({ status: 'contested' })
  })
})

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

  test('are built from their input', () => {
    const input: NewObject = {
      ...{ type: 'knowledge', kind: 'fact', title: 'T', summary: 'S', status: 'active', details: {}, references: { subject_refs: [] } },
      ...{ evidence: [], reason: 'why', origin: 'user_declared', scopes: ['p'] },
    }
    const made = (more: Partial<NewObject> = {}) =>
      toGovernedFact({ ...input, ...more }, { id: 'i', owner: 'ann', actor: 'test', at: NOON })
    expect(made()).toMatchObject({
      form: null,
      evidence: null,
      references: {},
      validFrom: NOON,
      validUntil: null,
      confidence: 0,
      status: 'active',
    })
    expect(made().autoLink).toBe(true)
    expect(made({ references: { subject_refs: [], depends_on: undefined } }).references).toEqual({})
    expect(made({ validUntil: NOON - 5 })).toMatchObject({ validFrom: NOON - 5 })
    expect(made({ type: 'activity', origin: 'agent_inferred', stage: 'draft' })).toMatchObject({ form: 'activity', status: 'active' })
    expect(made({ origin: 'agent_inferred' })).toMatchObject({ form: null, status: 'candidate' })
    expect(
      made({ evidence: [{ source_id: 's', segment_id: '1' }], references: { subject_refs: ['node:a'], depends_on: [] } }),
    ).toMatchObject({
      evidence: [{ source_id: 's', segment_id: '1' }],
      references: { subject_refs: ['node:a'] },
    })
  })
})

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
