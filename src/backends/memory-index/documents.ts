import { type ClassOfOwner, classKey } from '../../core/access/access-filter.js'
import type { FactStatus } from '../../core/facts/fact.js'
import { type AsOf, isValidPacked, marksOf } from '../../core/facts/validity.js'
import type { FactHeader } from '../../core/recall/candidate.js'
import type { StatementHeader } from '../../ports/view.js'
import { float64, grow, int32, uint8 } from '../columns.js'
import { MAX_READERS } from '../vector/visible-rows.js'

const NO_SLOT = -1

/** Slots of documents. A changed document gets a new slot; slots are not reused. */
export class Slots {
  #slotOf = new Map<number, number>()
  #rid = float64()
  #alive = uint8()
  #size = 0

  /** Number of slots ever used. */
  get size(): number {
    return this.#size
  }

  get live(): number {
    return this.#slotOf.size
  }

  /** True when enough slots are dead that a rebuild is cheaper. */
  get isWasteful(): boolean {
    return this.#size > 2 * this.live + 20_000
  }

  /** 1 for every slot in use, as a typed array for inner loops. */
  get alive(): Uint8Array {
    return this.#alive.values
  }

  get memoryBytes(): number {
    return this.#rid.values.byteLength + this.#alive.values.byteLength + this.live * 48
  }

  slotOf(rid: number): number {
    return this.#slotOf.get(rid) ?? NO_SLOT
  }

  ridAt(slot: number): number {
    return this.#rid.values[slot] ?? NO_SLOT
  }

