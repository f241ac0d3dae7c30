import { sentText, type TypedValue } from '../statement.js'

/** What a result costs of a budget, about a quarter of a token for each byte and a fixed share for the rest of its record. */
const RECORD_COST = 40

export const tokenCost = (value: TypedValue): number => RECORD_COST + Math.ceil(Buffer.byteLength(sentText(value)) / 4)

/** What is known of a candidate at once: what its score is at most, and what it is like. */
export interface Packable {
  readonly bound: number
  /** Of unit length; none where it is still to be made. */
  readonly vector: Float32Array | undefined
}

/** What is asked of those that may be taken: the score, which is no higher, and the cost. */
export interface Known {
  readonly score: number
  readonly cost: number
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

/** So many are asked for together. */
const AT_ONCE = 8

/**
 * Fills a budget: next comes what is relevant and unlike what was taken. It ends with the first that does not fit; nothing
 * smaller takes its place. Those that may come next it asks for by their places, and is answered with what is known of them,
 * undefined for one that is gone. It also stops after each that it takes, so that whoever drives it can let others in.
 *
 * What becomes known, and what is taken, only makes a candidate worth less: what one was worth before is no less than what
 * it is worth now, so that only those are looked at anew which would come next by that.
 */
export function* packDiverse<K extends Known>(
  candidates: readonly Packable[],
  budget: number,
  lambda: number,
): Generator<readonly number[], Packed<K>, readonly (K | undefined)[]> {
  const worth = Float64Array.from(candidates, ({ bound }) => lambda * bound)
  const likeness = new Float64Array(candidates.length)
  const compared = new Int32Array(candidates.length)
  const known = new Map<number, K | undefined>()
  const vectors: (Float32Array | undefined)[] = []
  const chosen: K[] = []
  let used = 0
  for (;;) {
    const place = bestOf(worth)
    const best = candidates[place]
    if (best === undefined) return { chosen, used, truncated: false }
    const one = known.get(place)
    const seen = compared[place] ?? 0
    if (lambda < 1 && seen < vectors.length) {
      for (let i = seen; i < vectors.length; i++) likeness[place] = Math.max(likeness[place] ?? 0, likenessOf(best.vector, vectors[i]))
      compared[place] = vectors.length
      worth[place] = worthOf(one?.score ?? best.bound, likeness[place] ?? 0, lambda)
      continue
    }
    if (!known.has(place)) {
      const wanted = nextOf(worth, known, place)
      const told = yield wanted
      for (const [i, asked] of wanted.entries()) {
        const fact = told[i]
        known.set(asked, fact)
        worth[asked] = fact === undefined ? TAKEN : worthOf(fact.score, likeness[asked] ?? 0, lambda)
      }
      continue
    }
    if (one === undefined) return { chosen, used, truncated: false }
    if (used + one.cost > budget) return { chosen, used, truncated: true }
    used += one.cost
    chosen.push(one)
    vectors.push(best.vector)
    worth[place] = TAKEN
    yield []
  }
}

const worthOf = (score: number, likeness: number, lambda: number): number => lambda * score - (1 - lambda) * likeness

/** Those of the highest worth of which nothing is known yet, the best first. */
function nextOf(worth: Float64Array, known: ReadonlyMap<number, unknown>, best: number): readonly number[] {
  const open = [...worth.keys()].filter((place) => place !== best && !known.has(place))
  open.sort((a, b) => (worth[b] ?? TAKEN) - (worth[a] ?? TAKEN) || a - b)
  return [best, ...open.slice(0, AT_ONCE - 1)]
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

const likenessOf = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a === undefined || b === undefined ? 0 : dot(a, b)
