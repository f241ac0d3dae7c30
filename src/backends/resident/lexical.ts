import { CONTEXT, type LexicalFields } from '../../core/recall/fields.js'
import { termHash } from '../../core/text.js'
import { holds, type Moment } from '../../core/validity.js'
import type { Hit, LexicalAnswer, Pool } from '../../ports/recall-index.js'
import { TopHits } from '../vector/top-hits.js'
import { float64, grow, int32, uint8 } from './columns.js'
import { Postings } from './postings.js'
import { SessionChains } from './session-chains.js'

/** When a document holds; `Infinity` stands for never. */
interface Window {
  readonly validFrom: number
  readonly validUntil: number
  readonly expiresAt: number
  /** What else the rule of validity asks for (`marksOf`). */
  readonly marks: number
}

export interface Document extends Window {
  readonly rid: number
  readonly owner: number
  /** Documents of one session are neighbours in the order of their rids; null has none. */
  readonly session: string | null
  readonly terms: Uint8Array
}

const NONE = -1
const K1 = 1.2
/** Postings beyond which a term counts for its own documents only: that many, or this share of all. */
const COMMON = 1000
const COMMON_SHARE = 0.02
const B = 0.75

/** What a search adds up for each document. */
interface Tally {
  readonly scores: Float32Array
  readonly matches: { readonly terms: Uint16Array; readonly rarity: Float32Array }
}

/** Whose documents are searched; undefined searches all. Nothing of the others counts, not even how often they use a word. */
type Owners = number | readonly number[] | undefined

const listed = (owners: number | readonly number[]): readonly number[] => (typeof owners === 'number' ? [owners] : owners)

/** 1 at the number of each of these owners. */
function marked(owners: number | readonly number[]): Uint8Array {
  const list = listed(owners)
  const marks = new Uint8Array(list.reduce((most, one) => Math.max(most, one + 1), 0))
  for (const owner of list) marks[owner] = 1
  return marks
}

interface OwnerTotals {
  documents: number
  /** Tokens of the documents themselves, and with the neighbours that count as their context. */
  own: number
  context: number
}

/**
 * Okapi BM25 over title, text and context. Context is not stored: a posting counts for its document and, with less
 * weight, for the documents around it in the session, so it is right whatever was added, changed or deleted.
 */
export class ResidentLexical {
  #postings = new Postings()
  #slotOf = new Map<number, number>()
  #rid = int32()
  #owner = int32()
  #alive = uint8()
  #from = float64()
  #until = float64()
  #expires = float64()
  #marks = uint8()
  #own = int32()
  #size = 0
  #sessions = new SessionChains()
  #totals = new Map<number, OwnerTotals>()

  get size(): number {
    return this.#slotOf.size
  }

  get memoryBytes(): number {
    return this.#postings.memoryBytes + this.#size * 60 + this.#slotOf.size * 48
  }

  /** Places of documents that changed or went are never used again; too many of them, and starting over is cheaper. */
  get wasted(): boolean {
    return this.#size > 2 * this.#slotOf.size + 20_000
  }

  has(rid: number): boolean {
    return this.#slotOf.has(rid)
  }