  expect(documents: number): void {
    grow([this.#rid, this.#alive], documents)
  }

  claim(rid: number): number {
    const slot = this.#size++
    if (slot >= this.#rid.values.length) grow([this.#rid, this.#alive], this.#size)
    this.#rid.values[slot] = rid
    this.#alive.values[slot] = 1
    this.#slotOf.set(rid, slot)
    return slot
  }

  free(slot: number): void {
    this.#alive.values[slot] = 0
    this.#slotOf.delete(this.ridAt(slot))
  }
}

/** A cached statement header, and the store version of its recall count. */
interface CachedStatementHeader {
  readonly header: StatementHeader
  readonly mark: number
}

/** Maximum number of cached statement headers. */
const MAX_CACHED_HEADERS = 20_000

/** Columns of one owner's facts for ranking and validity: hundreds are read per query. */
export class Documents {
  readonly slots = new Slots()
  readonly #owner: string
  #ids: string[] = []
  #statuses: FactStatus[] = []
  #subjects: (string | null)[] = []
  #authors: (string | null)[] = []
  #sessions: (string | null)[] = []
  #code = uint8()
  #marks = uint8()
  /** Index of each document's access class. */
  #class = int32()
  readonly #classes = new Map<string, { readonly number: number; readonly of: ClassOfOwner }>()
  #recorded = float64()
  #from = float64()
  #until = float64()
  #expires = float64()
  /** Readable documents per set of access classes, until a document changes. */
  readonly #masks = new Map<string, Uint8Array>()
  readonly #headers = new Map<number, CachedStatementHeader>()
  /** Authors and sessions repeat, so each is kept once. */
  #words = new Map<string, string>()

  constructor(owner: string) {
    this.#owner = owner
  }

  /** An estimate of the memory of strings. */
  get memoryBytes(): number {
    const masks = [...this.#masks.values()].reduce((bytes, mask) => bytes + mask.byteLength, 0)
    return this.slots.memoryBytes + this.slots.size * 34 + this.slots.live * 100 + this.#headers.size * 400 + masks
  }

  /** Reserves space: growing step by step copies at every step. */
  expect(documents: number): void {
    this.slots.expect(documents)
    grow([this.#class, this.#code, this.#marks, this.#recorded, this.#from, this.#until, this.#expires], documents)
  }

  put(sketch: Omit<FactHeader, 'owner'>, owner: ClassOfOwner): number {
    const slot = this.slots.claim(sketch.rid)
    this.#masks.clear()
    if (slot >= this.#class.values.length)
      grow([this.#class, this.#code, this.#marks, this.#recorded, this.#from, this.#until, this.#expires], slot + 1)
    this.#class.values[slot] = this.#numberOf(owner)
    this.#ids[slot] = sketch.id
    this.#statuses[slot] = sketch.status
    this.#subjects[slot] = sketch.subject
    this.#authors[slot] = this.#shared(sketch.author)
    this.#sessions[slot] = this.#shared(sketch.session)
    this.#code.values[slot] = sketch.isCode ? 1 : 0
    this.#marks.values[slot] = marksOf(sketch)
    this.#recorded.values[slot] = sketch.recordedAt
    this.#from.values[slot] = sketch.validFrom
    this.#until.values[slot] = sketch.validUntil ?? Number.POSITIVE_INFINITY
    this.#expires.values[slot] = sketch.expiresAt ?? Number.POSITIVE_INFINITY
    return slot
  }

  remove(slot: number): void {
    this.slots.free(slot)
    this.#masks.clear()
    this.#headers.delete(slot)
    this.#ids[slot] = ''
    this.#subjects[slot] = null
  }

  /** True if the document exists and is valid. */
  isValid(slot: number, moment: AsOf): boolean {
    return (
      this.slots.alive[slot] === 1 &&
      isValidPacked(
        this.#from.values[slot] ?? 0,
        this.#until.values[slot] ?? 0,
        this.#expires.values[slot] ?? 0,
        this.#marks.values[slot] ?? 0,
        moment,
      )
    )
  }

  /** Documents of the same access class have the same readers. */
  classAt(slot: number): number {
    return this.#class.values[slot] ?? 0
  }

  /** 1 for every document of an allowed class; undefined if all are allowed. */
  readable(covered: (owner: ClassOfOwner) => boolean): Uint8Array | undefined {
    if ([...this.#classes.values()].every(({ of: owner }) => covered(owner))) return undefined
    const classes = new Uint8Array(this.#classes.size)
    for (const { number, of: owner } of this.#classes.values()) classes[number] = covered(owner) ? 1 : 0
    const key = classes.join('')
    const known = this.#masks.get(key)
    if (known !== undefined) return known
    const mask = new Uint8Array(this.slots.size)
    const { alive } = this.slots
    for (let slot = 0; slot < mask.length; slot++) mask[slot] = alive[slot] === 1 ? (classes[this.#class.values[slot] ?? 0] ?? 0) : 0
    if (this.#masks.size >= MAX_READERS) this.#masks.clear()
    this.#masks.set(key, mask)
    return mask
  }

  /** The cached statement header of a document, if any. */
  headerAt(slot: number): CachedStatementHeader | undefined {
    return this.#headers.get(slot)
  }

  /** A changed document gets another slot, so everything except the recall count stays valid while the slot is in use. */
  cacheHeader(slot: number, cached: CachedStatementHeader): void {
    if (this.slots.alive[slot] !== 1) return
    if (this.#headers.size >= MAX_CACHED_HEADERS) this.#headers.clear()
    this.#headers.set(slot, cached)
  }

  #numberOf(owner: ClassOfOwner): number {
    const key = classKey(owner)
    const known = this.#classes.get(key)
    if (known !== undefined) return known.number
    this.#classes.set(key, { number: this.#classes.size, of: owner })
    return this.#classes.size - 1
  }

  sketchAt(slot: number): Omit<FactHeader, 'rid'> {
    return {
      id: this.#ids[slot] ?? '',
      owner: this.#owner,
      subject: this.#subjects[slot] ?? null,
      author: this.#authors[slot] ?? null,
      session: this.#sessions[slot] ?? null,
      isCode: this.#code.values[slot] === 1,
      recordedAt: this.#recorded.values[slot] ?? 0,
      validFrom: this.#from.values[slot] ?? 0,
      validUntil: orNull(this.#until.values[slot]),
      expiresAt: orNull(this.#expires.values[slot]),
      status: this.#statuses[slot] ?? 'active',
    }
  }

  #shared(word: string | null): string | null {
    if (word === null) return null
    const known = this.#words.get(word)
    if (known !== undefined) return known
    if (this.#words.size > 10_000) this.#words.clear()
    this.#words.set(word, word)
    return word
  }
}

const orNull = (instant: number | undefined): number | null =>
  instant === undefined || instant === Number.POSITIVE_INFINITY ? null : instant
