import { describe, expect, test } from 'vitest'
import { aFact, anEntity } from '../../../test/contract/samples.js'
import { type Change, checkOwners, checkTexts, isTrimmed, type JournalEntry, ownerOf, touchedBy } from './change.js'

const put = (owner: string): Change => ({ op: 'fact.put', fact: aFact({ id: 'f', owner }) })

describe('owners that a commit changes', () => {
  test('are only those it names', () => {
    expect(() => checkOwners([put('ann'), put('bob')], ['ann', 'bob'])).not.toThrow()
    expect(() => checkOwners([put('ann'), put('bob')], ['ann'])).toThrow('A commit for ann contains a change of bob.')
    expect(() => checkOwners([put('ann')], [])).toThrow('A commit for no owner contains a change of ann.')
    expect(() => checkOwners([put('ann')], 'everyone')).not.toThrow()
  })

  test('changes data of all owners only in a commit for all owners', () => {
    expect(() => checkOwners([{ op: 'reset', owner: null }], ['ann'])).toThrow('contains a change of all owners')
    expect(() => checkOwners([{ op: 'reset', owner: null }], 'everyone')).not.toThrow()
    expect([ownerOf(put('ann')), ownerOf({ op: 'fact.delete', id: 'f', owner: 'bob' })]).toEqual(['ann', 'bob'])
  })
})

test('rejects NUL in texts but not in JSON', () => {
  const fact = (input: Parameters<typeof aFact>[0]): Change => ({ op: 'fact.put', fact: aFact(input) })
  expect(() => checkTexts([fact({ id: 'f', text: 'a\0b' })])).toThrow('Invalid text: must not contain NUL characters')
  expect(() => checkTexts([{ op: 'entity.put', entity: anEntity({ id: 'e', name: 'a\0' }) }])).toThrow('Invalid name')
  expect(() => checkTexts([fact({ id: 'f', text: 'plain', metadata: { a: 'b\0' } })])).not.toThrow()
})

test('targets of changes', () => {
  const ids = touchedBy([
    put('ann'),
    { op: 'entity.put', entity: anEntity({ id: 'e', name: 'E' }) },
    { op: 'fact.delete', id: 'gone', owner: 'ann' },
    { op: 'entity.delete', id: 'left', owner: 'ann' },
    { op: 'source.delete', id: 'source', owner: 'ann' },
    { op: 'edge.delete', id: 'edge', owner: 'ann' },
    { op: 'reset', owner: 'ann' },
  ])
  expect(ids).toEqual(['f', 'e', 'gone', 'left', 'source'])
})

test('an entry counts as cleared only if it is old, is a put, and has neither before nor after', () => {
  const entry: JournalEntry = {
    seq: 5,
    commit: 'c',
    hlc: '1',
    at: 1,
    owner: 'ann',
    actor: 'a',
    op: 'fact.put',
    targetKind: 'fact',
    target: 'f',
    before: null,
    after: null,
    reason: null,
  }
  expect([isTrimmed(entry, 5), isTrimmed(entry, 4)]).toEqual([true, false])
  for (const other of [{ op: 'fact.delete' as const }, { before: {} }, { after: {} }])
    expect(isTrimmed({ ...entry, ...other }, 9)).toBe(false)
})
