import { setImmediate } from 'node:timers/promises'
import type { OwnerWatermark } from '../sql/owners/owners.js'
import type { StoredModel } from '../sql/owners/stored-model.js'
import { asNumber, type Connection, each, number, numberOrNull, type Plan, run } from '../sql/plan/plan.js'
import { streamRows } from '../sql/plan/row-stream.js'
import { type PieceCodes, piecesOfRows, piecesSince } from '../sql/vectors/pieces.js'
import { codesSince } from '../sql/vectors/vectors.js'
import type { BlockMemory, StoredCodes } from '../vector/block-memory.js'
import { VectorRows } from '../vector/vector-rows.js'
import { Documents } from './documents.js'
import {
  type ChangedFact,
  changedFact,
  codedFactsOf,
  codesOfFacts,
  factsAt,
  factsOf,
  type IndexedFact,
  loadedFactsAfter,
  toIndexedFact,
  toStoredCodes,
} from './fact-rows.js'
import { InvertedIndex, type WordedDocument } from './inverted-index.js'
import { eachPage } from './pages.js'

const PAGE_SIZE = 500
/** Limit for reserving rows in advance. */
const MAX_EXPECTED = 2_000_000
/** Small, because each fact may have many pieces. */
const FACTS_BATCH_SIZE = 16
/** Before every vector and every piece. */
const FIRST_POSITION = { stamp: 0, rid: 0, index: -1 }
export interface ShardState {
  readonly owner: string
  readonly documents: Documents
  readonly words: InvertedIndex
  /** Absent until the first vector is stored. */
  readonly vectors: VectorRows | undefined
}

/** Terms, vectors and headers of one owner's facts in memory, independent of other owners. */
export class FactShard {
  readonly owner: string
  readonly #connection: Connection
  #documents: Documents
  #words: InvertedIndex
  #vectors: VectorRows | undefined
  #epoch = 0
  /** Last journal number applied. */
  #seq = 0
  #generation = -1
  #stamp = -1
  #vectorPlace = FIRST_POSITION
  #piecePlace = FIRST_POSITION
  /** Changed facts with pieces, whose pieces are read again. */
  readonly #long = new Set<number>()
  /** Facts whose vectors were not read. */
  readonly #bare = new Set<number>()

  constructor(owner: string, connection: Connection) {
    this.owner = owner
    this.#connection = connection
    this.#documents = new Documents(owner)
    this.#words = new InvertedIndex(this.#documents.slots)
  }

