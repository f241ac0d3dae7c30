import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../errors.js'
import { type Quantised, quantise, quantiseQuery } from './quantise.js'
import { type RowAttributes, type RowFilter, RowTable } from './row-table.js'
import { createScanKernel } from './scan-kernel.js'
import { type Hit, TopHits } from './top-hits.js'

export { type Quantised, quantise } from './quantise.js'
export type { RowAttributes, RowFilter } from './row-table.js'

/** Best first; a score approximates the dot product, which for unit vectors is the cosine. */
export interface SearchResult {
  readonly rids: readonly number[]
  readonly scores: readonly number[]
}

/**
 * A resident copy of vectors in 8 bits, scanned in full by SIMD. Scores carry the rounding of the rows, so a caller who
 * needs the exact order asks for about four times as many and rescores them with the stored vectors.
 */
export interface Int8Index {
  readonly dimensions: number
  readonly size: number
  readonly memoryBytes: number
  has(rid: number): boolean
  /** Adds the row or replaces its vector and attributes. */
  put(rid: number, vector: Float32Array | Quantised, attributes: RowAttributes): void
  putCodes(rid: number, codes: Int8Array, scale: number, attributes: RowAttributes): void
  /** False if there is no such row. */
  setAttributes(rid: number, attributes: RowAttributes): boolean
  remove(rid: number): boolean
  clear(): void
  /**
   * Yields to the event loop between slices. Rows put or removed meanwhile may or may not count; every returned row is
   * present and passes the filter at the end.
   */
  search(query: Float32Array, limit: number, filter?: RowFilter): Promise<SearchResult>
}

const RESCANS = 2
/** Below this share of all rows, fetching an owner's rows one by one beats scanning past the others. */
const NARROW = 1 / 4

export function createInt8Index(dimensions: number): Int8Index {
  if (!Number.isInteger(dimensions) || dimensions < 1) {
    throw new MemoryError('invalid_input', `A vector index needs a positive whole number of dimensions, not ${dimensions}.`)
  }
  let kernel = createScanKernel(dimensions)
  const table = new RowTable()
  let mutations = 0
  let clears = 0

  function checkLength(length: number): void {
    if (length === dimensions) return
    throw new MemoryError('invalid_input', `A vector of ${length} dimensions does not fit an index of ${dimensions}.`, {
      hint: 'The vectors come from another embedding model: run `mneme reindex`.',
    })
  }

  function putCodes(rid: number, codes: Int8Array, scale: number, attributes: RowAttributes): void {
    checkLength(codes.length)
    const known = table.slotOf(rid)
    // Memory first: a failure to grow must leave no row without a vector.
    kernel.reserve((known ?? table.nextSlot()) + 1)
    const slot = known ?? table.claim(rid, attributes)
    if (known !== undefined) table.setAttributes(known, attributes)
    kernel.write(slot, codes)
    table.setScale(slot, scale)
    mutations++
  }

  async function scanOnce(query: Int16Array, limit: number, filter: RowFilter): Promise<Hit[]> {
    const top = new TopHits(limit)
    const owned = filter.owner === undefined ? undefined : table.ownedBy(filter.owner)
    const narrow = owned && owned.length < table.size * NARROW ? owned.slice() : undefined
    const end = narrow ? narrow.length : table.end
    const clearsBefore = clears
    for (let first = 0; first < end; first += kernel.sliceRows) {
      if (first > 0) await setImmediate()
      if (clears !== clearsBefore) break
      const count = Math.min(kernel.sliceRows, end - first)
      const slots = narrow?.subarray(first, first + count)
      kernel.setQuery(query)
      collect(slots ? kernel.gather(slots) : kernel.scan(first, count), { first, count, slots }, { top, filter })
    }
    return top.best()
  }

  function collect(
    products: Int32Array,
    slice: { first: number; count: number; slots: Uint32Array | undefined },
    into: { top: TopHits; filter: RowFilter },
  ): void {
    const { first, count, slots } = slice
    const scales = table.scales
    let threshold = into.top.threshold
    for (let i = 0; i < count; i++) {
      const slot = slots ? (slots[i] ?? 0) : first + i
      const score = (products[i] ?? 0) * (scales[slot] ?? 0)
      if (score < threshold || !table.passes(slot, into.filter)) continue
      into.top.offer({ score, rid: table.ridAt(slot), slot })
      threshold = into.top.threshold
    }
  }

  /** Hits that writes since their slice have not touched, or that still hold with their present vector. */
  function settle(hits: readonly Hit[], query: Int16Array, filter: RowFilter): Hit[] {
    const top = new TopHits(hits.length)
    const held = hits.filter((hit) => table.slotOf(hit.rid) === hit.slot)
    for (let first = 0; first < held.length; first += kernel.sliceRows) {
      const slots = Uint32Array.from(held.slice(first, first + kernel.sliceRows), (hit) => hit.slot)
      kernel.setQuery(query)
      collect(kernel.gather(slots), { first: 0, count: slots.length, slots }, { top, filter })
    }
    return top.best()
  }

  return {
    dimensions,
    get size() {
      return table.size
    },
    get memoryBytes() {
      return kernel.memoryBytes() + table.memoryBytes
    },
    has: (rid) => table.slotOf(rid) !== undefined,
    put(rid, vector, attributes) {
      const { codes, scale } = vector instanceof Float32Array ? quantise(vector) : vector
      putCodes(rid, codes, scale, attributes)
    },
    putCodes,
    setAttributes(rid, attributes) {
      const slot = table.slotOf(rid)
      if (slot === undefined) return false
      table.setAttributes(slot, attributes)
      mutations++
      return true
    },
    remove(rid) {
      mutations++
      return table.release(rid)
    },
    clear() {
      mutations++
      clears++
      table.clear()
      // WebAssembly memory never shrinks; a new one lets the old be collected.
      kernel = createScanKernel(dimensions)
    },
    async search(query, limit, filter = {}) {
      checkLength(query.length)
      const { codes, scale } = quantiseQuery(query)
      for (let rescans = 0; ; rescans++) {
        const before = mutations
        let hits = await scanOnce(codes, limit, filter)
        if (mutations !== before) {
          const settled = settle(hits, codes, filter)
          // A hit that vanished leaves a place that a row passed over before should have.
          if (settled.length < hits.length && rescans < RESCANS) continue
          hits = settled
        }
        return { rids: hits.map((hit) => hit.rid), scores: hits.map((hit) => hit.score * scale) }
      }
    },
  }
}
