import { MemoryError } from '../../errors.js'
import type { VectorCodes } from './codes.js'
import { SCAN_BYTES } from './scan-bytes.js'

interface ScanExports {
  scan(query: number, rows: number, count: number, dimensions: number, out: number): void
  gather(query: number, rows: number, slots: number, count: number, dimensions: number, out: number): void
  exact(query: number, high: number, low: number, dimensions: number): number
  decode(high: number, low: number, dimensions: number, scale: number, out: number): void
}

/** Rows of one block. A unit that needs one row takes a whole block, so blocks are small. */
export const BLOCK_ROWS = 256

const PAGE = 65_536
const MAX_PAGES = 65_536
const GROWTH_PAGES = 16

let compiled: WebAssembly.Module | undefined

interface Views {
  readonly memory: WebAssembly.Memory
  readonly kernel: ScanExports
  readonly query: Int16Array
  readonly scores: Int32Array
  readonly chosen: Uint32Array
  /** One vector with all its bits. */
  readonly whole: Float32Array
  readonly bytes: Int8Array
}

/**
 * Vectors of all units in one WebAssembly memory, because a process gets only some thousand memories. A block holds the
 * upper bytes of its rows first, which a scan reads, then the lower ones, which make a score exact.
 */
export class BlockMemory {
  readonly dimensions: number
  readonly blockBytes: number
  readonly #width: number
  readonly #plane: number
  readonly #blocksAt: number
  #views: Views | undefined
  #free: number[] = []
  #end = 0

  constructor(dimensions: number) {
    if (!Number.isInteger(dimensions) || dimensions < 1)
      throw new MemoryError('invalid_input', `Vectors need a positive whole number of dimensions, not ${dimensions}.`)
    this.dimensions = dimensions
    this.#width = Math.ceil(dimensions / 16) * 16
    this.#plane = BLOCK_ROWS * this.#width
    this.blockBytes = 2 * this.#plane
    this.#blocksAt = 6 * this.#width + 8 * BLOCK_ROWS
  }

  /** Bytes that the memory takes now, lent or not. */
  get heldBytes(): number {
    return this.#views?.memory.buffer.byteLength ?? 0
  }

  lend(): number {
    const block = this.#free.pop() ?? this.#end
    if (block === this.#end) {
      this.#reserve(this.#blocksAt + (block + 1) * this.blockBytes)
      this.#end++
    }
    return block
  }

  /** Makes room for so many rows more at once: growing step by step makes the collector of garbage run at every step. */
  expect(rows: number): void {
    const blocks = Math.ceil(rows / BLOCK_ROWS) - this.#free.length
    const needed = this.#blocksAt + (this.#end + blocks) * this.blockBytes
    // A count that cannot be right is no reason to fail.
    if (blocks > 0 && needed <= MAX_PAGES * PAGE) this.#reserve(needed)
  }

  /** WebAssembly memory never shrinks: when nothing of it is lent any more, the whole of it is let go. */
  giveBack(blocks: readonly number[]): void {
    this.#free.push(...blocks)
    if (this.#free.length < this.#end) return
    this.#free = []
    this.#end = 0
    this.#views = undefined
  }

  write(block: number, row: number, { high, low }: VectorCodes): void {
    const { bytes } = this.#opened()
    const at = this.#addressOf(block, row)
    bytes.set(high, at)
    bytes.set(low, at + this.#plane)
  }

  /** Must be called in the same turn as the scans that use it: searches share this one place. */
  setQuery(codes: Int16Array): void {
    this.#opened().query.set(codes)
  }

  /** Products of the query with the upper bytes of the first rows of a block. The next scan overwrites them. */
  scan(block: number, count: number): Int32Array {
    const { kernel, scores } = this.#opened()
    kernel.scan(0, this.#addressOf(block, 0), count, this.#width, 2 * this.#width)
    return scores
  }

  /** The same of these rows alone, in their order: what is not read costs nothing. */
  scanChosen(block: number, rows: Uint8Array): Int32Array {
    const { kernel, scores, chosen } = this.#opened()
    const out = 2 * this.#width
    chosen.set(rows)
    kernel.gather(0, this.#addressOf(block, 0), out + 4 * BLOCK_ROWS, rows.length, this.#width, out)
    return scores
  }

  /** The product with all bits of a row, to be multiplied by its scale. */
  exact(query: Float32Array, block: number, row: number): number {
    const { kernel, whole } = this.#opened()
    whole.set(query)
    const high = this.#addressOf(block, row)
    return kernel.exact(whole.byteOffset, high, high + this.#plane, this.dimensions)
  }

  read(block: number, row: number, scale: number, into: Float32Array): void {
    const { kernel, whole } = this.#opened()
    const high = this.#addressOf(block, row)
    kernel.decode(high, high + this.#plane, this.dimensions, scale, whole.byteOffset)
    into.set(whole)
  }

  #addressOf(block: number, row: number): number {
    return this.#blocksAt + block * this.blockBytes + row * this.#width
  }

  #reserve(needed: number): void {
    const held = this.heldBytes
    if (needed <= held) return
    const pages = Math.ceil(needed / PAGE)
    if (pages > MAX_PAGES)
      throw new MemoryError('too_large', 'The vectors of this store do not fit into the memory of one process.', {
        hint: 'Use the PostgreSQL backend for stores of this size.',
      })
    const memory = this.#views?.memory
    if (memory === undefined) this.#views = this.#viewsOf(new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES }))
    else {
      memory.grow(Math.min(MAX_PAGES - held / PAGE, Math.max(pages - held / PAGE, GROWTH_PAGES, Math.ceil(held / PAGE / 8))))
      this.#views = this.#viewsOf(memory)
    }
  }

  /** Growing detaches the buffer, so every view is made anew with it. */
  #viewsOf(memory: WebAssembly.Memory): Views {
    compiled ??= new WebAssembly.Module(Buffer.from(SCAN_BYTES, 'base64'))
    return {
      memory,
      kernel: this.#views?.kernel ?? new WebAssembly.Instance<ScanExports>(compiled, { env: { memory } }).exports,
      query: new Int16Array(memory.buffer, 0, this.#width),
      scores: new Int32Array(memory.buffer, 2 * this.#width, BLOCK_ROWS),
      chosen: new Uint32Array(memory.buffer, 2 * this.#width + 4 * BLOCK_ROWS, BLOCK_ROWS),
      whole: new Float32Array(memory.buffer, 2 * this.#width + 8 * BLOCK_ROWS, this.dimensions),
      bytes: new Int8Array(memory.buffer),
    }
  }

  #opened(): Views {
    if (this.#views === undefined) throw new MemoryError('internal', 'No block of vectors is lent.')
    return this.#views
  }
}