  put(document: Document): void {
    this.remove(document.rid)
    const slot = this.#size++
    grow([this.#rid, this.#owner, this.#alive, this.#from, this.#until, this.#expires, this.#marks, this.#own], this.#size)
    const lengths = this.#postings.add(slot, document.terms)
    this.#rid.values[slot] = document.rid
    this.#owner.values[slot] = document.owner
    this.#alive.values[slot] = 1
    this.#own.values[slot] = lengths.own
    this.#slotOf.set(document.rid, slot)
    this.#setWindow(slot, document)
    const totals = this.#totalsOf(document.owner)
    totals.documents++
    totals.own += lengths.own
    const session = document.session === null ? null : `${document.owner}\0${document.session}`
    totals.context += this.#sessions.enter(slot, { rid: document.rid, session, tokens: lengths.text })
  }

  /** Owner and window of a document, as the vector side filters by them. */
  attributesOf(rid: number): Pick<Document, 'owner' | keyof Window> | undefined {
    const slot = this.#slotOf.get(rid)
    if (slot === undefined) return undefined
    return {
      owner: this.#owner.values[slot] ?? 0,
      validFrom: this.#from.values[slot] ?? 0,
      validUntil: this.#until.values[slot] ?? 0,
      expiresAt: this.#expires.values[slot] ?? 0,
      marks: this.#marks.values[slot] ?? 0,
    }
  }

  #setWindow(slot: number, window: Window): void {
    this.#from.values[slot] = window.validFrom
    this.#until.values[slot] = window.validUntil
    this.#expires.values[slot] = window.expiresAt
    this.#marks.values[slot] = window.marks
  }

  remove(rid: number): void {
    const slot = this.#slotOf.get(rid)
    if (slot === undefined) return
    this.#slotOf.delete(rid)
    this.#alive.values[slot] = 0
    const totals = this.#totalsOf(this.#owner.values[slot] ?? 0)
    totals.documents--
    totals.own -= this.#own.values[slot] ?? 0
    totals.context += this.#sessions.leave(slot)
  }

  /** True once so much was added that reading has become slow. */
  get fragmented(): boolean {
    return this.#postings.fragmented
  }

  /** Puts the postings in order, a slice at a time; nothing may be put in between. */
  compact(): Generator<void> {
    return this.#postings.compact((slot) => this.#alive.values[slot] === 1)
  }

  #totalsOf(owner: number): OwnerTotals {
    let totals = this.#totals.get(owner)
    if (totals === undefined) {
      totals = { documents: 0, own: 0, context: 0 }
      this.#totals.set(owner, totals)
    }
    return totals
  }

