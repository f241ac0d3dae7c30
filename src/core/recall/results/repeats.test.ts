import { describe, expect, test } from 'vitest'
import { aFact } from '../../../../test/contract/samples.js'
import { addRepeat, createRepeatGroup, hasAllRepeats, listOtherRepeats } from './repeats.js'

describe('repeats of a fact', () => {
  const facts = [3, 7, 1, 6, 2, 5, 4, 8].map((at) => aFact({ id: `f${at}`, eventAt: at }))
  const said = createRepeatGroup()
  for (const fact of facts) for (const rid of [fact.eventAt, 99]) addRepeat(said, rid, fact)

  test('is counted once each', () => {
    expect([...said.rows]).toEqual([3, 7, 1, 6, 2, 5, 4, 8].map((at) => [`f${at}`, at]))
  })

  test('returns the newest five repeats of a result, newest first, also if the result is not one of the newest', () => {
    const beside = (id: string) => listOtherRepeats(said, aFact({ id })).map((fact) => fact.id)
    expect(beside('f8')).toEqual(['f7', 'f6', 'f5', 'f4', 'f3'])
    expect(beside('f5')).toEqual(['f8', 'f7', 'f6', 'f4', 'f3'])
    expect(beside('f1')).toEqual(['f8', 'f7', 'f6', 'f5', 'f4'])
  })

  test('are ordered by recording time if they happened at the same time', () => {
    const both = createRepeatGroup()
    for (const recordedAt of [1, 3, 2]) addRepeat(both, recordedAt, aFact({ id: `r${recordedAt}`, eventAt: 5, recordedAt }))
    expect(both.newest.map(({ id }) => id)).toEqual(['r3', 'r2', 'r1'])
  })
})

describe('all who say the same were found', () => {
  /** Each scores less than the one before it. */
  const hits = (rids: readonly number[]) => rids.map((rid, place) => ({ rid, score: 1 - place / 10 }))
  const cut = (...rids: number[]) => ({ hits: hits(rids), isCut: true })
  const ended = (...rids: number[]) => ({ hits: hits(rids), isCut: false })

  test.each([
    ['no search stopped among them', [1, 2], [cut(1, 2, 3), cut(4, 5)], true],
    ['links brought them', [1, 2], [cut(3), cut(4)], true],
    ['both searches stopped among them', [1, 2], [cut(3, 1), cut(4, 2)], false],
    ['one stopped among them, and the other brought none', [1, 2], [cut(1, 2), cut(3, 4)], false],
    ['one stopped among them, and the other brought some', [1, 2], [cut(1, 2), cut(1, 3)], false],
    ['one stopped among them, and the other brought all and went on', [1, 2], [cut(1, 2), cut(2, 1, 3)], true],
    ['one stopped among them, and the other came to its end with all of them', [1, 2], [cut(1, 2), ended(2, 1)], true],
    ['there is no other, as without a model', [1, 2], [ended(), cut(1, 2)], false],
    ['both came to their end', [1, 2], [ended(1), ended(2)], true],
  ])('%s', (_, rows, searches, whole) => {
    expect(hasAllRepeats(rows, searches)).toBe(whole)
  })

  test('a search also stopped among them where something else that scores the same came last', () => {
    const equal = { hits: [1, 3].map((rid) => ({ rid, score: 0.5 })), isCut: true }
    expect(hasAllRepeats([1, 2], [equal, cut(4)])).toBe(false)
  })
})
