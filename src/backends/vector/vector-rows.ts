import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../errors.js'
import { type Column, grow, int32 } from '../columns.js'
import { BLOCK_ROWS, type BlockMemory, type FoundRow, type StoredCodes } from './block-memory.js'
import type { VectorCodes } from './codes.js'
import { quantiseQuery } from './quantise.js'
import { type Hit, TopHits } from './top-hits.js'
import { VisibleRowsCache } from './visible-rows.js'

/** The piece of a document that a vector represents; absent for the whole. */
interface PieceSpan {
  readonly index: number
  readonly start: number
  readonly end: number
}

interface StretchScore {
  readonly start: number
  readonly end: number
  readonly cosine: number
}

/** Documents that may match, and the row numbers that order ties. */
export interface Candidates {
  /** 1 for documents that may match, if few do: only those are read. */
  readonly readable?: Uint8Array | undefined
  passes(document: number): boolean
  ridAt(document: number): number
}

/** `whole` compares documents by the vector of the complete text. */
export type VectorGranularity = 'best piece' | 'whole'

/** State of a scan. */
interface RowCollector {
  readonly top: TopHits
  /** A document may be found by several pieces: its best one counts at the end. */
  readonly inPieces: Map<number, number>
  readonly among: Candidates
  readonly by: VectorGranularity
}

const NO_ROW = -1
const WHOLE_TEXT_PIECE = -1
/** Blocks between yields, less than a millisecond. */
const SLICE_BLOCKS = 64
/** The scan reads upper bytes only and may misplace neighbours in rank, so more rows are rescored exactly. */
const toRescore = (limit: number): number => Math.ceil(limit * 1.5) + 32
const MAX_RESCANS = 2
/** Below this share of rows in a block, only those rows are read. */
const SPARSE_SHARE = 1 / 4

/** The vectors of one shard: rows in blocks of the shared memory. A document has a vector of its whole text and, if long, one per piece. */
export class VectorRows {
  readonly #memory: BlockMemory
  #blocks: number[] = []
  #free: number[] = []
  #end = 0
  /** By row: its document, its piece, and the next row of the document. */
  #document = int32()
  #piece = int32()
  #start = int32()
  #stop = int32()
  #next = int32()
  /** By document: its first row. */
  #first = int32()
  #documents = 0
  readonly #chosen = new VisibleRowsCache()

  constructor(memory: BlockMemory) {
    this.#memory = memory
  }

  get dimensions(): number {
    return this.#memory.dimensions
  }

  get memoryBytes(): number {
    const rows = this.#document.values.length * 20 + this.#first.values.length * 4
    return this.#blocks.length * this.#memory.blockBytes + rows + this.#chosen.memoryBytes
  }

