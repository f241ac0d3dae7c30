import { BLOCK_ROWS } from './block-memory.js'

/** Number of access filters for which results are cached. */
export const MAX_READERS = 8

/** Rows of the documents that one access filter allows, block by block, one byte per row. */
class ChosenRows {
  readonly #rows: Uint8Array
  readonly #ends: Int32Array

  /** `documents` maps each row to its document, negative if there is none. */
  constructor(documents: Int32Array, end: number, readable: Uint8Array) {
    const rows = new Uint8Array(end)
    this.#ends = new Int32Array(Math.ceil(end / BLOCK_ROWS))
    let count = 0
    for (let block = 0; block < this.#ends.length; block++) {
      const last = Math.min(end, (block + 1) * BLOCK_ROWS)
      for (let row = block * BLOCK_ROWS; row < last; row++) {
        rows[count] = row % BLOCK_ROWS
        if (readable[documents[row] ?? -1] === 1) count++
      }
      this.#ends[block] = count
    }
    this.#rows = rows.slice(0, count)
  }

  get bytes(): number {
    return this.#rows.byteLength + this.#ends.byteLength
  }

  in(block: number): Uint8Array {
    return this.#rows.subarray(this.#ends[block - 1] ?? 0, this.#ends[block] ?? 0)
  }
}

/** Cached rows per access filter, until a row is assigned to another document. */
export class VisibleRowsCache {
  readonly #known = new Map<Uint8Array, ChosenRows>()

  /** Includes the readable lists, which their creator may have released. */
  get memoryBytes(): number {
    let bytes = 0
    for (const [readable, chosen] of this.#known) bytes += readable.byteLength + chosen.bytes
    return bytes
  }

  of(readable: Uint8Array, documents: Int32Array, end: number): ChosenRows {
    const known = this.#known.get(readable)
    if (known !== undefined) return known
    if (this.#known.size >= MAX_READERS) this.#known.clear()
    const chosen = new ChosenRows(documents, end, readable)
    this.#known.set(readable, chosen)
    return chosen
  }

  forget(): void {
    if (this.#known.size > 0) this.#known.clear()
  }
}
