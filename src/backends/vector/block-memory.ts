import { MemoryError } from '../../errors.js'
import { BytePart } from '../byte-part.js'
import type { VectorCodes } from './codes.js'
import { SCAN_BYTES } from './scan-bytes.js'

interface ScanExports {
  scan(query: number, rows: number, count: number, dimensions: number, out: number): void
  gather(query: number, rows: number, slots: number, count: number, dimensions: number, out: number): void
  exact(query: number, high: number, low: number, dimensions: number): number
  decode(high: number, low: number, dimensions: number, scale: number, out: number): void
  above(products: number, scales: number, slots: number, count: number, min: number, found: number, scores: number): number
}

/** Rows per block. A shard with one row takes a whole block, so blocks are small. */
export const BLOCK_ROWS = 256

const WASM_PAGE_BYTES = 65_536
const MAX_PAGES = 65_536
const GROWTH_PAGES = 16

let compiled: WebAssembly.Module | undefined

/** Stored codes: the upper bytes, then the lower ones, within a longer array. */
export interface StoredCodes {
  readonly part: BytePart
  readonly scale: number
}

/** Stored rows copied into the memory at once, before each is moved to its place. */
const STAGED_ROWS = 128

interface Views {
  readonly memory: WebAssembly.Memory
  readonly kernel: ScanExports
  /** The query of a scan. */
  readonly query: Int16Array
  readonly products: Int32Array
  readonly chosen: Uint32Array
  /** Rows found by a scan, and their scores. */
  readonly found: Uint32Array
  readonly scores: Float64Array
  /** One vector in full precision. */
  readonly whole: Float32Array
  readonly bytes: Int8Array
  readonly scales: Float64Array
}

/** The result of a scan: the first `count` entries. The next scan overwrites them. */
export interface FoundRow {
  readonly count: number
  readonly rows: Uint32Array
  readonly scores: Float64Array
}

