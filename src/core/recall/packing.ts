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
  let [first, second, third, fourth] = [0, 0, 0, 0]
  const whole = a.length - (a.length % 4)
  for (let i = 0; i < whole; i += 4) {
    first += (a[i] ?? 0) * (b[i] ?? 0)
    second += (a[i + 1] ?? 0) * (b[i + 1] ?? 0)
    third += (a[i + 2] ?? 0) * (b[i + 2] ?? 0)
    fourth += (a[i + 3] ?? 0) * (b[i + 3] ?? 0)
  }
  for (let i = whole; i < a.length; i++) first += (a[i] ?? 0) * (b[i] ?? 0)
  return first + second + third + fourth
}

/** Candidates that have to be known before it goes on: those from one place up to another. */
export interface Wanted {
  readonly from: number
  readonly to: number
}

/** So many are asked for together. */
const AT_ONCE = 32

/**
 * Fills a budget: next comes what is relevant and unlike what was taken. It ends with the first that does not fit; nothing
 * smaller takes its place. Of each candidate it is given what its score is at most, highest first; those that may come next
 * it asks for, and is answered with them, undefined for one that is gone. It also stops after each that it takes, so that
 * whoever drives it can let others in.
 *
 * What becomes known, and what is taken, only makes a candidate worth less: what one was worth before is no less than what
 * it is worth now, so that only those are compared anew which would come next by that.
 */
export function* packDiverse<T extends Packable>(
  bounds: readonly number[],
  budget: number,
  lambda: number,
): Generator<Wanted | undefined, Packed<T>, readonly (T | undefined)[] | undefined> {
  const known: (T | undefined)[] = []
  const worth: number[] = []
  const likeness: number[] = []
  const compared: number[] = []
  const chosen: T[] = []
  let used = 0
  for (;;) {
    const place = bestOf(worth)
    const highest = worth[place] ?? TAKEN
    const next = bounds[known.length]
    if (next !== undefined && lambda * next > highest) {
      const wanted = { from: known.length, to: Math.min(bounds.length, known.length + AT_ONCE) }
      for (const one of (yield wanted) ?? []) {
        known.push(one)
        worth.push(one === undefined ? TAKEN : lambda * one.score)
        likeness.push(0)
        compared.push(0)
      }
      // Whoever drives it has nothing more to tell.
      while (known.length < wanted.to) {
        known.push(undefined)
        worth.push(TAKEN)
      }
      continue
    }
    const best = known[place]
    if (best === undefined || highest === TAKEN) return { chosen, used, truncated: false }
    const seen = compared[place] ?? 0
    if (lambda < 1 && seen < chosen.length) {
      let most = likeness[place] ?? 0
      for (let i = seen; i < chosen.length; i++) most = Math.max(most, likenessOf(best, chosen[i]))
      likeness[place] = most
      worth[place] = lambda * best.score - (1 - lambda) * most
      compared[place] = chosen.length
      continue
    }
    if (used + best.cost > budget) return { chosen, used, truncated: true }
    used += best.cost
    chosen.push(best)
    worth[place] = TAKEN
    yield
  }
}

const TAKEN = Number.NEGATIVE_INFINITY

/** The first of the highest. */
function bestOf(worth: readonly number[]): number {
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

const likenessOf = (a: Packable, b: Packable | undefined): number =>
  a.vector === undefined || b?.vector === undefined ? 0 : dot(a.vector, b.vector)
