import { MOST_PIECES } from '../../core/pieces.js'
import type { PieceCodes } from '../sql/pieces.js'
import { createInt8Index, type Int8Index, type RowAttributes, type RowFilter } from '../vector/int8-index.js'

/** Keys of pieces in their index: the rid of the fact and the number of the piece. */
const keyOf = (rid: number, index: number): number => rid * MOST_PIECES + index
const ridOf = (key: number): number => Math.floor(key / MOST_PIECES)

/** The pieces of long facts in 8 bits, scanned like the vectors of whole facts. */
export class ResidentPieces {
  readonly #index: Int8Index
  /** Numbers of the pieces of each long fact. */
  readonly #held = new Map<number, Set<number>>()

  constructor(dimensions: number) {
    this.#index = createInt8Index(dimensions)
  }

  get memoryBytes(): number {
    return this.#index.memoryBytes + this.#index.size * 16
  }

  get isEmpty(): boolean {
    return this.#held.size === 0
  }

  has(rid: number): boolean {
    return this.#held.has(rid)
  }

  put({ rid, index, high, scale }: PieceCodes, attributes: RowAttributes): void {
    if (high.length !== this.#index.dimensions || index >= MOST_PIECES) return
    this.#index.putCodes(keyOf(rid, index), high, scale * 256, attributes)
    const held = this.#held.get(rid)
    if (held === undefined) this.#held.set(rid, new Set([index]))
    else held.add(index)
  }

  remove(rid: number): void {
    for (const index of this.#held.get(rid) ?? []) this.#index.remove(keyOf(rid, index))
    this.#held.delete(rid)
  }

  clear(): void {
    this.#index.clear()
    this.#held.clear()
  }

  /** The facts of the nearest pieces. Pieces of one fact crowd together, so more are asked for until the facts are enough. */
  async search(query: Float32Array, facts: number, { accept, ...filter }: RowFilter): Promise<readonly number[]> {
    const accepted = accept === undefined ? {} : { accept: (key: number) => accept(ridOf(key)) }
    for (let limit = facts * 2; ; limit *= 4) {
      const { rids } = await this.#index.search(query, limit, { ...filter, ...accepted })
      const found = new Set(rids.map(ridOf))
      if (found.size >= facts || rids.length < limit) return [...found].slice(0, facts)
    }
  }
}