/**
 * Vectors of all shards in one WebAssembly memory, because a process can have only some thousand memories. A block contains the upper bytes
 * of its rows, which a scan reads, then the lower ones, which make a score exact, then the scales.
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
  readonly #stageAt: number
  /** The staged bytes. */
  #staged: BytePart | undefined

  constructor(dimensions: number) {
    if (!Number.isInteger(dimensions) || dimensions < 1)
      throw new MemoryError('invalid_input', `Vectors need a positive whole number of dimensions, not ${dimensions}.`)
    this.dimensions = dimensions
    this.#width = Math.ceil(dimensions / 16) * 16
    this.#plane = BLOCK_ROWS * this.#width
    this.blockBytes = 2 * this.#plane + 8 * BLOCK_ROWS
    this.#stageAt = 6 * this.#width + 20 * BLOCK_ROWS
    this.#blocksAt = this.#stageAt + STAGED_ROWS * 2 * this.#width
  }

  /** Bytes of the memory, in use or not. */
  get heldBytes(): number {
    return this.#views?.memory.buffer.byteLength ?? 0
  }

  allocateBlock(): number {
    const block = this.#free.pop() ?? this.#end
    if (block === this.#end) {
      this.#reserve(this.#blocksAt + (block + 1) * this.blockBytes)
      this.#end++
    }
    return block
  }

  /** Reserves rows: growing step by step triggers a garbage collection at every step. */
  expect(rows: number): void {
    const blocks = Math.ceil(rows / BLOCK_ROWS) - this.#free.length
    const needed = this.#blocksAt + (this.#end + blocks) * this.blockBytes
    // A wrong count must not cause a failure.
    if (blocks > 0 && needed <= MAX_PAGES * WASM_PAGE_BYTES) this.#reserve(needed)
  }

  /** WebAssembly memory never shrinks, so it is released when no block is in use. */
  freeBlocks(blocks: readonly number[]): void {
    this.#free.push(...blocks)
    if (this.#free.length < this.#end) return
    this.#free = []
    this.#end = 0
    this.#views = undefined
    this.#staged = undefined
  }

  write(block: number, row: number, { high, low, scale }: VectorCodes): void {
    const { bytes, scales } = this.#opened()
    const index = this.#addressOf(block, row)
    bytes.set(high, index)
    bytes.set(low, index + this.#plane)
    scales[this.#scalesOf(block) / 8 + row] = scale
  }

  /** The same for stored codes: adjacent ones are copied together, which is three times faster. */
  writeStored(block: number, row: number, { part, scale }: StoredCodes): void {
    const { bytes, scales } = this.#opened()
    const from = this.#stage(part)
    const index = this.#addressOf(block, row)
    bytes.copyWithin(index, from, from + this.dimensions)
    bytes.copyWithin(index + this.#plane, from + this.dimensions, from + 2 * this.dimensions)
    scales[this.#scalesOf(block) / 8 + row] = scale
  }

  #stage(part: BytePart): number {
    const staged = this.#staged
    if (staged?.whole === part.whole && part.from >= staged.from && part.to <= staged.to) return this.#stageAt + part.from - staged.from
    const to = Math.min(part.whole.length, part.from + STAGED_ROWS * 2 * this.#width)
    this.#opened().bytes.set(part.whole.subarray(part.from, to), this.#stageAt)
    this.#staged = new BytePart(part.whole, part.from, to)
    return this.#stageAt
  }

  /** Must run in the same turn as the scans: all searches share the query buffer. */
  setQuery(codes: Int16Array): void {
    // Staged bytes are not needed during searches.
    this.#staged = undefined
    this.#opened().query.set(codes)
  }

  /** Rows among the first `count` of a block whose score by upper bytes is at least `least`. */
  scan(block: number, count: number, min: number): FoundRow {
    const { kernel, query, products } = this.#opened()
    kernel.scan(query.byteOffset, this.#addressOf(block, 0), count, this.#width, products.byteOffset)
    return this.#above(block, 0, count, min)
  }

  /** The same for some rows only; the others are not read. */
  scanChosen(block: number, rows: Uint8Array, min: number): FoundRow {
    const { kernel, query, products, chosen } = this.#opened()
    chosen.set(rows)
    kernel.gather(query.byteOffset, this.#addressOf(block, 0), chosen.byteOffset, rows.length, this.#width, products.byteOffset)
    return this.#above(block, chosen.byteOffset, rows.length, min)
  }

  #above(block: number, slots: number, looked: number, min: number): FoundRow {
    const { kernel, products, found, scores } = this.#opened()
    const node = [found.byteOffset, scores.byteOffset] as const
    return { count: kernel.above(products.byteOffset, this.#scalesOf(block), slots, looked, min, ...node), rows: found, scores }
  }

  /** The exact product with a row. */
  exact(query: Float32Array, block: number, row: number): number {
    const { kernel, whole } = this.#opened()
    whole.set(query)
    const high = this.#addressOf(block, row)
    return kernel.exact(whole.byteOffset, high, high + this.#plane, this.dimensions) * this.#scaleOf(block, row)
  }

  read(block: number, row: number, into: Float32Array): void {
    const { kernel, whole } = this.#opened()
    const high = this.#addressOf(block, row)
    kernel.decode(high, high + this.#plane, this.dimensions, this.#scaleOf(block, row), whole.byteOffset)
    into.set(whole)
  }

  #scaleOf(block: number, row: number): number {
    return this.#opened().scales[this.#scalesOf(block) / 8 + row] ?? 0
  }

  #scalesOf(block: number): number {
    return this.#addressOf(block, 0) + 2 * this.#plane
  }

  #addressOf(block: number, row: number): number {
    return this.#blocksAt + block * this.blockBytes + row * this.#width
  }

  #reserve(needed: number): void {
    const held = this.heldBytes
    if (needed <= held) return
    const pages = Math.ceil(needed / WASM_PAGE_BYTES)
    if (pages > MAX_PAGES)
      throw new MemoryError('too_large', 'The vectors of this store do not fit into the memory of one process.', {
        hint: 'Use the PostgreSQL backend for stores of this size.',
      })
    const memory = this.#views?.memory
    if (memory === undefined) this.#views = this.#viewsOf(new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES }))
    else {
      memory.grow(
        Math.min(
          MAX_PAGES - held / WASM_PAGE_BYTES,
          Math.max(pages - held / WASM_PAGE_BYTES, GROWTH_PAGES, Math.ceil(held / WASM_PAGE_BYTES / 8)),
        ),
      )
      this.#views = this.#viewsOf(memory)
    }
  }

  /** Growing detaches the buffer, so all views are recreated. */
  #viewsOf(memory: WebAssembly.Memory): Views {
    compiled ??= new WebAssembly.Module(Buffer.from(SCAN_BYTES, 'base64'))
    return {
      memory,
      kernel: this.#views?.kernel ?? new WebAssembly.Instance<ScanExports>(compiled, { env: { memory } }).exports,
      query: new Int16Array(memory.buffer, 0, this.#width),
      products: new Int32Array(memory.buffer, 2 * this.#width, BLOCK_ROWS),
      chosen: new Uint32Array(memory.buffer, 2 * this.#width + 4 * BLOCK_ROWS, BLOCK_ROWS),
      found: new Uint32Array(memory.buffer, 2 * this.#width + 8 * BLOCK_ROWS, BLOCK_ROWS),
      scores: new Float64Array(memory.buffer, 2 * this.#width + 12 * BLOCK_ROWS, BLOCK_ROWS),
      whole: new Float32Array(memory.buffer, 2 * this.#width + 20 * BLOCK_ROWS, this.dimensions),
      bytes: new Int8Array(memory.buffer),
      scales: new Float64Array(memory.buffer),
    }
  }

  #opened(): Views {
    if (this.#views === undefined) throw new MemoryError('internal', 'No block of vectors is in use.')
    return this.#views
  }
}
