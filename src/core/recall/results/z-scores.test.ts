import { describe, expect, it } from 'vitest'
import { zScores } from './z-scores.js'

describe('zScores', () => {
  it('measures in standard deviations of the population', () => {
    expect(zScores([1, 3])).toEqual([-1, 1])
    expect(zScores([0, 4])).toEqual([-1, 1])
  })

  it('answers zero where all scores are alike, or there is one, or none', () => {
    expect(zScores([0.4, 0.4, 0.4])).toEqual([0, 0, 0])
    expect(zScores([7])).toEqual([0])
    expect(zScores([])).toEqual([])
  })
})
