import { CONTEXT_TURNS, type LexicalFields } from '../../core/recall/lexical/fields.js'
import type { BytePart } from '../byte-part.js'
import { grow, int32 } from '../columns.js'
import { MAX_READERS } from '../vector/visible-rows.js'
import type { Slots } from './documents.js'
import { type PostingList, Postings } from './postings.js'
import { SessionOrder } from './session-order.js'

const NO_SLOT = -1

/** The terms of a document and its slot. */
export interface WordedDocument {
  readonly slot: number
  /** Documents of one session are neighbours in row order; null has none. Those of one session have the same readers. */
  readonly session: string | null
  readonly packed: BytePart
}

interface Totals {
  readonly documents: number
  /** Tokens of the documents, and of their context. */
  readonly own: number
  readonly context: number
}

/** A term in this many documents is slow to count, and few terms are that common. */
const COMMON_TERM_DOCUMENTS = 256
/** Approximate memory of one entry in a Map of numbers. */
const COUNT_BYTES = 40

/** Weights of one term per document; the reader resets them to zero. */
export interface TermWeights {
  /** Doubles, so that the insertion order does not affect scores. */
  readonly weights: Float64Array
  readonly slots: Int32Array
  size: number
}

interface Workspace {
  readonly reached: TermWeights
  /** Space for the documents that any term matched. */
  readonly found: Int32Array
}

/**
 * The inverted index of one shard. Context is not stored: a posting counts for its document and, attenuated, for its neighbours in the
 * session, so it is correct after any change.
 */
export class InvertedIndex {
  readonly slots: Slots
  readonly #postings = new Postings()
  readonly #sessions = new SessionOrder()
  #own = int32()
  #ownTotal = 0
  #contextTotal = 0
  /** Totals by readable documents; adding or removing a document invalidates them. */
  readonly #totals = new WeakMap<Uint8Array, Totals>()
  readonly #frequencies = new Map<Uint8Array, Map<number, number>>()
  #workspace: Workspace = { reached: { weights: new Float64Array(0), slots: new Int32Array(0), size: 0 }, found: new Int32Array(0) }

  constructor(slots: Slots) {
    this.slots = slots
  }

