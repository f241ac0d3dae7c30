import { describe, expect, it } from 'vitest'
import { findUndecided, type Prospect } from './undecided.js'

const prospect = (rid: number, score: number, raw: number | null, key = `text ${rid}`): Prospect => ({ rid, score, raw, key })
/** Ten read candidates with scores from 10 down to 1 and raw scores around -8. */
const READ_PROSPECTS = Array.from({ length: 10 }, (_, i) => prospect(i, 10 - i, -8 + (i % 3)))

describe('candidates that may still enter the results', () => {
  it('are none where all the others are far below', () => {
    expect(findUndecided([...READ_PROSPECTS, prospect(20, -3, null), prospect(21, -4, null)], 5, 0.3)).toEqual([])
  })

  it('are those that a raw score like the ones read would lift, the most probable first', () => {
    const near = [prospect(20, 6, null), prospect(21, 8, null), prospect(22, 7, null)]
    expect(findUndecided([...READ_PROSPECTS, ...near], 5, 0.3)).toEqual([21, 22, 20])
  })

  it('are all the others while there are fewer texts than results', () => {
    const repeats = READ_PROSPECTS.map((read) => ({ ...read, key: 'said again' }))
    const unread = [prospect(20, -50, null)]
    expect(findUndecided([...READ_PROSPECTS, ...unread], 11, 0.3)).toEqual([20])
    expect(findUndecided([...repeats, ...unread], 2, 0.3)).toEqual([20])
    expect(findUndecided([...READ_PROSPECTS, ...unread], 2, 0.3)).toEqual([])
  })

  it('are all the others where raw scores have no weight', () => {
    expect(findUndecided([...READ_PROSPECTS, prospect(20, -50, null)], 5, 0)).toEqual([20])
  })

  it('include those which together are likely enough, though each alone is not', () => {
    const tail = (count: number): readonly Prospect[] => Array.from({ length: count }, (_, i) => prospect(20 + i, 7.45, null))
    expect(findUndecided([...READ_PROSPECTS, ...tail(1)], 5, 0.3)).toEqual([])
    expect(findUndecided([...READ_PROSPECTS, ...tail(10)], 5, 0.3)).toHaveLength(10)
  })
})
