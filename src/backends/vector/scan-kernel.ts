import { MemoryError } from '../../errors.js'
import { SCAN_BYTES } from './scan-bytes.js'

interface ScanExports {
  scan(query: number, rows: number, count: number, dimensions: number, out: number): void
  gather(query: number, rows: number, slots: number, count: number, dimensions: number, out: number): void
}

/** 8-bit rows in WebAssembly memory, addressed by slot, and dot products over them. */
export interface ScanKernel {
  /** How many rows one call may score: few enough that the call stays well under 10 ms. */
  readonly sliceRows: number
  memoryBytes(): number
  reserve(rows: number): void
  write(slot: number, codes: Int8Array): void
  /** Must be called in the same turn as the scans that use it: searches share this one place. */
  setQuery(codes: Int16Array): void
  /** Products for `count` slots from `first`. The view is overwritten by the next call. */
  scan(first: number, count: number): Int32Array
  gather(slots: Uint32Array): Int32Array
}

const PAGE = 65_536
const MAX_PAGES = 65_536
const SLICE_BYTES = 24 * 1024 * 1024
const MAX_SLICE_ROWS = 65_536
const MIN_GROWTH_PAGES = 64

let compiled: WebAssembly.Module | undefined

export function createScanKernel(dimensions: number): ScanKernel {
  const width = Math.ceil(dimensions / 16) * 16
  const sliceRows = Math.max(1024, Math.min(MAX_SLICE_ROWS, Math.floor(SLICE_BYTES / width)))
  const queryAt = 0
  const scoresAt = width * 2
  const slotsAt = scoresAt + sliceRows * 4
  const rowsAt = slotsAt + sliceRows * 4

  const memory = new WebAssembly.Memory({ initial: Math.ceil(rowsAt / PAGE), maximum: MAX_PAGES })
  compiled ??= new WebAssembly.Module(Buffer.from(SCAN_BYTES, 'base64'))
  const { scan, gather } = new WebAssembly.Instance<ScanExports>(compiled, { env: { memory } }).exports

  // Growing detaches the buffer, so every view is made anew with it.
  let views = viewsOf(memory.buffer)
  function viewsOf(buffer: ArrayBuffer) {
    return {
      query: new Int16Array(buffer, queryAt, width),
      scores: new Int32Array(buffer, scoresAt, sliceRows),
      slots: new Uint32Array(buffer, slotsAt, sliceRows),
      rows: new Int8Array(buffer, rowsAt),
    }
  }

  return {
    sliceRows,
    memoryBytes: () => memory.buffer.byteLength,
    reserve(rows) {
      const needed = rowsAt + rows * width
      const held = memory.buffer.byteLength
      if (needed <= held) return
      const room = MAX_PAGES - held / PAGE
      const least = Math.ceil((needed - held) / PAGE)
      if (least > room) {
        throw new MemoryError('too_large', `The vector index in memory cannot hold ${rows} rows of ${dimensions} dimensions.`, {
          hint: 'Use the PostgreSQL backend for stores of this size.',
        })
      }
      memory.grow(Math.min(room, Math.max(least, MIN_GROWTH_PAGES, Math.ceil(held / PAGE / 2))))
      views = viewsOf(memory.buffer)
    },
    write(slot, codes) {
      views.rows.set(codes, slot * width)
    },
    setQuery(codes) {
      views.query.set(codes)
    },
    scan(first, count) {
      scan(queryAt, rowsAt + first * width, count, width, scoresAt)
      return views.scores
    },
    gather(slots) {
      views.slots.set(slots)
      gather(queryAt, rowsAt, slotsAt, slots.length, width, scoresAt)
      return views.scores
    },
  }
}
