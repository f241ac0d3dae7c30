export interface Hit {
  readonly score: number
  readonly rid: number
  readonly slot: number
}

/** The best `limit` hits so far, as a min-heap. Ties are ordered by row number. */
export class TopHits {
  readonly #limit: number
  #heap: Hit[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Lower scores cannot enter. */
  get threshold(): number {
    return this.#heap.length < this.#limit ? -Infinity : (this.#heap[0]?.score ?? Infinity)
  }

  /** True if the hit would enter; few of many ties with the worst do. */
  takes(score: number, rid: number): boolean {
    if (this.#heap.length < this.#limit) return true
    const worst = this.#heap[0]
    return worst !== undefined && (score > worst.score || (score === worst.score && rid < worst.rid))
  }

  offer(hit: Hit): void {
    if (this.#limit <= 0) return
    if (this.#heap.length < this.#limit) {
      this.#heap.push(hit)
      this.#rise(this.#heap.length - 1)
      return
    }
    const worst = this.#heap[0]
    if (worst === undefined || !better(hit, worst)) return
    this.#heap[0] = hit
    this.#sink()
  }

  best(): Hit[] {
    return [...this.#heap].sort((a, b) => (better(a, b) ? -1 : 1))
  }

  #rise(from: number): void {
    let offset = from
    while (offset > 0) {
      const parent = (offset - 1) >> 1
      if (!this.#swapIfWorse(offset, parent)) return
      offset = parent
    }
  }

  #sink(): void {
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      const a = this.#heap[left]
      const b = this.#heap[right]
      if (a === undefined) return
      const worse = b !== undefined && better(a, b) ? right : left
      if (!this.#swapIfWorse(worse, index)) return
      index = worse
    }
  }

  #swapIfWorse(child: number, parent: number): boolean {
    const low = this.#heap[child]
    const high = this.#heap[parent]
    if (low === undefined || high === undefined || !better(high, low)) return false
    this.#heap[child] = high
    this.#heap[parent] = low
    return true
  }
}

const better = (a: Hit, b: Hit): boolean => a.score > b.score || (a.score === b.score && a.rid < b.rid)
