import { BLOCK_ROWS } from './block-memory.js'

/** Rows of the documents that one reader may see, block by block: a byte says where in its block a row is. */
class ChosenRows {
  readonly #rows: Uint8Array
  readonly #ends: Int32Array

  /** @param documents The document of each row, below 0 where there is none. */
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

  in(block: number): Uint8Array {
    return this.#rows.subarray(this.#ends[block - 1] ?? 0, this.#ends[block] ?? 0)
  }
}

/** What was chosen for readers, by what they may read, until any row belongs to another document. */
export class RowsByReader {
  #known = new WeakMap<Uint8Array, ChosenRows>()
  #isEmpty = true

  of(readable: Uint8Array, documents: Int32Array, end: number): ChosenRows {
    const chosen = this.#known.get(readable) ?? new ChosenRows(documents, end, readable)
    this.#known.set(readable, chosen)
    this.#isEmpty = false
    return chosen
  }

  forget(): void {
    if (this.#isEmpty) return
    this.#known = new WeakMap()
    this.#isEmpty = true
  }
}
