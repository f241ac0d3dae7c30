import { sentText, type TypedValue } from '../statement.js'

/** What a result costs of a budget, about a quarter of a token for each byte and a fixed share for the rest of its record. */
const RECORD_COST = 40

export const tokenCost = (value: TypedValue): number => RECORD_COST + Math.ceil(Buffer.byteLength(sentText(value)) / 4)

export interface Packable {
  readonly score: number
  readonly cost: number
  /** Of unit length; none where it is still to be made. */
  readonly vector: Float32Array | undefined
}

export interface Packed<T> {
  readonly chosen: readonly T[]
  readonly used: number
  /** Something was left out for want of room. */
  readonly truncated: boolean
}

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/**
 * Fills a budget: next comes what is relevant and unlike what was taken. It ends with the first that does not fit; nothing
 * smaller takes its place. Stops after each step, so that whoever drives it can let others in.
 */
export function* packDiverse<T extends Packable>(candidates: readonly T[], budget: number, lambda: number): Generator<void, Packed<T>> {
  const rest = new Map(candidates.map((one) => [one, 0]))
  const chosen: T[] = []
  let used = 0
  while (rest.size > 0) {
    let best: T | undefined
    let highest = Number.NEGATIVE_INFINITY
    for (const [one, likeness] of rest) {
      const worth = lambda * one.score - (1 - lambda) * likeness
      if (worth > highest) {
        best = one
        highest = worth
      }
    }
    if (best === undefined || used + best.cost > budget) return { chosen, used, truncated: true }
    used += best.cost
    chosen.push(best)
    rest.delete(best)
    const taken = best.vector
    if (lambda < 1 && taken !== undefined)
      for (const [one, likeness] of rest) if (one.vector !== undefined) rest.set(one, Math.max(likeness, dot(one.vector, taken)))
    yield
  }
  return { chosen, used, truncated: false }
}

/** In their order, as far as the budget goes. */
export function packInOrder<T extends Packable>(sorted: readonly T[], budget: number): Packed<T> {
  const chosen: T[] = []
  let used = 0
  for (const one of sorted) {
    if (used + one.cost > budget) return { chosen, used, truncated: true }
    used += one.cost
    chosen.push(one)
  }
  return { chosen, used, truncated: false }
}
