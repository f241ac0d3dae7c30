import { CONTEXT, type LexicalFields } from '../../core/recall/fields.js'
import type { BytePart } from '../byte-part.js'
import { grow, int32 } from '../columns.js'
import { MAX_READERS } from '../vector/visible-rows.js'
import type { Slots } from './documents.js'
import { type PostingList, Postings } from './postings.js'
import { SessionOrder } from './session-order.js'

const NO_SLOT = -1

/** The words of a document at its slot. */
export interface WordedDocument {
  readonly slot: number
  /** Documents of one session are neighbours in the order of their rids; null has none. Those of one are read by the same people. */
  readonly session: string | null
  readonly packed: BytePart
}

export interface Totals {
  readonly documents: number
  /** Tokens of the documents themselves, and of the neighbours that count as their context. */
  readonly own: number
  readonly context: number
}

/** A term that so many documents hold takes time to count, and not many terms are so common. */
const COMMON = 256
/** What a table of the engine takes for one number under another. */
const COUNT_BYTES = 40

/** What the documents that hold one term, or borrow it, weigh; zeroed again by whoever reads it. */
export interface TermWeights {
  /** Doubles, so that the order in which documents were added does not show in the scores. */
  readonly weights: Float64Array
  readonly slots: Int32Array
  size: number
}

export interface Workspace {
  readonly reached: TermWeights
  /** Room for the documents that any term has reached. */
  readonly found: Int32Array
}

/**
 * The words of one unit. Context is not stored: a posting counts for its document and, with less weight, for the
 * documents around it in the session, so it is right whatever was added, changed or deleted.
 */
export class InvertedIndex {
  readonly slots: Slots
  readonly #postings = new Postings()
  readonly #sessions = new SessionOrder()
  #own = int32()
  #ownTotal = 0
  #contextTotal = 0
  /** By what may be read; whoever adds or removes a document begins a new list of that. */
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

  /** Of all documents, or of those that may be read. */
  totals(readable?: Uint8Array): Totals {
    if (readable === undefined) return { documents: this.slots.live, own: this.#ownTotal, context: this.#contextTotal }
    const known = this.#totals.get(readable)
    if (known !== undefined) return known
    const { own, lent } = this.lengths
    const { alive } = this.slots
    const totals = { documents: 0, own: 0, context: 0 }
    for (let slot = 0; slot < readable.length; slot++) {
      if (readable[slot] !== 1 || alive[slot] !== 1) continue
      totals.documents++
      totals.own += own[slot] ?? 0
      totals.context += lent[slot] ?? 0
    }
    this.#totals.set(readable, totals)
    return totals
  }

  /** For many documents at once: put them all before `endLoad`, which yields now and then; nothing is read meanwhile. */
  beginLoad(documents = 0): void {
    this.#postings.beginLoad(documents)
  }

  endLoad(): Generator<void> {
    return this.#postings.endLoad()
  }

  put({ slot, session, packed }: WordedDocument): void {
    this.#enter(slot, session, this.#postings.add(slot, packed))
  }

  /** Before the slot is freed. */
  remove(slot: number): void {
    this.#forgetReaders()
    this.#ownTotal -= this.#own.values[slot] ?? 0
    this.#contextTotal += this.#sessions.leave(slot)
  }

  /** Work space of one search after another, for all slots; a search ends before the next begins. */
  workspace(): Workspace {
    const { size } = this.slots
    if (this.#workspace.found.length < size) {
      const room = Math.ceil(size * 1.25)
      this.#workspace = { reached: { weights: new Float64Array(room), slots: new Int32Array(room), size: 0 }, found: new Int32Array(room) }
    }
    return this.#workspace
  }

  /** Puts the postings in order where much was added, a slice at a time; nothing may be put in between. */
  *tidy(): Generator<void> {
    if (this.#postings.fragmented) yield* this.#postings.compact((slot) => this.slots.alive[slot] === 1)
  }

  /** How many documents hold a term, at least and at most: some that are gone may stand in its chain. */
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

  /** How many documents hold a term, counted one by one; of the few common ones the number is kept. */
  frequency(hash: number, readable?: Uint8Array): number {
    if (readable === undefined) return this.#count(hash, this.slots.alive)
    if (this.#postings.chain(hash).length < COMMON) return this.#count(hash, readable)
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

  /** Tokens of each document itself, and of what its neighbours lend it. */
  get lengths(): { readonly own: Int32Array; readonly lent: Float64Array } {
    return { own: this.#own.values, lent: this.#sessions.contextLengths }
  }

  /**
   * Adds up the weight of one term in every document that holds or borrows it. Bare arrays: at 100,000 facts a question
   * touches as many documents, and each call in here would cost milliseconds.
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
      let at = next[slot] as number
      if (at !== NO_SLOT) {
        if (weights[at] === 0) slots[size++] = at
        weights[at] = (weights[at] as number) + near * loan * (fading[at] as number)
        for (let step = 0; step < CONTEXT.before - 1; step++) {
          at = next[at] as number
          if (at === NO_SLOT) break
          if (weights[at] === 0) slots[size++] = at
          weights[at] = (weights[at] as number) + far * loan * (fading[at] as number)
        }
      }
      at = slot
      for (let step = 0; step < CONTEXT.after; step++) {
        at = previous[at] as number
        if (at === NO_SLOT) break
        if (weights[at] === 0) slots[size++] = at
        weights[at] = (weights[at] as number) + far * loan * (fading[at] as number)
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

  /** What may be read is listed anew when documents come and go. */
  #forgetReaders(): void {
    if (this.#frequencies.size > 0) this.#frequencies.clear()
  }
}