  get memoryBytes(): number {
    let kept = 0
    for (const [readable, counts] of this.#frequencies) kept += readable.byteLength + counts.size * COUNT_BYTES
    return this.#postings.memoryBytes + this.slots.size * 60 + kept
  }

  /** Totals of all documents, or of the readable ones. */
  totals(readable?: Uint8Array): Totals {
    if (readable === undefined) return { documents: this.slots.live, own: this.#ownTotal, context: this.#contextTotal }
    const known = this.#totals.get(readable)
    if (known !== undefined) return known
    const { own, context } = this.lengths
    const { alive } = this.slots
    const totals = { documents: 0, own: 0, context: 0 }
    for (let slot = 0; slot < readable.length; slot++) {
      if (readable[slot] !== 1 || alive[slot] !== 1) continue
      totals.documents++
      totals.own += own[slot] ?? 0
      totals.context += context[slot] ?? 0
    }
    this.#totals.set(readable, totals)
    return totals
  }

  /** For bulk loads: call `put` for all documents before `endLoad`, which yields regularly; no reads in between. */
  beginLoad(documents = 0): void {
    this.#postings.beginLoad(documents)
  }

  endLoad(): Generator<void> {
    return this.#postings.endLoad()
  }

  put({ slot, session, packed }: WordedDocument): void {
    this.#enter(slot, session, this.#postings.add(slot, packed))
  }

  /** Call before the slot is freed. */
  remove(slot: number): void {
    this.#forgetReaders()
    this.#ownTotal -= this.#own.values[slot] ?? 0
    this.#contextTotal += this.#sessions.leave(slot)
  }

  /** Work space reused by consecutive searches; searches do not overlap. */
  workspace(): Workspace {
    const { size } = this.slots
    if (this.#workspace.found.length < size) {
      const room = Math.ceil(size * 1.25)
      this.#workspace = { reached: { weights: new Float64Array(room), slots: new Int32Array(room), size: 0 }, found: new Int32Array(room) }
    }
    return this.#workspace
  }

  /** Compacts the postings after many additions, in slices; nothing may be added in between. */
  *tidy(): Generator<void> {
    if (this.#postings.fragmented) yield* this.#postings.compact((slot) => this.slots.alive[slot] === 1)
  }

  /** Bounds of the document frequency of a term: its chain may contain dead documents. */
  bounds(hash: number, readable?: Uint8Array): { readonly least: number; readonly most: number } {
    const { length } = this.#postings.chain(hash)
    const gone = readable === undefined ? this.slots.size - this.slots.live : length
    return { least: Math.max(0, length - gone), most: length }
  }

  #countsFor(readable: Uint8Array): Map<number, number> {
    const known = this.#frequencies.get(readable)
    if (known !== undefined) return known
    if (this.#frequencies.size >= MAX_READERS) this.#frequencies.clear()
    const counts = new Map<number, number>()
    this.#frequencies.set(readable, counts)
    return counts
  }

  /** The exact document frequency; cached for the few common terms. */
  frequency(hash: number, readable?: Uint8Array): number {
    if (readable === undefined) return this.#count(hash, this.slots.alive)
    if (this.#postings.chain(hash).length < COMMON_TERM_DOCUMENTS) return this.#count(hash, readable)
    const known = this.#countsFor(readable)
    const counted = known.get(hash) ?? this.#count(hash, readable)
    known.set(hash, counted)
    return counted
  }

  #count(hash: number, counting: Uint8Array): number {
    const { first, next, slots } = this.#postings.chain(hash)
    let live = 0
    for (let entry = first; entry !== NO_SLOT; entry = next[entry] as number) if (counting[slots[entry] as number] === 1) live++
    return live
  }

  /** Token counts of each document and of its context. */
  get lengths(): { readonly own: Int32Array; readonly context: Float64Array } {
    return { own: this.#own.values, context: this.#sessions.contextLengths }
  }

  /**
   * Adds the weight of one term to every document that contains it, or has it from context. Uses typed arrays without calls: at 100,000
   * facts a query touches as many documents.
   */
  accumulate(hash: number, { title, text, near, far }: LexicalFields, spreads: boolean, into: TermWeights, readable?: Uint8Array): void {
    const { first, next: following, slots: holders, titles, heads, texts }: PostingList = this.#postings.chain(hash)
    const counting = readable ?? this.slots.alive
    const { next, previous, fading } = this.#sessions
    const { weights, slots } = into
    let { size } = into
    for (let entry = first; entry !== NO_SLOT; entry = following[entry] as number) {
      const slot = holders[entry] as number
      if (counting[slot] !== 1) continue
      const inText = texts[entry] as number
      if (weights[slot] === 0) slots[size++] = slot
      weights[slot] = (weights[slot] as number) + title * (titles[entry] as number) + text * ((heads[entry] as number) + inText)
      if (!spreads || inText === 0) continue
      const loan = inText * (fading[slot] as number)
      let index = next[slot] as number
      if (index !== NO_SLOT) {
        if (weights[index] === 0) slots[size++] = index
        weights[index] = (weights[index] as number) + near * loan * (fading[index] as number)
        for (let step = 0; step < CONTEXT_TURNS.before - 1; step++) {
          index = next[index] as number
          if (index === NO_SLOT) break
          if (weights[index] === 0) slots[size++] = index
          weights[index] = (weights[index] as number) + far * loan * (fading[index] as number)
        }
      }
      index = slot
      for (let step = 0; step < CONTEXT_TURNS.after; step++) {
        index = previous[index] as number
        if (index === NO_SLOT) break
        if (weights[index] === 0) slots[size++] = index
        weights[index] = (weights[index] as number) + far * loan * (fading[index] as number)
      }
    }
    into.size = size
  }

  #enter(slot: number, session: string | null, lengths: { readonly own: number; readonly text: number }): void {
    this.#forgetReaders()
    grow([this.#own], slot + 1)
    this.#own.values[slot] = lengths.own
    this.#ownTotal += lengths.own
    this.#contextTotal += this.#sessions.enter(slot, { rid: this.slots.ridAt(slot), session, tokens: lengths.text })
  }

  /** Cached totals are invalid once documents change. */
  #forgetReaders(): void {
    if (this.#frequencies.size > 0) this.#frequencies.clear()
  }
}
