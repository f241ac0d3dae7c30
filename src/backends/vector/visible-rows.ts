import { BLOCK_ROWS } from './block-memory.js'

/** Of so many kinds of readers is kept what was found out for them; there are rarely more at a time. */
export const MAX_READERS = 8

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

  get bytes(): number {
    return this.#rows.byteLength + this.#ends.byteLength
  }

  in(block: number): Uint8Array {
    return this.#rows.subarray(this.#ends[block - 1] ?? 0, this.#ends[block] ?? 0)
  }
}

/** What was chosen for readers, by what they may read, until any row belongs to another document. */
export class VisibleRowsCache {
  readonly #known = new Map<Uint8Array, ChosenRows>()

  /** With the lists that say what may be read: whoever made them may have let them go. */
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
