import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PackedItem, packDiverse } from './packing.js'

interface One extends PackedItem {
  readonly score: number
  readonly isGone: boolean
  readonly vector: Float32Array
  readonly bound: number
}

const likeness = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

/** The same rule, looking at everything each time. */
function byLookingAtAll(all: readonly One[], budget: number, lambda: number) {
  const left = new Set([...all.keys()].filter((place) => all[place]?.isGone === false))
  const chosen: number[] = []
  let used = 0
  for (;;) {
    let best = -1
    let highest = Number.NEGATIVE_INFINITY
    for (const place of left) {
      const item = all[place]
      if (item === undefined) continue
      const like = Math.max(0, ...chosen.map((other) => likeness(item.vector, all[other]?.vector ?? new Float32Array())))
      const worth = lambda * item.score - (1 - lambda) * like
      if (worth <= highest) continue
      best = place
      highest = worth
    }
    const item = all[best]
    if (item === undefined) return { chosen, used, truncated: false }
    if (used + item.cost > budget) return { chosen, used, truncated: true }
    used += item.cost
    chosen.push(best)
    left.delete(best)
  }
}

function packed(all: readonly One[], budget: number, lambda: number) {
  const packing = packDiverse<One & { readonly place: number }>(all, budget, lambda)
  let step = packing.next([])
  while (step.done !== true) {
    const { ask, places } = step.value
    step = packing.next(
      places.map((place) => {
        const item = all[place]
        if (ask === 'scores') return item?.score
        return item === undefined || item.isGone ? undefined : { ...item, place }
      }),
    )
  }
  return { ...step.value, chosen: step.value.chosen.map(({ place }) => place) }
}

// Halves and quarters, so that sums are exact and no two orders differ by rounding.
const quarter = fc.integer({ min: 0, max: 4 }).map((n) => n / 4)
const item = fc.record({
  score: quarter,
  more: quarter,
  isGone: fc.boolean(),
  cost: fc.integer({ min: 1, max: 4 }),
  vector: fc.array(quarter, { minLength: 7, maxLength: 7 }),
})

test('takes what looking at everything each time would take', () => {
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 14 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(0, 0.5, 0.75, 1),
      (generated, budget, lambda) => {
        const all = generated.map(({ more, vector, ...item }) => ({ ...item, bound: item.score + more, vector: Float32Array.from(vector) }))
        expect(packed(all, budget, lambda)).toEqual(byLookingAtAll(all, budget, lambda))
      },
    ),
    { numRuns: 500 },
  )
})

test('asks for the best of which nothing is known, the best first and those of equal worth in their order', () => {
  const bounds = [1, 5, 3, 3, 9, 2, 7, 8, 3, 6, 4, 3, 1, 1, 1, 1, 1, 1]
  const packing = packDiverse(
    bounds.map((bound) => ({ bound, vector: undefined })),
    100,
    1,
  )
  const first = [4, 7, 6, 9, 1, 10, 2, 3, 8, 11, 5, 0, 12, 13, 14, 15]
  expect(packing.next([]).value).toEqual({ ask: 'scores', places: first })
  // Worth less than was thought: the others are asked for.
  expect(packing.next(first.map(() => 0)).value).toEqual({ ask: 'scores', places: [16, 17] })
  // A request contains no more candidates than may be needed.
  expect(packing.next([0, 0]).value).toEqual({ ask: 'content', places: [0, 1, 2, 3, 4, 5, 6, 7] })
})
