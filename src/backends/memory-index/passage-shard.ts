import { setImmediate } from 'node:timers/promises'
import { unpackRough } from '../../core/encoding/rough-bytes.js'
import type { RoughEmbedder } from '../../ports/code-index.js'
import type { StoredModel } from '../sql/owners/stored-model.js'
import { asPart, bytes, type Connection, inSlices, number, type Row, run, text, textOrNull } from '../sql/plan/plan.js'
import type { SourcePlace } from '../sql/sources/source-places.js'
import { codesOf, passageCodesSince } from '../sql/vectors/vectors.js'
import type { BlockMemory } from '../vector/block-memory.js'
import { toCodes, type VectorCodes } from '../vector/codes.js'
import { VectorRows } from '../vector/vector-rows.js'
import { Slots } from './documents.js'
import { InvertedIndex } from './inverted-index.js'
import { eachPage } from './pages.js'

const PAGE_SIZE = 1000
/** A rough vector takes about 20 µs per text, so a slice takes a few milliseconds. */
const SLICE_SIZE = 200
const FILES_BATCH_SIZE = 64

/** Passages with their vectors, if any. */
const WITH_CODES = `SELECT p.rid, p.path, p.language, p.kind, p.terms, p.rough, CASE WHEN p.rough IS NULL THEN p.embed_text END AS embed_text,
  c.scale, c.codes FROM passages p LEFT JOIN passage_codes c ON c.rid = p.rid AND c.owner = p.owner`

/** Columns that filters need. */
interface PassageEntry {
  readonly source: string
  readonly path: string
  readonly language: string | null
  readonly kind: string
}

/** Computation and storage of rough vectors. */
interface RoughVectors {
  readonly embedder: RoughEmbedder
  readonly memory: BlockMemory
}

/** Progress through one source of a shard. */
interface FollowedSource {
  /** The version of the source that is completely loaded. */
  revision: number
  /** Distinguishes sources that had this id. */
  readonly origin: string
  /** Rows of each file. */
  readonly files: Map<string, Set<number>>
}

/** The shard of a source: a repository has its own, the documents of an owner share one, since most are small. */
export const shardKeyOf = ({ id, owner, kind }: SourcePlace): string => (kind === 'repo' ? `repo ${id}` : `documents ${owner}`)

/** Terms and vectors of the passages of some sources in memory, independent of other sources. */
export class PassageShard {
  readonly #connection: Connection
  readonly #roughVectors: RoughVectors
  #slots = new Slots()
  #words = new InvertedIndex(this.#slots)
  #entries: (PassageEntry | undefined)[] = []
  #sources = new Map<string, FollowedSource>()
  #rough: VectorRows
  #vectors: VectorRows | undefined
  /** The owner of the sources; a shard has one. */
  #owner = ''
  #epoch = 0
  #place = { stamp: 0, rid: 0 }
  #sinceTurn = 0

  constructor(connection: Connection, rough: RoughVectors) {
    this.#connection = connection
    this.#roughVectors = rough
    this.#rough = new VectorRows(rough.memory)
  }

  get slots(): Slots {
    return this.#slots
  }

  get words(): InvertedIndex {
    return this.#words
  }

  get rough(): VectorRows {
    return this.#rough
  }

  /** Absent until the first vector is stored. */
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

