/** Tokens of a serialised result and the comma after it, at four bytes per token. */
export const estimateCost = (result: unknown): number => Math.ceil((Buffer.byteLength(JSON.stringify(result)) + 1) / 4)

/** Known before the score: an upper bound of the score, and the vector. */
interface PackingCandidate {
  readonly bound: number
  /** Of unit length; undefined if there is no vector yet. */
  readonly vector: Float32Array | undefined
}

export interface PackedItem {
  readonly cost: number
}

/**
 * A request for candidates by position, answered by a list in the same order: their scores, which are no higher than their
 * bounds, or their contents, undefined for deleted ones. A pause has no answer.
 */
interface PackingRequest {
  readonly ask: 'scores' | 'content' | 'pause'
  readonly places: readonly number[]
}

export interface Packing<T> {
  readonly chosen: readonly T[]
  readonly used: number
  /** True if a candidate did not fit the budget. */
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

/** Positions per request, at first and at most: if every score is below its bound, most scores are needed. */
const FIRST_SCORES = 16
const MAX_SCORES = 256
const CONTENT_BATCH_SIZE = 8

/**
 * Fills a budget with candidates that are relevant and differ from those already taken. It ends with the first candidate that
 * does not fit. It requests the scores of candidates that may be next, and the contents of those that are. It pauses after
 * each candidate, so the caller can yield.
 *
 * Known scores and taken candidates only lower the gain of a candidate, so an earlier gain is an upper bound. Only
 * candidates that would be next by that bound are evaluated again.
 */
export function* packDiverse<T extends PackedItem>(
  candidates: readonly PackingCandidate[],
  budget: number,
  lambda: number,
): Generator<PackingRequest, Packing<T>, readonly (T | number | undefined)[]> {
  const gains = Float64Array.from(candidates, ({ bound }) => lambda * bound)
  const likeness = new Float64Array(candidates.length)
  const compared = new Int32Array(candidates.length)
  const order = new GainHeap(gains)
  const scores = new Map<number, number>()
  const contents = new Map<number, T>()
  const vectors: (Float32Array | undefined)[] = []
  const chosen: T[] = []
  let used = 0
  let batchSize = FIRST_SCORES
  for (;;) {
    const place = order.best()
    const best = gains[place] === TAKEN_GAIN ? undefined : candidates[place]
    if (best === undefined) return { chosen, used, truncated: false }
    const score = scores.get(place)
    const seen = compared[place] ?? 0
    if (lambda < 1 && seen < vectors.length) {
      for (let i = seen; i < vectors.length; i++) likeness[place] = Math.max(likeness[place] ?? 0, likenessOf(best.vector, vectors[i]))
      compared[place] = vectors.length
      gains[place] = computeGain(score ?? best.bound, likeness[place] ?? 0, lambda)
      order.sinkBest()
      continue
    }
    if (score === undefined) {
      const places = findNext(gains, place, (index) => !scores.has(index), batchSize)
      batchSize = Math.min(MAX_SCORES, Math.ceil(batchSize * 1.5))
      const answers = yield { ask: 'scores', places }
      for (const [i, asked] of places.entries()) {
        const found = Number(answers[i])
        scores.set(asked, found)
        gains[asked] = computeGain(found, likeness[asked] ?? 0, lambda)
      }
      order.rebuild()
      continue
    }
    const item = contents.get(place)
    if (item === undefined) {
      const places = findNext(gains, place, (other) => scores.has(other) && !contents.has(other), CONTENT_BATCH_SIZE)
      const answers = yield { ask: 'content', places }
      for (const [i, asked] of places.entries()) {
        const found = answers[i]
        if (typeof found === 'object') contents.set(asked, found)
        else gains[asked] = TAKEN_GAIN
      }
      order.rebuild()
      continue
    }
    if (used + item.cost > budget) return { chosen, used, truncated: true }
    used += item.cost
    chosen.push(item)
    vectors.push(best.vector)
    gains[place] = TAKEN_GAIN
    order.sinkBest()
    yield { ask: 'pause', places: [] }
  }
}

const computeGain = (score: number, likeness: number, lambda: number): number => lambda * score - (1 - lambda) * likeness

/** The best candidate and the candidates of the next highest gains whose data is missing. */
function findNext(worth: Float64Array, best: number, isOpen: (place: number) => boolean, limit: number): readonly number[] {
  const open: number[] = []
  for (let place = 0; place < worth.length; place++) if (place !== best && worth[place] !== TAKEN_GAIN && isOpen(place)) open.push(place)
  // Only candidates that reach the limit are sorted: few of hundreds.
  const least = Float64Array.from(open, (place) => worth[place] ?? TAKEN_GAIN).sort()[open.length - limit + 1] ?? TAKEN_GAIN
  const next = open.filter((place) => (worth[place] ?? TAKEN_GAIN) >= least)
  next.sort((a, b) => (worth[b] ?? TAKEN_GAIN) - (worth[a] ?? TAKEN_GAIN) || a - b)
  return [best, ...next.slice(0, limit - 1)]
}

const TAKEN_GAIN = Number.NEGATIVE_INFINITY

/** Max-heap of positions by gain. Ties are ordered by position. */
class GainHeap {
  readonly #worth: Float64Array
  readonly #heap: Int32Array

  constructor(worth: Float64Array) {
    this.#worth = worth
    this.#heap = Int32Array.from(worth, (_, place) => place)
    this.rebuild()
  }

  best(): number {
    return this.#heap[0] ?? -1
  }

  /** Restores the heap after the gain of the best has fallen. */
  sinkBest(): void {
    this.#sink(0)
  }

  /** Restores the heap after any gain has fallen. */
  rebuild(): void {
    for (let at = (this.#heap.length >> 1) - 1; at >= 0; at--) this.#sink(at)
  }

  #sink(from: number): void {
    const heap = this.#heap
    for (let at = from; ; ) {
      const left = 2 * at + 1
      if (left >= heap.length) return
      const child = left + 1 < heap.length && this.#isBefore(heap[left + 1] ?? 0, heap[left] ?? 0) ? left + 1 : left
      const [above, below] = [heap[at] ?? 0, heap[child] ?? 0]
      if (!this.#isBefore(below, above)) return
      heap[at] = below
      heap[child] = above
      at = child
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#worth[a] ?? TAKEN_GAIN, this.#worth[b] ?? TAKEN_GAIN]
    return first > second || (first === second && a < b)
  }
}

const likenessOf = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a === undefined || b === undefined ? 0 : dot(a, b)
