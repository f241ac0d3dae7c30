import { setImmediate } from 'node:timers/promises'
import { unpackRough } from '../../core/rough-bytes.js'
import type { RoughEmbedder } from '../../ports/code-index.js'
import { bytes, type Connection, inSlices, number, type Row, run, text, textOrNull } from '../sql/plan.js'
import type { SourcePlace } from '../sql/source-places.js'
import type { StoredModel } from '../sql/stored-model.js'
import { codesOf, passageCodesSince } from '../sql/vectors.js'
import type { BlockMemory } from '../vector/block-memory.js'
import { toCodes, type VectorCodes } from '../vector/codes.js'
import { VectorRows } from '../vector/vector-rows.js'
import { Slots } from './documents.js'
import { eachPage } from './pages.js'
import { Words } from './words.js'

const PAGE = 1000
/** A text takes about 20 µs to embed roughly: the event loop is not held longer than a few milliseconds. */
const SLICE = 200
const FILES_AT_ONCE = 64

/** Passages with their vectors, where they have one. */
const WITH_CODES = `SELECT p.rid, p.path, p.language, p.kind, p.terms, p.rough, CASE WHEN p.rough IS NULL THEN p.embed_text END AS embed_text,
  c.scale, c.codes FROM passages p LEFT JOIN passage_codes c ON c.rid = p.rid AND c.owner = p.owner`

/** What filters ask about a passage. */
export interface PassageEntry {
  readonly path: string
  readonly language: string | null
  readonly kind: string
}

/** First vectors of passages: how they are made, and where all units keep them. */
export interface RoughVectors {
  readonly embedder: RoughEmbedder
  readonly memory: BlockMemory
}

/** Words and vectors of one source's passages in memory: nothing of other sources is in it or counts in it. */
export class ProjectUnit {
  readonly source: string
  readonly #connection: Connection
  readonly #roughVectors: RoughVectors
  #slots = new Slots()
  #words = new Words(this.#slots)
  #entries: (PassageEntry | undefined)[] = []
  #files = new Map<string, Set<number>>()
  #rough: VectorRows
  #vectors: VectorRows | undefined
  /** The version of the source whose files are all here. */
  #revision = 0
  /** Which of the sources that ever had this id it is. */
  #origin = ''
  #epoch = 0
  #place = { stamp: 0, rid: 0 }

  constructor(source: string, connection: Connection, rough: RoughVectors) {
    this.source = source
    this.#connection = connection
    this.#roughVectors = rough
    this.#rough = new VectorRows(rough.memory)
  }

  get slots(): Slots {
    return this.#slots
  }

  get words(): Words {
    return this.#words
  }

  get rough(): VectorRows {
    return this.#rough
  }

  /** None until the first vector is stored. */
  get vectors(): VectorRows | undefined {
    return this.#vectors
  }