  /** Reserves space for documents. */
  expect(documents: number): void {
    this.#memory.expect(documents)
    grow([this.#document, this.#piece, this.#start, this.#stop, this.#next, this.#first], documents)
  }

  /** Adds or replaces the vector of a document or piece. */
  put(document: number, codes: VectorCodes, piece?: PieceSpan): void {
    const row = this.#rowFor(document, piece)
    this.#memory.write(this.#blockOf(row), row % BLOCK_ROWS, codes)
  }

  /** The same for stored codes of the whole document. */
  putStored(document: number, codes: StoredCodes): void {
    const row = this.#rowFor(document)
    this.#memory.writeStored(this.#blockOf(row), row % BLOCK_ROWS, codes)
  }

  #rowFor(document: number, piece?: PieceSpan): number {
    const index = piece?.index ?? WHOLE_TEXT_PIECE
    let row = this.#rowOf(document, index)
    if (row === NO_ROW) {
      row = this.#claim()
      this.#cover(document)
      this.#chosen.forget()
      this.#document.values[row] = document
      this.#piece.values[row] = index
      this.#next.values[row] = this.#first.values[document] ?? NO_ROW
      this.#first.values[document] = row
    }
    this.#start.values[row] = piece?.start ?? 0
    this.#stop.values[row] = piece?.end ?? 0
    return row
  }

  /** A changed document has a new number; its vectors stay. */
  move(from: number, to: number): void {
    const first = this.#firstOf(from)
    if (first === NO_ROW) return
    this.#cover(to)
    this.#chosen.forget()
    this.#first.values[to] = first
    this.#first.values[from] = NO_ROW
    for (let row = first; row !== NO_ROW; row = this.#next.values[row] ?? NO_ROW) this.#document.values[row] = to
  }

  remove(document: number): void {
    this.#chosen.forget()
    for (let row = this.#firstOf(document); row !== NO_ROW; row = this.#next.values[row] ?? NO_ROW) {
      this.#document.values[row] = NO_ROW
      this.#free.push(row)
    }
    if (document < this.#documents) this.#first.values[document] = NO_ROW
  }

  /** Removes the pieces of a document; the vector of the whole stays. False if there are none. */
  removePieces(document: number): boolean {
    this.#chosen.forget()
    const first = this.#firstOf(document)
    let whole = NO_ROW
    let found = false
    for (let row = first; row !== NO_ROW; ) {
      const next = this.#next.values[row] ?? NO_ROW
      if (this.#piece.values[row] === WHOLE_TEXT_PIECE) whole = row
      else {
        this.#document.values[row] = NO_ROW
        this.#free.push(row)
        found = true
      }
      row = next
    }
    if (whole !== NO_ROW) this.#next.values[whole] = NO_ROW
    if (first !== NO_ROW) this.#first.values[document] = whole
    return found
  }

  /** Releases the blocks. */
  release(): void {
    if (this.#blocks.length > 0) this.#memory.freeBlocks(this.#blocks)
    this.#blocks = []
    this.#free = []
    this.#end = 0
    this.#first.values.fill(NO_ROW)
    this.#chosen.forget()
  }

  has(document: number): boolean {
    return this.#rowOf(document, WHOLE_TEXT_PIECE) !== NO_ROW
  }

  /** Copies the vector of a whole document; false if it has none. */
  read(document: number, into: Float32Array): boolean {
    const row = this.#rowOf(document, WHOLE_TEXT_PIECE)
    if (row !== NO_ROW) this.#memory.read(this.#blockOf(row), row % BLOCK_ROWS, into)
    return row !== NO_ROW
  }

  /** The exact cosine of a document; undefined without a vector. */
  similarity(query: Float32Array, document: number, granularity: VectorGranularity = 'best piece'): number | undefined {
    let best: number | undefined
    for (let row = this.#firstOf(document); row !== NO_ROW; row = this.#next.values[row] ?? NO_ROW) {
      if (granularity === 'whole' && this.#piece.values[row] !== WHOLE_TEXT_PIECE) continue
      best = Math.max(best ?? -Infinity, this.#exact(query, row))
    }
    return best
  }

  /** Pieces of a document, in text order. */
  pieces(query: Float32Array, document: number): readonly StretchScore[] {
    const found: StretchScore[] = []
    for (let row = this.#firstOf(document); row !== NO_ROW; row = this.#next.values[row] ?? NO_ROW) {
      if (this.#piece.values[row] === WHOLE_TEXT_PIECE) continue
      found.push({ start: this.#start.values[row] ?? 0, end: this.#stop.values[row] ?? 0, cosine: this.#exact(query, row) })
    }
    return found.sort((a, b) => a.start - b.start)
  }

  /**
   * Passing documents by exact cosine, best first. Yields regularly; results are checked again at the end, and a document removed meanwhile
   * is replaced by the next.
   */
  async search(
    query: Float32Array,
    limit: number,
    among: Candidates,
    granularity: VectorGranularity = 'best piece',
  ): Promise<readonly Hit[]> {
    this.#check(query)
    for (let rescans = 0; ; rescans++) {
      const near = await this.#scan(query, toRescore(limit), among, granularity)
      const there = near.filter(({ slot }) => among.passes(slot))
      if (there.length < near.length && rescans < MAX_RESCANS) continue
      const top = new TopHits(limit)
      for (const { slot, rid } of there) {
        const score = this.similarity(query, slot, granularity)
        if (score !== undefined) top.offer({ score, rid, slot })
      }
      return top.best()
    }
  }

  async #scan(query: Float32Array, limit: number, among: Candidates, granularity: VectorGranularity): Promise<readonly Hit[]> {
    const { codes } = quantiseQuery(query)
    const top = new TopHits(limit)
    const inPieces = new Map<number, number>()
    for (let block = 0; block < this.#blocks.length; block++) {
      if (block > 0 && block % SLICE_BLOCKS === 0) await setImmediate()
      const index = this.#blocks[block]
      if (index === undefined) break
      if (block % SLICE_BLOCKS === 0) this.#memory.setQuery(codes)
      const first = block * BLOCK_ROWS
      const into = { top, inPieces, among, by: granularity }
      this.#collect(this.#near(index, first, top.threshold, among.readable), first, into)
    }
    for (const [slot, score] of inPieces) top.offer({ score, rid: among.ridAt(slot), slot })
    return top.best()
  }

  /** Candidate rows of a block, by upper bytes. Unreadable documents are skipped if they are the majority. */
  #near(block: number, first: number, min: number, readable: Uint8Array | undefined): FoundRow {
    const rows = Math.min(BLOCK_ROWS, this.#end - first)
    if (readable === undefined) return this.#memory.scan(block, rows, min)
    const chosen = this.#chosen.of(readable, this.#document.values, this.#end).in(Math.floor(first / BLOCK_ROWS))
    // Sequential reads are so much faster that skipping pays only if most rows are skipped.
    return chosen.length < rows * SPARSE_SHARE ? this.#memory.scanChosen(block, chosen, min) : this.#memory.scan(block, rows, min)
  }

  #collect(found: FoundRow, first: number, { top, inPieces, among, by: granularity }: RowCollector): void {
    const documents = this.#document.values
    for (let i = 0; i < found.count; i++) {
      const row = first + (found.rows[i] as number)
      const score = found.scores[i] as number
      if (score < top.threshold) continue
      const document = documents[row] as number
      if (document === NO_ROW || (granularity === 'whole' && this.#piece.values[row] !== WHOLE_TEXT_PIECE)) continue
      if ((among.readable !== undefined && among.readable[document] !== 1) || !among.passes(document)) continue
      if (granularity === 'whole' || this.#next.values[this.#firstOf(document)] === NO_ROW) {
        const rid = among.ridAt(document)
        if (top.takes(score, rid)) top.offer({ score, rid, slot: document })
      } else if (score > (inPieces.get(document) ?? -Infinity)) inPieces.set(document, score)
    }
  }

  #check(query: Float32Array): void {
    if (query.length === this.dimensions) return
    throw new MemoryError('invalid_input', `A vector of ${query.length} dimensions does not fit vectors of ${this.dimensions}.`, {
      hint: 'The vectors come from another embedding model: run `mneme reindex`.',
    })
  }

  #exact(query: Float32Array, row: number): number {
    this.#check(query)
    return this.#memory.exact(query, this.#blockOf(row), row % BLOCK_ROWS)
  }

  #firstOf(document: number): number {
    return document < this.#documents ? (this.#first.values[document] ?? NO_ROW) : NO_ROW
  }

  #rowOf(document: number, index: number): number {
    let row = this.#firstOf(document)
    while (row !== NO_ROW && this.#piece.values[row] !== index) row = this.#next.values[row] ?? NO_ROW
    return row
  }

  #blockOf(row: number): number {
    return this.#blocks[Math.floor(row / BLOCK_ROWS)] ?? 0
  }

  #claim(): number {
    const reused = this.#free.pop()
    if (reused !== undefined) return reused
    if (this.#end === this.#blocks.length * BLOCK_ROWS) this.#blocks.push(this.#memory.allocateBlock())
    const row = this.#end++
    const columns: readonly Column<Int32Array>[] = [this.#document, this.#piece, this.#start, this.#stop, this.#next]
    grow(columns, this.#end)
    return row
  }

  /** New documents have no rows. */
  #cover(document: number): void {
    if (document < this.#documents) return
    grow([this.#first], document + 1)
    this.#first.values.fill(NO_ROW, this.#documents, document + 1)
    this.#documents = document + 1
  }
}
