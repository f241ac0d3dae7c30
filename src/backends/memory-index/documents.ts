import { type ClassOfOwner, classKey } from '../../core/access/access-filter.js'
import type { FactStatus } from '../../core/facts/fact.js'
import { type AsOf, isValidPacked, marksOf } from '../../core/facts/validity.js'
import type { FactHeader } from '../../core/recall/candidate.js'
import type { StatementHeader } from '../../ports/view.js'
import { float64, grow, int32, uint8 } from '../columns.js'
import { MAX_READERS } from '../vector/visible-rows.js'

const NO_SLOT = -1

/** What a search looks at of a document, whatever it stands for. A document that changes gets a new slot; slots are never used again. */
export class Slots {
  #slotOf = new Map<number, number>()
  #rid = float64()
  #alive = uint8()
  #size = 0

  /** Slots ever taken. */
  get size(): number {
    return this.#size
  }

  get live(): number {
    return this.#slotOf.size
  }

  /** Places of documents that changed or went; too many of them, and starting over is cheaper. */
  get isWasteful(): boolean {
    return this.#size > 2 * this.live + 20_000
  }

  /** 1 at every slot in use, as a bare array for inner loops. */
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

/** What was read of a document, and the state of the store of which its number of accesses is. */
export interface CachedStatementHeader {
  readonly said: StatementHeader
  readonly mark: number
}

/** Of so many documents it is kept what the ranking of statements has read of them. */
const MAX_SAID = 20_000

/** The columns of one owner's facts that ranking and the rule of validity look at: hundreds are read for each question. */
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
  /** Which of the classes below a document belongs to. */
  #class = int32()
  readonly #classes = new Map<string, { readonly number: number; readonly of: ClassOfOwner }>()
  #recorded = float64()
  #from = float64()
  #until = float64()
  #expires = float64()
  /** Which documents readers of some classes see, until a document changes. */
  readonly #masks = new Map<string, Uint8Array>()
  readonly #said = new Map<number, CachedStatementHeader>()
  /** Authors and sessions repeat; one copy of each is enough. */
  #words = new Map<string, string>()

  constructor(owner: string) {
    this.#owner = owner
  }

  /** By an estimate of what strings cost. */
  get memoryBytes(): number {
    const masks = [...this.#masks.values()].reduce((bytes, mask) => bytes + mask.byteLength, 0)
    return this.slots.memoryBytes + this.slots.size * 34 + this.slots.live * 100 + this.#said.size * 400 + masks
  }

  /** So many are about to come: room that grows step by step is copied at every step. */
  expect(documents: number): void {
    this.slots.expect(documents)
    grow([this.#class, this.#code, this.#marks, this.#recorded, this.#from, this.#until, this.#expires], documents)
  }

  put(sketch: Omit<FactHeader, 'owner'>, of: ClassOfOwner): number {
    const slot = this.slots.claim(sketch.rid)
    this.#masks.clear()
    if (slot >= this.#class.values.length)
      grow([this.#class, this.#code, this.#marks, this.#recorded, this.#from, this.#until, this.#expires], slot + 1)
    this.#class.values[slot] = this.#numberOf(of)
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
    this.#said.delete(slot)
    this.#ids[slot] = ''
    this.#subjects[slot] = null
  }

  /** Whether the document is there and holds then. */
  holds(slot: number, moment: AsOf): boolean {
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

  /** Documents of the same class are read by the same people. */
  classAt(slot: number): number {
    return this.#class.values[slot] ?? 0
  }

  /** 1 at every document that is there and belongs to a class that is covered; undefined when all do. */
  readable(covered: (of: ClassOfOwner) => boolean): Uint8Array | undefined {
    if ([...this.#classes.values()].every(({ of }) => covered(of))) return undefined
    const classes = new Uint8Array(this.#classes.size)
    for (const { number, of } of this.#classes.values()) classes[number] = covered(of) ? 1 : 0
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

  /** What was read of a document to rank it, if it was. */
  saidAt(slot: number): CachedStatementHeader | undefined {
    return this.#said.get(slot)
  }

  /** A document that changes gets another slot, so that all but the accesses stays true as long as the slot is in use. */
  keepSaid(slot: number, said: CachedStatementHeader): void {
    if (this.slots.alive[slot] !== 1) return
    if (this.#said.size >= MAX_SAID) this.#said.clear()
    this.#said.set(slot, said)
  }

  #numberOf(of: ClassOfOwner): number {
    const key = classKey(of)
    const known = this.#classes.get(key)
    if (known !== undefined) return known.number
    this.#classes.set(key, { number: this.#classes.size, of })
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
