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
 *
 * What is taken only makes the rest worth less: what a candidate was worth before is no less than what it is worth now, so
 * that only those are compared anew which would come next by that.
 */
export function* packDiverse<T extends Packable>(candidates: readonly T[], budget: number, lambda: number): Generator<void, Packed<T>> {
  const worth = Float64Array.from(candidates, ({ score }) => lambda * score)
  const likeness = new Float64Array(candidates.length)
  const compared = new Int32Array(candidates.length)
  const chosen: T[] = []
  let used = 0
  while (chosen.length < candidates.length) {
    const place = bestOf(worth)
    const best = candidates[place]
    if (best === undefined) break
    const seen = compared[place] ?? 0
    if (lambda < 1 && seen < chosen.length) {
      likeness[place] = chosen.slice(seen).reduce((most, one) => Math.max(most, likenessOf(best, one)), likeness[place] ?? 0)
      worth[place] = lambda * best.score - (1 - lambda) * (likeness[place] ?? 0)
      compared[place] = chosen.length
      continue
    }
    if (used + best.cost > budget) return { chosen, used, truncated: true }
    used += best.cost
    chosen.push(best)
    worth[place] = TAKEN
    yield
  }
  return { chosen, used, truncated: false }
}

const TAKEN = Number.NEGATIVE_INFINITY

/** The first of the highest; none where all are taken. */
function bestOf(worth: Float64Array): number {
  let place = -1
  let highest = TAKEN
  for (let i = 0; i < worth.length; i++) {
    const one = worth[i] ?? TAKEN
    if (one <= highest) continue
    place = i
    highest = one
  }
  return place
}

const likenessOf = (a: Packable, b: Packable): number => (a.vector === undefined || b.vector === undefined ? 0 : dot(a.vector, b.vector))

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