  #allows(slot: number, moment: Moment): boolean {
    return holds(
      this.#from.values[slot] ?? 0,
      this.#until.values[slot] ?? 0,
      this.#expires.values[slot] ?? 0,
      this.#marks.values[slot] ?? 0,
      moment,
    )
  }

  search(
    terms: readonly string[],
    pool: Omit<Pool, 'owner'> & { readonly owner: Owners },
    limit: number,
    fields: LexicalFields,
  ): LexicalAnswer {
    const scores = new Float32Array(this.#size)
    const matches = { terms: new Uint16Array(this.#size), rarity: new Float32Array(this.#size) }
    const reached = this.#accumulate(terms, pool.owner, fields, { scores, matches })
    const top = new TopHits(limit)
    let threshold = top.threshold
    for (let i = 0; i < reached.size; i++) {
      const slot = reached.slots[i] as number
      const score = scores[slot] as number
      if (score < threshold || !this.#allows(slot, pool)) continue
      const rid = this.#rid.values[slot] as number
      if (pool.accept !== undefined && !pool.accept(rid)) continue
      top.offer({ score, rid, slot })
      threshold = top.threshold
    }
    const hits: readonly Hit[] = top.best()
    return {
      hits,
      documents: this.#pool(pool.owner, false).documents,
      scoreOf: (rid) => {
        const slot = this.#slotOf.get(rid)
        return slot === undefined ? 0 : (scores[slot] ?? 0)
      },
      matchOf: (rid) => {
        const slot = this.#slotOf.get(rid) ?? NONE
        return { terms: matches.terms[slot] ?? 0, rarity: matches.rarity[slot] ?? 0 }
      },
      rarity: reached.rarity,
    }
  }

  /**
   * Adds up the scores of all documents that a term reaches, and answers which these are. The inner loops read bare
   * arrays: at 100,000 facts a question touches as many documents, and each call in here would cost milliseconds.
   */
  #accumulate(
    terms: readonly string[],
    owner: Owners,
    fields: LexicalFields,
    { scores, matches }: Tally,
  ): { readonly slots: Int32Array; readonly size: number; readonly rarity: number } {
    const context = fields.near > 0 || fields.far > 0
    const { documents, average } = this.#pool(owner, context)
    const { near, far } = fields
    const { next, previous, lent, fading } = this.#sessions
    const alive = this.#alive.values
    const owners = this.#owner.values
    const own = this.#own.values
    const wanted = owner === undefined ? undefined : marked(owner)
    const { counts, touched, reached } = this.#scratch()
    let total = 0
    let rarity = 0
    const chains = terms.map((term) => this.#postings.chain(termHash(term)))
    const everywhere = documents / 2 + 1000
    const hasRarer = chains.some((chain) => chain.length > 0 && chain.length <= everywhere)
    for (const chain of chains) {
      // Every second document of a large store has it: little weight for much work, where other words tell more.
      if (owner === undefined && hasRarer && chain.length > everywhere) continue
      // A word that stands everywhere says nothing about the memories around it.
      const spreads = context && chain.length <= Math.max(COMMON, documents * COMMON_SHARE)
      let size = 0
      for (let entry = chain.first; entry !== NONE; entry = chain.next[entry] as number) {
        const slot = chain.slots[entry] as number
        if (alive[slot] === 0 || (wanted !== undefined && wanted[owners[slot] as number] !== 1)) continue
        const text = chain.texts[entry] as number
        const weight = fields.title * (chain.titles[entry] as number) + fields.text * ((chain.heads[entry] as number) + text)
        if (counts[slot] === 0) touched[size++] = slot
        counts[slot] = (counts[slot] as number) + weight
        if (!spreads || text === 0) continue
        const loan = text * (fading[slot] as number)
        let at = next[slot] as number
        if (at !== NONE) {
          if (counts[at] === 0) touched[size++] = at
          counts[at] = (counts[at] as number) + near * loan * (fading[at] as number)
          for (let step = 0; step < CONTEXT.before - 1; step++) {
            at = next[at] as number
            if (at === NONE) break
            if (counts[at] === 0) touched[size++] = at
            counts[at] = (counts[at] as number) + far * loan * (fading[at] as number)
          }
        }
        at = slot
        for (let step = 0; step < CONTEXT.after; step++) {
          at = previous[at] as number
          if (at === NONE) break
          if (counts[at] === 0) touched[size++] = at
          counts[at] = (counts[at] as number) + far * loan * (fading[at] as number)
        }
      }
      const idf = Math.log(1 + Math.max(0, documents - size + 0.5) / (size + 0.5))
      rarity += idf
      const gain = idf * (K1 + 1)
      const fixed = K1 * (1 - B)
      const perToken = (K1 * B) / average
      for (let i = 0; i < size; i++) {
        const slot = touched[i] as number
        const count = counts[slot] as number
        counts[slot] = 0
        const length = (own[slot] as number) + (context ? (lent[slot] as number) : 0)
        if (scores[slot] === 0) reached[total++] = slot
        matches.terms[slot] = (matches.terms[slot] as number) + 1
        matches.rarity[slot] = (matches.rarity[slot] as number) + idf
        scores[slot] = (scores[slot] as number) + (gain * count) / (count + fixed + perToken * length)
      }
    }
    return { slots: reached, size: total, rarity }
  }

  #counts = new Float32Array(0)
  #touched = new Int32Array(0)
  #reached = new Int32Array(0)

  /** Work space that every search leaves zeroed behind. */
  #scratch(): { readonly counts: Float32Array; readonly touched: Int32Array; readonly reached: Int32Array } {
    if (this.#counts.length < this.#size) {
      this.#counts = new Float32Array(this.#own.values.length)
      this.#touched = new Int32Array(this.#own.values.length)
      this.#reached = new Int32Array(this.#own.values.length)
    }
    return { counts: this.#counts, touched: this.#touched, reached: this.#reached }
  }

  /** Document count and mean length of what some owners, or everyone, may search. */
  #pool(owner: Owners, context: boolean): { readonly documents: number; readonly average: number } {
    let documents = 0
    let length = 0
    for (const totals of owner === undefined ? this.#totals.values() : listed(owner).map((one) => this.#totalsOf(one))) {
      documents += totals.documents
      length += totals.own + (context ? totals.context : 0)
    }
    return { documents, average: Math.max(1, length / Math.max(1, documents)) }
  }
}