  *paths(): Iterable<string> {
    for (const { files } of this.#sources.values()) yield* files.keys()
  }

  entryAt(slot: number): PassageEntry | undefined {
    return this.#entries[slot]
  }

  /** 1 for the passages of these sources; undefined if there are no others. */
  partOf(chosen: ReadonlySet<string>): Uint8Array | undefined {
    if ([...this.#sources.keys()].every((source) => chosen.has(source))) return undefined
    const part = new Uint8Array(this.#slots.size)
    for (const [slot, entry] of this.#entries.entries()) if (entry !== undefined && chosen.has(entry.source)) part[slot] = 1
    return part
  }

  release(): void {
    this.#rough.release()
    this.#vectors?.release()
  }

  /** Loads the sources or catches up. */
  async follow(places: readonly SourcePlace[], model: StoredModel | undefined, memory: BlockMemory | undefined): Promise<void> {
    if (this.#slots.isWasteful) this.#clear()
    const there = new Set(places.map(({ id }) => id))
    for (const id of [...this.#sources.keys()]) if (!there.has(id)) this.#dropSource(id)
    const isFirst = this.#sources.size === 0
    this.#owner = places[0]?.owner ?? this.#owner
    this.#followModel(model, memory)
    const stamp = Math.max(0, ...places.map((place) => place.stamp))
    for (const place of places) await this.#followSource(place)
    // Vectors up to that batch came with their rows.
    if (isFirst && this.#vectors !== undefined) this.#place = { stamp, rid: Number.MAX_SAFE_INTEGER }
    for (const _ of this.#words.tidy()) await setImmediate()
    await this.#followVectors(places, stamp)
  }

  async #followSource(place: SourcePlace): Promise<void> {
    const known = this.#sources.get(place.id)
    if (known !== undefined && known.origin === place.origin && known.revision <= place.version) {
      if (known.revision < place.version) await this.#followFiles(place.id, known)
      known.revision = place.version
      return
    }
    this.#dropSource(place.id)
    const source: FollowedSource = { revision: place.version, origin: place.origin, files: new Map() }
    this.#sources.set(place.id, source)
    await this.#load(place.id, source).catch((failure: unknown) => {
      // An incomplete source is reloaded next time.
      this.#dropSource(place.id)
      throw failure
    })
  }

  async #followVectors(places: readonly SourcePlace[], stamp: number): Promise<void> {
    const [first] = places
    const vectors = this.#vectors
    if (first === undefined || vectors === undefined || this.#place.stamp >= stamp) return
    await eachPage(
      PAGE_SIZE,
      () => this.#connection.read(() => passageCodesSince(first, this.#place, PAGE_SIZE)),
      (page) => {
        for (const row of page) {
          this.#putCodes(this.#slots.slotOf(row.rid), row)
          this.#place = row
        }
      },
    )
    // Later vectors may belong to files not loaded yet: they are read again with those.
    this.#place = { stamp, rid: Number.MAX_SAFE_INTEGER }
  }

  #clear(): void {
    this.release()
    this.#slots = new Slots()
    this.#words = new InvertedIndex(this.#slots)
    this.#entries = []
    this.#sources = new Map()
    this.#rough = new VectorRows(this.#roughVectors.memory)
    this.#vectors = undefined
    this.#place = { stamp: 0, rid: 0 }
  }

  #dropSource(id: string): void {
    for (const rids of this.#sources.get(id)?.files.values() ?? []) for (const rid of rids) this.#drop(rid)
    this.#sources.delete(id)
  }

  /** Vectors of two models are never mixed: those of another model are dropped. */
  #followModel(model: StoredModel | undefined, memory: BlockMemory | undefined): void {
    if (this.#vectors !== undefined && this.#epoch === model?.epoch) return
    this.#vectors?.release()
    this.#vectors = undefined
    if (model === undefined || memory === undefined) return
    this.#vectors = new VectorRows(memory)
    this.#epoch = model.epoch
    this.#place = { stamp: 0, rid: 0 }
  }

  async #load(id: string, source: FollowedSource): Promise<void> {
    let after = 0
    await eachPage(
      PAGE_SIZE,
      () =>
        this.#connection.read(() =>
          run(
            `${WITH_CODES} WHERE +p.owner = ? AND p.source_id = ? AND p.rid > ? ORDER BY p.rid LIMIT ?`,
            this.#owner,
            id,
            after,
            PAGE_SIZE,
          ),
        ),
      async (page) => {
        await this.#takeAll(page, id, source)
        const last = page[page.length - 1]
        if (last !== undefined) after = number(last, 'rid')
      },
    )
  }

  async #followFiles(id: string, source: FollowedSource): Promise<void> {
    const changed = await this.#connection.read(() =>
      run(`SELECT path FROM source_files WHERE +owner = ? AND source_id = ? AND revision > ?`, this.#owner, id, source.revision),
    )
    const paths = changed.map((row) => text(row, 'path'))
    for (let index = 0; index < paths.length; index += FILES_BATCH_SIZE)
      await this.#readFiles(paths.slice(index, index + FILES_BATCH_SIZE), id, source)
  }

  async #readFiles(paths: readonly string[], id: string, source: FollowedSource): Promise<void> {
    const rows = await this.#connection.read(() =>
      inSlices(paths, (marks) => `${WITH_CODES} WHERE +p.owner = ? AND p.source_id = ? AND p.path IN (${marks})`, this.#owner, id),
    )
    const there = new Set(rows.map((row) => number(row, 'rid')))
    for (const path of paths) {
      const known = source.files.get(path)
      if (known === undefined) continue
      for (const rid of known) {
        if (there.has(rid)) continue
        known.delete(rid)
        this.#drop(rid)
      }
      if (known.size === 0) source.files.delete(path)
    }
    await this.#takeAll(rows, id, source)
  }

  async #takeAll(rows: readonly Row[], id: string, source: FollowedSource): Promise<void> {
    for (const row of rows) {
      this.#take(row, id, source)
      if (++this.#sinceTurn % SLICE_SIZE === 0) await setImmediate()
    }
  }

  #take(row: Row, id: string, source: FollowedSource): void {
    const rid = number(row, 'rid')
    if (this.#slots.slotOf(rid) >= 0) return
    const slot = this.#slots.claim(rid)
    const path = text(row, 'path')
    const file = source.files.get(path)
    if (file === undefined) source.files.set(path, new Set([rid]))
    else file.add(rid)
    this.#entries[slot] = { source: id, path, language: textOrNull(row, 'language'), kind: text(row, 'kind') }
    this.#words.put({ slot, session: null, packed: asPart(row.terms, 'terms') })
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