  /** The current state. Later changes modify it in place; a reload leaves it untouched. */
  get state(): ShardState {
    return { owner: this.owner, documents: this.#documents, words: this.#words, vectors: this.#vectors }
  }

  /** Number of facts ever loaded. */
  get size(): number {
    return this.#documents.slots.size
  }

  get memoryBytes(): number {
    return this.#documents.memoryBytes + this.#words.memoryBytes + (this.#vectors?.memoryBytes ?? 0)
  }

  /** Loads the shard or catches up; afterwards it includes everything up to the watermark. */
  async follow(place: OwnerWatermark, model: StoredModel | undefined, memory: BlockMemory | undefined): Promise<void> {
    this.#followModel(model, memory)
    if (this.#generation !== place.generation || (this.#seq < place.seq && this.#seq < place.cleared) || this.#documents.slots.isWasteful)
      await this.#load(place)
    if (this.#seq < place.seq) await this.#followJournal()
    this.#seq = Math.max(this.#seq, place.seq)
    for (const _ of this.#words.tidy()) await setImmediate()
    if (this.#vectors === undefined) return
    const long = [...this.#long]
    this.#long.clear()
    await this.#readPieces(this.#vectors, long)
    if (this.#stamp >= place.stamp) return
    await this.#followVectors(this.#vectors)
    await this.#followPieces(this.#vectors)
    this.#stamp = place.stamp
  }

  /** Loads only these facts, with or without vectors, for an owner that is not loaded completely; loaded ones stay. */
  async take(rids: readonly number[], model: StoredModel | undefined, memory: BlockMemory | undefined, coded: boolean): Promise<void> {
    this.#followModel(model, memory)
    const enter = (values: readonly unknown[]): void => {
      const fact = changedFact(values)
      const { rid } = fact.sketch
      // A read repeated after a lost connection returns rows again.
      if (this.#documents.slots.slotOf(rid) >= 0) return
      this.#words.put(this.#enter(fact))
      if (fact.pieces > 0) this.#long.add(rid)
      if (!coded) this.#bare.add(rid)
    }
    await this.#eachPage(
      rids.filter((rid) => this.#documents.slots.slotOf(rid) < 0),
      (page) => each(enter, (coded ? codedFactsOf : factsOf)(this.owner, page)),
    )
    if (!coded || this.#vectors === undefined) return
    const bare = rids.filter((rid) => this.#bare.delete(rid))
    const fill = (values: readonly unknown[]): void =>
      this.#putCodes(this.#documents.slots.slotOf(asNumber(values[0], 'rid')), toStoredCodes(values[2], values[1]))
    await this.#eachPage(bare, (page) => each(fill, codesOfFacts(this.owner, page)))
    await this.#readPieces(
      this.#vectors,
      rids.filter((rid) => this.#long.delete(rid)),
    )
  }

  async #eachPage(rids: readonly number[], read: (page: readonly number[]) => Plan<void>): Promise<void> {
    for (let i = 0; i < rids.length; i += PAGE_SIZE) await this.#connection.read(() => read(rids.slice(i, i + PAGE_SIZE)))
  }

  /** Releases the shared memory; the shard must not be used afterwards. */
  release(): void {
    this.#vectors?.release()
    this.#vectors = undefined
  }

  /** Vectors of two models are never mixed: those of another model are dropped. */
  #followModel(model: StoredModel | undefined, memory: BlockMemory | undefined): void {
    if (this.#vectors !== undefined && this.#epoch === model?.epoch) return
    this.#vectors?.release()
    this.#vectors = undefined
    if (model === undefined || memory === undefined) return
    this.#vectors = new VectorRows(memory)
    this.#epoch = model.epoch
    this.#stamp = -1
    this.#vectorPlace = FIRST_POSITION
    this.#piecePlace = FIRST_POSITION
  }

  async #load({ generation, seq, stamp, facts }: OwnerWatermark): Promise<void> {
    // A wrong count must not cause a failure.
    const expected = Math.min(facts, MAX_EXPECTED)
    this.#vectors?.release()
    this.#vectors?.expect(expected)
    this.#documents = new Documents(this.owner)
    this.#documents.expect(expected)
    this.#words = new InvertedIndex(this.#documents.slots)
    this.#words.beginLoad(expected)
    await streamRows(this.#connection, {
      rows: facts,
      query: (after, limit) => loadedFactsAfter(this.owner, after, limit),
      take: (values) => this.#words.put(this.#enter(toIndexedFact(values))),
    })
    for (const _ of this.#words.endLoad()) await setImmediate()
    this.#seq = seq
    this.#generation = generation
    // Vectors up to that batch came with their rows; later ones have a higher number.
    if (this.#vectors !== undefined) this.#vectorPlace = { stamp, rid: Number.MAX_SAFE_INTEGER, index: -1 }
    this.#piecePlace = FIRST_POSITION
    this.#stamp = -1
  }

  /** Everything of a fact except its terms. */
  #enter({ sketch, of: owner, terms, codes }: IndexedFact): WordedDocument {
    const slot = this.#documents.put(sketch, owner)
    this.#putCodes(slot, codes)
    const { session } = sketch
    // Neighbours contribute context terms to each other, so they must have the same readers.
    return { slot, session: session === null ? null : `${this.#documents.classAt(slot)} ${session}`, packed: terms }
  }

  #putCodes(slot: number, codes: StoredCodes | undefined): void {
    if (codes === undefined || this.#vectors === undefined) return
    if (codes.part.to - codes.part.from === 2 * this.#vectors.dimensions) this.#vectors.putStored(slot, codes)
  }

  #take(fact: ChangedFact): void {
    const { rid } = fact.sketch
    const before = this.#documents.slots.slotOf(rid)
    if (before >= 0) this.#leave(before)
    const worded = this.#enter(fact)
    this.#words.put(worded)
    if (before < 0) return
    if (!fact.hasVector) this.#vectors?.remove(before)
    else if (this.#vectors !== undefined) {
      // Its text may have changed and been embedded again.
      if (this.#vectors.removePieces(before)) this.#long.add(rid)
      this.#vectors.move(before, worded.slot)
    }
  }

  #leave(slot: number): void {
    this.#words.remove(slot)
    this.#documents.remove(slot)
  }

  #followJournal(): Promise<void> {
    return eachPage(
      PAGE_SIZE,
      () =>
        this.#connection.read(() =>
          run(
            `SELECT seq, target_row FROM journal WHERE owner = ? AND seq > ? AND target_kind = 'fact' ORDER BY seq LIMIT ?`,
            this.owner,
            this.#seq,
            PAGE_SIZE,
          ),
        ),
      async (entries) => {
        await this.#readAgain([...new Set(entries.flatMap((entry) => numberOrNull(entry, 'target_row') ?? []))])
        const last = entries[entries.length - 1]
        if (last !== undefined) this.#seq = number(last, 'seq')
      },
    )
  }

  /** Reloads written or deleted facts. */
  async #readAgain(rids: readonly number[]): Promise<void> {
    const gone = new Set(rids)
    for (const fact of await this.#connection.read(() => factsAt(this.owner, rids))) {
      if (gone.delete(fact.sketch.rid)) this.#take(fact)
    }
    for (const rid of gone) {
      const slot = this.#documents.slots.slotOf(rid)
      if (slot < 0) continue
      this.#vectors?.remove(slot)
      this.#leave(slot)
    }
  }

  #followVectors(vectors: VectorRows): Promise<void> {
    return eachPage(
      PAGE_SIZE,
      () => this.#connection.read(() => codesSince(this.owner, this.#vectorPlace.stamp, this.#vectorPlace.rid, PAGE_SIZE)),
      async (page) => {
        await this.#learn(page.map((row) => row.rid))
        for (const row of page) {
          const slot = this.#documents.slots.slotOf(row.rid)
          if (slot >= 0 && row.high.length === vectors.dimensions) vectors.put(slot, row)
          this.#vectorPlace = { stamp: row.stamp, rid: row.rid, index: -1 }
        }
      },
    )
  }

  /** Pieces are stored after the vector of their fact. */
  #followPieces(vectors: VectorRows): Promise<void> {
    const read = (): Promise<readonly PieceCodes[]> => {
      const { stamp, rid, index } = this.#piecePlace
      return this.#connection.read(() => piecesSince(this.owner, stamp, rid, index, PAGE_SIZE))
    }
    return eachPage(PAGE_SIZE, read, async (page) => {
      await this.#learn(page.map((row) => row.rid))
      for (const piece of page) {
        const slot = this.#documents.slots.slotOf(piece.rid)
        if (slot >= 0 && piece.high.length === vectors.dimensions) vectors.put(slot, piece, piece)
        this.#piecePlace = piece
      }
    })
  }

  async #readPieces(vectors: VectorRows, rids: readonly number[]): Promise<void> {
    for (let i = 0; i < rids.length; i += FACTS_BATCH_SIZE) {
      if (i > 0) await setImmediate()
      const pieces = await this.#connection.read(() => piecesOfRows(this.owner, rids.slice(i, i + FACTS_BATCH_SIZE)))
      for (const piece of pieces) {
        const slot = this.#documents.slots.slotOf(piece.rid)
        if (slot >= 0 && piece.high.length === vectors.dimensions) vectors.put(slot, piece, piece)
      }
    }
  }

  /** A fact and its vector may both have been written since the journal was read. */
  async #learn(rids: readonly number[]): Promise<void> {
    const unknown = rids.filter((rid) => this.#documents.slots.slotOf(rid) < 0)
    if (unknown.length === 0) return
    for (const fact of await this.#connection.read(() => factsAt(this.owner, [...new Set(unknown)]))) this.#take(fact)
  }
}
