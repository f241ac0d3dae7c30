import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Known, packDiverse } from './packing.js'

interface One extends Known {
  readonly vector: Float32Array
  readonly bound: number
}

const likeness = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

/** The same rule, looking at everything each time. */
function byLookingAtAll(all: readonly One[], budget: number, lambda: number) {
  const left = new Set(all.keys())
  const chosen: number[] = []
  let used = 0
  for (;;) {
    let best = -1
    let highest = Number.NEGATIVE_INFINITY
    for (const place of left) {
      const one = all[place]
      if (one === undefined) continue
      const like = Math.max(0, ...chosen.map((other) => likeness(one.vector, all[other]?.vector ?? new Float32Array())))
      const worth = lambda * one.score - (1 - lambda) * like
      if (worth <= highest) continue
      best = place
      highest = worth
    }
    const one = all[best]
    if (one === undefined) return { chosen, used, truncated: false }
    if (used + one.cost > budget) return { chosen, used, truncated: true }
    used += one.cost
    chosen.push(best)
    left.delete(best)
  }
}

function packed(all: readonly One[], budget: number, lambda: number) {
  const packing = packDiverse<One & { readonly place: number }>(all, budget, lambda)
  let step = packing.next([])
  while (step.done !== true)
    step = packing.next(
      step.value.map((place) => {
        const one = all[place]
        return one === undefined ? undefined : { ...one, place }
      }),
    )
  return { ...step.value, chosen: step.value.chosen.map(({ place }) => place) }
}

// Halves and quarters, so that sums are exact and no two orders differ by rounding.
const quarter = fc.integer({ min: 0, max: 4 }).map((n) => n / 4)
const one = fc.record({
  score: quarter,
  more: quarter,
  cost: fc.integer({ min: 1, max: 4 }),
  vector: fc.array(quarter, { minLength: 7, maxLength: 7 }),
})

test('takes what looking at everything each time would take', () => {
  fc.assert(
    fc.property(
      fc.array(one, { maxLength: 14 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(0, 0.5, 0.75, 1),
      (given, budget, lambda) => {
        const all = given.map(({ score, more, cost, vector }) => ({ score, bound: score + more, cost, vector: Float32Array.from(vector) }))
        expect(packed(all, budget, lambda)).toEqual(byLookingAtAll(all, budget, lambda))
      },
    ),
    { numRuns: 500 },
  )
})

test('asks for the best eight of which nothing is known, the best first and those of equal worth in their order', () => {
  const bounds = [1, 5, 3, 3, 9, 2, 7, 8, 3, 6, 4, 3]
  const packing = packDiverse(
    bounds.map((bound) => ({ bound, vector: undefined })),
    100,
    1,
  )
  expect(packing.next([]).value).toEqual([4, 7, 6, 9, 1, 10, 2, 3])
  // Worth less than was thought: the next is asked for, and with it those that are still open.
  expect(packing.next([4, 7, 6, 9, 1, 10, 2, 3].map(() => ({ score: 0, cost: 1 }))).value).toEqual([8, 11, 5, 0])
})