  get memoryBytes(): number {
    return (
      this.#words.memoryBytes +
      this.#slots.memoryBytes +
      this.#rough.memoryBytes +
      (this.#vectors?.memoryBytes ?? 0) +
      this.#slots.live * 150
    )
  }

  paths(): Iterable<string> {
    return this.#files.keys()
  }

  entryAt(slot: number): PassageEntry | undefined {
    return this.#entries[slot]
  }

  release(): void {
    this.#rough.release()
    this.#vectors?.release()
  }

  /** Loads, or follows what was written since. */
  async follow(place: SourcePlace, model: StoredModel | undefined, memory: BlockMemory | undefined): Promise<void> {
    if (this.#origin !== place.origin || place.version < this.#revision || this.#slots.isWasteful) this.#clear()
    this.#origin = place.origin
    this.#followModel(model, memory)
    if (this.#revision === 0) await this.#load(place.stamp)
    else if (this.#revision < place.version) await this.#followFiles()
    this.#revision = place.version
    for (const _ of this.#words.tidy()) await setImmediate()
    const vectors = this.#vectors
    if (vectors === undefined || this.#place.stamp >= place.stamp) return
    await eachPage(
      PAGE,
      () => this.#connection.read(() => passageCodesSince(place, this.#place, PAGE)),
      (page) => {
        for (const row of page) {
          this.#putCodes(this.#slots.slotOf(row.rid), row)
          this.#place = row
        }
      },
    )
    // Later ones may belong to files that are not here yet: they are read again with these.
    this.#place = { stamp: place.stamp, rid: Number.MAX_SAFE_INTEGER }
  }

  #clear(): void {
    this.release()
    this.#slots = new Slots()
    this.#words = new Words(this.#slots)
    this.#entries = []
    this.#files = new Map()
    this.#rough = new VectorRows(this.#roughVectors.memory)
    this.#vectors = undefined
    this.#revision = 0
    this.#place = { stamp: 0, rid: 0 }
  }

  /** Vectors of two models never meet: those of another model are dropped. */
  #followModel(model: StoredModel | undefined, memory: BlockMemory | undefined): void {
    if (model === undefined || memory === undefined || (this.#vectors !== undefined && this.#epoch === model.epoch)) return
    this.#vectors?.release()
    this.#vectors = new VectorRows(memory)
    this.#epoch = model.epoch
    this.#place = { stamp: 0, rid: 0 }
  }

  async #load(stamp: number): Promise<void> {
    let after = 0
    await eachPage(
      PAGE,
      () =>
        this.#connection.read(() =>
          run(`${WITH_CODES} WHERE p.source_id = ? AND p.rid > ? ORDER BY p.rid LIMIT ?`, this.source, after, PAGE),
        ),
      async (page) => {
        await this.#takeAll(page)
        const last = page[page.length - 1]
        if (last !== undefined) after = number(last, 'rid')
      },
    )
    // Vectors stored up to that batch came with their rows.
    if (this.#vectors !== undefined) this.#place = { stamp, rid: Number.MAX_SAFE_INTEGER }
  }

  async #followFiles(): Promise<void> {
    const changed = await this.#connection.read(() =>
      run(`SELECT path FROM source_files WHERE source_id = ? AND revision > ?`, this.source, this.#revision),
    )
    const paths = changed.map((row) => text(row, 'path'))
    for (let at = 0; at < paths.length; at += FILES_AT_ONCE) await this.#readFiles(paths.slice(at, at + FILES_AT_ONCE))
  }

  async #readFiles(paths: readonly string[]): Promise<void> {
    const rows = await this.#connection.read(() =>
      inSlices(paths, (marks) => `${WITH_CODES} WHERE p.source_id = ? AND p.path IN (${marks})`, this.source),
    )
    const there = new Set(rows.map((row) => number(row, 'rid')))
    for (const path of paths) {
      const known = this.#files.get(path)
      if (known === undefined) continue
      for (const rid of known) {
        if (there.has(rid)) continue
        known.delete(rid)
        this.#drop(rid)
      }
      if (known.size === 0) this.#files.delete(path)
    }
    await this.#takeAll(rows)
  }

  async #takeAll(rows: readonly Row[]): Promise<void> {
    for (let at = 0; at < rows.length; at += SLICE) {
      for (const row of rows.slice(at, at + SLICE)) this.#take(row)
      await setImmediate()
    }
  }

  #take(row: Row): void {
    const rid = number(row, 'rid')
    if (this.#slots.slotOf(rid) >= 0) return
    const slot = this.#slots.claim(rid)
    const path = text(row, 'path')
    const file = this.#files.get(path)
    if (file === undefined) this.#files.set(path, new Set([rid]))
    else file.add(rid)
    this.#entries[slot] = { path, language: textOrNull(row, 'language'), kind: text(row, 'kind') }
    this.#words.put({ slot, session: null, packed: bytes(row, 'terms') })
    const rough = this.#roughOf(row)
    if (rough !== undefined) this.#rough.put(slot, rough)
    if (row.codes !== null && row.codes !== undefined) this.#putCodes(slot, codesOf(row))
  }

  #roughOf(row: Row): VectorCodes | undefined {
    const pending = textOrNull(row, 'embed_text')
    if (row.rough === null || row.rough === undefined)
      return pending === null ? undefined : toCodes(this.#roughVectors.embedder.passage(pending))
    const { codes, scale } = unpackRough(bytes(row, 'rough'))
    return codes.length === this.#roughVectors.memory.dimensions
      ? { high: codes, low: new Int8Array(codes.length), scale: scale / 256 }
      : undefined
  }

  #putCodes(slot: number, codes: VectorCodes): void {
    if (slot >= 0 && this.#vectors !== undefined && codes.high.length === this.#vectors.dimensions) this.#vectors.put(slot, codes)
  }

  #drop(rid: number): void {
    const slot = this.#slots.slotOf(rid)
    if (slot < 0) return
    this.#words.remove(slot)
    this.#rough.remove(slot)
    this.#vectors?.remove(slot)
    this.#entries[slot] = undefined
    this.#slots.free(slot)
  }
}
