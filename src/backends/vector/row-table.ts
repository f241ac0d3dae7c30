import { holds, type Moment } from '../../core/validity.js'

/** What a search filters by. Instants are those of the store; `Infinity` stands for never. */
export interface RowAttributes {
  readonly owner: number
  readonly validFrom: number
  readonly validUntil: number
  readonly expiresAt: number
  /** What else the rule of validity asks for (`marksOf`). */
  readonly marks: number
}

export interface RowFilter {
  readonly owner?: number
  /** Keeps rows that are valid then. */
  readonly moment?: Moment
  /** Asked last, and only for rows that would enter the result. */
  readonly accept?: (rid: number) => boolean
}

const FREE = -1
const FIRST_CAPACITY = 1024

/**
 * Slots of rows with their attributes. A row keeps its slot for life: a search that pauses half-way can neither miss it
 * nor meet it twice. Freed slots are given to later rows.
 */
export class RowTable {
  #slotOf = new Map<number, number>()
  #free: number[] = []
  #owners = new Map<number, SlotList>()
  #columns = allocate(FIRST_CAPACITY)
  #end = 0

  get size(): number {
    return this.#slotOf.size
  }

  /** One more than the highest slot ever in use. */
  get end(): number {
    return this.#end
  }

  get scales(): Float32Array {
    return this.#columns.scale
  }

  /** Typed arrays exactly; maps by an estimate of 48 bytes an entry. */
  get memoryBytes(): number {
    let bytes = this.#slotOf.size * 48 + this.#free.length * 8
    for (const column of Object.values(this.#columns)) bytes += column.byteLength
    for (const list of this.#owners.values()) bytes += list.slots.byteLength
    return bytes
  }

  slotOf(rid: number): number | undefined {
    return this.#slotOf.get(rid)
  }

  ridAt(slot: number): number {
    return this.#columns.rid[slot] ?? FREE
  }

  ownedBy(owner: number): Uint32Array {
    const list = this.#owners.get(owner)
    return list ? list.slots.subarray(0, list.length) : new Uint32Array(0)
  }

  /** The slot that `claim` would take for a new row. */
  nextSlot(): number {
    return this.#free.at(-1) ?? this.#end
  }

  claim(rid: number, attributes: RowAttributes): number {
    const slot = this.#free.pop() ?? this.#end++
    if (slot >= this.#columns.rid.length) this.#columns = enlarge(this.#columns)
    this.#slotOf.set(rid, slot)
    this.#columns.rid[slot] = rid
    this.#enlist(slot, attributes.owner)
    this.#write(slot, attributes)
    return slot
  }

  setAttributes(slot: number, attributes: RowAttributes): void {
    if (this.#columns.owner[slot] !== attributes.owner) {
      this.#delist(slot)
      this.#enlist(slot, attributes.owner)
    }
    this.#write(slot, attributes)
  }

  setScale(slot: number, scale: number): void {
    this.#columns.scale[slot] = scale
  }

  release(rid: number): boolean {
    const slot = this.#slotOf.get(rid)
    if (slot === undefined) return false
    this.#slotOf.delete(rid)
    this.#delist(slot)
    this.#columns.rid[slot] = FREE
    this.#free.push(slot)
    return true
  }

  clear(): void {
    this.#slotOf.clear()
    this.#owners.clear()
    this.#free = []
    this.#columns = allocate(FIRST_CAPACITY)
    this.#end = 0
  }

  passes(slot: number, filter: RowFilter): boolean {
    const columns = this.#columns
    const rid = columns.rid[slot]
    if (rid === undefined || rid === FREE) return false
    if (filter.owner !== undefined && columns.owner[slot] !== filter.owner) return false
    if (
      filter.moment !== undefined &&
      !holds(
        columns.validFrom[slot] ?? 0,
        columns.validUntil[slot] ?? 0,
        columns.expiresAt[slot] ?? 0,
        columns.marks[slot] ?? 0,
        filter.moment,
      )
    )
      return false
    return filter.accept === undefined || filter.accept(rid)
  }

  #write(slot: number, attributes: RowAttributes): void {
    const columns = this.#columns
    columns.owner[slot] = attributes.owner
    columns.validFrom[slot] = attributes.validFrom
    columns.validUntil[slot] = attributes.validUntil
    columns.expiresAt[slot] = attributes.expiresAt
    columns.marks[slot] = attributes.marks
  }

  #enlist(slot: number, owner: number): void {
    const list = this.#owners.get(owner) ?? { slots: new Uint32Array(16), length: 0 }
    if (list.length === list.slots.length) list.slots = copied(list.slots, new Uint32Array(list.length * 2))
    list.slots[list.length] = slot
    this.#columns.place[slot] = list.length++
    this.#owners.set(owner, list)
  }

  #delist(slot: number): void {
    const owner = this.#columns.owner[slot] ?? FREE
    const list = this.#owners.get(owner)
    if (!list) return
    const place = this.#columns.place[slot] ?? 0
    const moved = list.slots[--list.length] ?? slot
    list.slots[place] = moved
    this.#columns.place[moved] = place
    if (list.length === 0) this.#owners.delete(owner)
  }
}

interface SlotList {
  slots: Uint32Array
  length: number
}

interface Columns {
  readonly rid: Float64Array
  readonly validFrom: Float64Array
  readonly validUntil: Float64Array
  readonly expiresAt: Float64Array
  readonly scale: Float32Array
  readonly owner: Int32Array
  /** Where the slot stands in its owner's list. */
  readonly place: Uint32Array
  readonly marks: Uint8Array
}

function allocate(capacity: number): Columns {
  return {
    rid: new Float64Array(capacity).fill(FREE),
    validFrom: new Float64Array(capacity),
    validUntil: new Float64Array(capacity),
    expiresAt: new Float64Array(capacity),
    scale: new Float32Array(capacity),
    owner: new Int32Array(capacity).fill(FREE),
    place: new Uint32Array(capacity),
    marks: new Uint8Array(capacity),
  }
}

function enlarge(old: Columns): Columns {
  const next = allocate(Math.ceil(old.rid.length * 1.5))
  return {
    rid: copied(old.rid, next.rid),
    validFrom: copied(old.validFrom, next.validFrom),
    validUntil: copied(old.validUntil, next.validUntil),
    expiresAt: copied(old.expiresAt, next.expiresAt),
    scale: copied(old.scale, next.scale),
    owner: copied(old.owner, next.owner),
    place: copied(old.place, next.place),
    marks: copied(old.marks, next.marks),
  }
}

function copied<A extends { set(from: A): void }>(from: A, to: A): A {
  to.set(from)
  return to
}
