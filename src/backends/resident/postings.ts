import { eachTerm } from '../../core/term-bag.js'
import { grow, int32, uint8 } from '../columns.js'

const NONE = -1
/** Entries moved between two pauses: a few milliseconds. */
const SLICE = 15_000

export interface Chain {
  readonly first: number
  /** Entries in it, documents that are gone included. */
  readonly length: number
  readonly next: Int32Array
  readonly slots: Int32Array
  readonly titles: Uint8Array
  readonly heads: Uint8Array
  readonly texts: Uint8Array
}

/**
 * Which document holds which term how often. Entries of one term form a chain; `compact` puts each chain in one piece,
 * so that reading it is a walk through memory.
 */
export class Postings {
  #terms = new Map<number, number>()
  #head = int32()
  #next = int32()
  #slot = int32()
  #title = uint8()
  #headCount = uint8()
  #text = uint8()
  #counts = int32()
  #size = 0
  #compacted = 0

  get size(): number {
    return this.#size
  }

  get memoryBytes(): number {
    return this.#size * 11 + this.#terms.size * 56
  }

  /** Long additions since the last time make chains that jump about. */
  get fragmented(): boolean {
    return this.#size - this.#compacted > Math.max(50_000, this.#compacted)
  }

  add(slot: number, packed: Uint8Array): { readonly own: number; readonly text: number } {
    let own = 0
    let textLength = 0
    grow([this.#next, this.#slot, this.#title, this.#headCount, this.#text], this.#size + packed.length / 7)
    eachTerm(packed, (hash, title, head, text) => {
      const term = this.#termOf(hash)
      const entry = this.#size++
      this.#next.values[entry] = this.#head.values[term] ?? NONE
      this.#head.values[term] = entry
      this.#counts.values[term] = (this.#counts.values[term] ?? 0) + 1
      this.#slot.values[entry] = slot
      this.#title.values[entry] = title
      this.#headCount.values[entry] = head
      this.#text.values[entry] = text
      own += title + head + text
      textLength += text
    })
    return { own, text: textLength }
  }

  lengthsOf(packed: Uint8Array): { readonly own: number; readonly text: number } {
    let own = 0
    let textLength = 0
    eachTerm(packed, (_, title, head, text) => {
      own += title + head + text
      textLength += text
    })
    return { own, text: textLength }
  }

  #termOf(hash: number): number {
    const known = this.#terms.get(hash)
    if (known !== undefined) return known
    const term = this.#terms.size
    this.#terms.set(hash, term)
    grow([this.#head, this.#counts], term + 1)
    this.#head.values[term] = NONE
    return term
  }

  /**
   * The chain of a term as bare arrays, for the one loop that has no time for calls: start at `first`, go on with
   * `next`, end at -1.
   */
  chain(hash: number): Chain {
    const term = this.#terms.get(hash)
    return {
      first: term === undefined ? NONE : (this.#head.values[term] ?? NONE),
      length: term === undefined ? 0 : (this.#counts.values[term] ?? 0),
      next: this.#next.values,
      slots: this.#slot.values,
      titles: this.#title.values,
      heads: this.#headCount.values,
      texts: this.#text.values,
    }
  }

  /**
   * Fills empty postings with the terms of many documents at once: counts each term first, then puts its entries side by
   * side, so that no chain has to be put in order afterwards. Yields now and then.
   */
  *load(documents: readonly { readonly slot: number; readonly packed: Uint8Array }[]): Generator<void> {
    let pause = SLICE
    let seen = 0
    for (const { packed } of documents) {
      eachTerm(packed, (hash) => {
        const term = this.#termOf(hash)
        this.#counts.values[term] = (this.#counts.values[term] ?? 0) + 1
        seen++
      })
      if (seen > pause) {
        pause = seen + SLICE
        yield
      }
    }
    const place = new Int32Array(this.#terms.size)
    for (let term = 0, at = 0; term < place.length; term++) {
      place[term] = at
      this.#head.values[term] = at
      at += this.#counts.values[term] ?? 0
    }
    grow([this.#next, this.#slot, this.#title, this.#headCount, this.#text], seen)
    const [next, slots, titles, heads, texts] = [
      this.#next.values,
      this.#slot.values,
      this.#title.values,
      this.#headCount.values,
      this.#text.values,
    ]
    pause = SLICE
    let placed = 0
    for (const { slot, packed } of documents) {
      eachTerm(packed, (hash, title, head, text) => {
        const term = this.#terms.get(hash) ?? 0
        const entry = place[term] ?? 0
        place[term] = entry + 1
        slots[entry] = slot
        next[entry] = entry + 1
        titles[entry] = title
        heads[entry] = head
        texts[entry] = text
        placed++
      })
      if (placed > pause) {
        pause = placed + SLICE
        yield
      }
    }
    for (const end of place) next[end - 1] = NONE
    this.#size = seen
    this.#compacted = seen
  }

  /**
   * Rewrites the chains without gaps, leaving out documents that are gone. Yields now and then; until the last step
   * nothing has changed, and nothing may be added in between.
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
    let at = 0
    let pause = SLICE
    for (let term = 0; term < this.#terms.size; term++) {
      const start = at
      for (let entry = this.#head.values[term] ?? NONE; entry !== NONE; entry = this.#next.values[entry] ?? NONE) {
        const owner = this.#slot.values[entry] ?? 0
        if (!isLive(owner)) continue
        slot[at] = owner
        next[at] = at + 1
        title[at] = this.#title.values[entry] ?? 0
        head[at] = this.#headCount.values[entry] ?? 0
        text[at] = this.#text.values[entry] ?? 0
        at++
      }
      firsts[term] = at === start ? NONE : start
      if (at > start) next[at - 1] = NONE
      counts[term] = at - start
      if (at > pause) {
        pause = at + SLICE
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
    this.#size = at
    this.#compacted = at
  }
}
