import { hashAt, TERM_BYTES } from '../../core/text/term-bag.js'
import type { BytePart } from '../byte-part.js'
import { grow, int32, uint8 } from '../columns.js'
import { TermTable } from './term-table.js'

const NO_ENTRY = -1
/** Entries moved between yields, a few milliseconds. */
const SLICE_SIZE = 15_000
/** The same for entries moved to a known position. */
const LOAD_SLICE = 250_000

/** Typical number of distinct terms of a short note. */
const USUAL_TERMS = 12

export interface PostingList {
  readonly first: number
  /** Number of entries, including dead documents. */
  readonly length: number
  readonly next: Int32Array
  readonly slots: Int32Array
  readonly titles: Uint8Array
  readonly heads: Uint8Array
  readonly texts: Uint8Array
}

/** Term counts per document. Entries of one term form a chain; `compact` makes each chain contiguous for sequential reads. */
export class Postings {
  #terms = new TermTable()
  #head = int32()
  #next = int32()
  #slot = int32()
  #title = uint8()
  #headCount = uint8()
  #text = uint8()
  #counts = int32()
  #size = 0
  #compacted = 0
  #loading = false

  get size(): number {
    return this.#size
  }

  get memoryBytes(): number {
    return this.#size * 11 + this.#terms.memoryBytes + this.#terms.size * 8
  }

  /** True after many additions since the last compaction. */
  get fragmented(): boolean {
    return this.#size - this.#compacted > Math.max(50_000, this.#compacted)
  }

  #makeRoom(entries: number): void {
    grow([this.#next, this.#slot, this.#title, this.#headCount, this.#text], entries)
  }

  /** Inlined typed-array code: most of a first search is spent here, before it is compiled. */
  add(slot: number, { whole: packed, from, to }: BytePart): { readonly own: number; readonly text: number } {
    let own = 0
    let textLength = 0
    const count = Math.floor((to - from) / TERM_BYTES)
    if (this.#size + count > this.#next.values.length) this.#makeRoom(this.#size + count)
    // Every term may be new.
    grow([this.#head, this.#counts], this.#terms.size + count)
    const [next, slots, titles, heads, texts] = [
      this.#next.values,
      this.#slot.values,
      this.#title.values,
      this.#headCount.values,
      this.#text.values,
    ]
    const [first, counts] = [this.#head.values, this.#counts.values]
    for (let i = 0, index = from; i < count; i++, index += TERM_BYTES) {
      const known = this.#terms.size
      const term = this.#terms.add(hashAt(packed, index))
      if (term === known) first[term] = NO_ENTRY
      const entry = this.#size++
      const title = packed[index + 4] as number
      const head = packed[index + 5] as number
      const text = packed[index + 6] as number
      // During a load, the term takes the place of the chain link.
      next[entry] = this.#loading ? term : (first[term] as number)
      first[term] = entry
      counts[term] = (counts[term] as number) + 1
      slots[entry] = slot
      titles[entry] = title
      heads[entry] = head
      texts[entry] = text
      own += title + head + text
      textLength += text
    }
    return { own, text: textLength }
  }

  /** The chain of a term for an inlined loop: starts at `first`, continues with `next`, ends at -1. */
  chain(hash: number): PostingList {
    const term = this.#terms.numberOf(hash)
    return {
      first: term === NO_ENTRY ? NO_ENTRY : (this.#head.values[term] ?? NO_ENTRY),
      length: term === NO_ENTRY ? 0 : (this.#counts.values[term] ?? 0),
      next: this.#next.values,
      slots: this.#slot.values,
      titles: this.#title.values,
      heads: this.#headCount.values,
      texts: this.#text.values,
    }
  }

  /** Until `endLoad`, entries are only collected; no reads in between. */
  beginLoad(documents: number): void {
    this.#loading = true
    this.#makeRoom(documents * USUAL_TERMS)
  }

  /** Makes the entries of each term contiguous, in two passes: counts are known, so each entry is moved once. Yields regularly. */
  *endLoad(): Generator<void> {
    const size = this.#size
    const [terms, slots, titles, heads, texts] = [
      this.#next.values,
      this.#slot.values,
      this.#title.values,
      this.#headCount.values,
      this.#text.values,
    ]
    const place = new Int32Array(this.#terms.size)
    for (let term = 0, index = 0; term < place.length; term++) {
      place[term] = index
      this.#head.values[term] = index
      index += this.#counts.values[term] ?? 0
    }
    const room = size + 1024
    const next = new Int32Array(room)
    const [slot, title, head, text] = [new Int32Array(room), new Uint8Array(room), new Uint8Array(room), new Uint8Array(room)]
    for (let entry = 0; entry < size; entry++) {
      const term = terms[entry] as number
      const index = place[term] as number
      place[term] = index + 1
      next[index] = index + 1
      slot[index] = slots[entry] as number
      title[index] = titles[entry] as number
      head[index] = heads[entry] as number
      text[index] = texts[entry] as number
      if (entry % LOAD_SLICE === LOAD_SLICE - 1) yield
    }
    for (const end of place) next[end - 1] = NO_ENTRY
    this.#next.values = next
    this.#slot.values = slot
    this.#title.values = title
    this.#headCount.values = head
    this.#text.values = text
    this.#compacted = size
    this.#loading = false
  }

  /**
   * Rewrites the chains without gaps and dead documents. Yields regularly; nothing changes before the last step, and nothing may be added
   * in between.
   */
  *compact(isLive: (slot: number) => boolean): Generator<void> {
    const size = this.#size + 1024
    const slot = new Int32Array(size)
    const next = new Int32Array(size)
    const title = new Uint8Array(size)
    const head = new Uint8Array(size)
    const text = new Uint8Array(size)
    const firsts = new Int32Array(this.#head.values.length)
    const counts = new Int32Array(this.#counts.values.length)
    let index = 0
    let pause = SLICE_SIZE
    for (let term = 0; term < this.#terms.size; term++) {
      const start = index
      for (let entry = this.#head.values[term] ?? NO_ENTRY; entry !== NO_ENTRY; entry = this.#next.values[entry] ?? NO_ENTRY) {
        const owner = this.#slot.values[entry] ?? 0
        if (!isLive(owner)) continue
        slot[index] = owner
        next[index] = index + 1
        title[index] = this.#title.values[entry] ?? 0
        head[index] = this.#headCount.values[entry] ?? 0
        text[index] = this.#text.values[entry] ?? 0
        index++
      }
      firsts[term] = index === start ? NO_ENTRY : start
      if (index > start) next[index - 1] = NO_ENTRY
      counts[term] = index - start
      if (index > pause) {
        pause = index + SLICE_SIZE
        yield
      }
    }
    this.#slot.values = slot
    this.#next.values = next
    this.#title.values = title
    this.#headCount.values = head
    this.#text.values = text
    this.#head.values = firsts
    this.#counts.values = counts
    this.#size = index
    this.#compacted = index
  }
}
