import { pathGlob } from '../../core/files/path-glob.js'
import type { CodeAnswer, CodeCandidate, CodeFilter, CodeQuery, RoughEmbedder } from '../../ports/code-index.js'
import { ownModel, type StoredModel, storedModel } from '../sql/owners/stored-model.js'
import type { Plan } from '../sql/plan/plan.js'
import { codeDefinitions } from '../sql/sources/code-reads.js'
import { type SourcePlace, sourcePlaces } from '../sql/sources/source-places.js'
import { BlockMemory } from '../vector/block-memory.js'
import { TopHits } from '../vector/top-hits.js'
import type { VectorRows } from '../vector/vector-rows.js'
import { searchBm25 } from './bm25-search.js'
import type { FollowedConnection } from './fact-shards.js'
import { PassageShard, shardKeyOf } from './passage-shard.js'
import { pathFilter } from './path-filter.js'
import { catchUpTo, type ShardCache } from './shard-cache.js'
import type { VectorMemory } from './vector-memory.js'

interface ResidentPassages {
  search(question: CodeQuery): Promise<CodeAnswer>
  hasSources(owner: string | undefined): Promise<boolean>
  /** Loads every source or catches up. */
  catchUp(): Promise<void>
}

/** All sources at one store version. */
interface SourcePlaces {
  readonly mark: number
  readonly model: StoredModel | undefined
  readonly sources: readonly SourcePlace[]
}

/** The shards of a query, and the passages that pass its filter. */
interface OpenPassages {
  readonly shards: readonly PassageShard[]
  /** Owners of the passages. */
  readonly owners: readonly string[]
  /** Passages of a shard that pass; undefined if all do. */
  partOf(shard: PassageShard): Uint8Array | undefined
  /** True if no other passages exist. */
  readonly isAll: boolean
  passes(shard: PassageShard, slot: number): boolean
  /** The location of a passing passage. */
  placeOf(rid: number): { readonly shard: PassageShard; readonly index: number; readonly slot: number } | undefined
  close(): void
}

/** Passage shards: one per repository, and one for the documents of each owner. Loaded on first use, caught up before each use. */
export function createResidentPassages(
  connection: FollowedConnection,
  memory: ShardCache,
  vectors: VectorMemory,
  embedder: RoughEmbedder,
): ResidentPassages {
  const rough = { embedder, memory: new BlockMemory(embedder.dimensions) }
  const shelf = memory.shelf(() => new PassageShard(connection, rough))
  let places: SourcePlaces | undefined
  let listed: Pick<SourcePlaces, 'mark' | 'sources'> | undefined

  const currentPlaces = async (): Promise<SourcePlaces> => {
    const mark = connection.changeMark()
    if (places !== undefined && places.mark >= mark) return places
    const found = await connection.read(function* (): Plan<SourcePlaces> {
      return { mark, model: yield* storedModel(), sources: yield* sourcePlaces() }
    })
    const there = new Set(found.sources.map(shardKeyOf))
    for (const key of shelf.keys()) if (!there.has(key)) shelf.evict(key)
    places = found
    return found
  }

  /** The sources without the model, which is another statement on a server. */
  const currentSources = async (): Promise<Pick<SourcePlaces, 'mark' | 'sources'>> => {
    const mark = connection.changeMark()
    const known = [places, listed].find((entry) => entry !== undefined && entry.mark >= mark)
    if (known !== undefined) return known
    listed = { mark, sources: await connection.read(sourcePlaces) }
    return listed
  }

  /** The shards of these sources, each caught up. */
  const openShards = async ({ mark, model, sources }: SourcePlaces, chosen: readonly SourcePlace[]) => {
    const keys = [...new Set(chosen.map(shardKeyOf))]
    const entered = keys.map((key) => shelf.acquire(key))
    try {
      const behind = entered.filter((cached) => cached.mark < mark)
      const placesOf = behind.length === 0 ? new Map<string, SourcePlace[]>() : byShard(sources)
      for (const cached of behind) {
        const own = placesOf.get(cached.key) ?? []
        // All sources of a shard have the same owner.
        const made = ownModel(model, own[0]?.epoch ?? null)
        await catchUpTo(cached, mark, () => cached.shard.follow(own, made, vectors.for(made)))
      }
      return { shards: entered.map(({ shard }) => shard), close: () => shelf.release(entered) }
    } catch (error) {
      shelf.release(entered)
      throw error
    }
  }

  const open = async (pool: CodeFilter): Promise<OpenPassages> => {
    const known = await currentPlaces()
    const chosen = known.sources.filter(
      ({ id, owner, kind, isActive }) =>
        (pool.sources?.includes(id) ?? true) &&
        (pool.owner === undefined || pool.owner === owner) &&
        (pool.sourceKinds?.includes(kind) ?? true) &&
        (pool.active !== true || isActive),
    )
    const { shards, close } = await openShards(known, chosen)
    try {
      const takesPath = pool.path === undefined ? undefined : await pathFilter(pathsOf(shards), pathGlob(pool.path))
      const ids = new Set(chosen.map(({ id }) => id))
      const parts = new Map(shards.map((shard) => [shard, shard.partOf(ids)]))
      const passes = (shard: PassageShard, slot: number): boolean => {
        const entry = shard.entryAt(slot)
        if (entry === undefined || parts.get(shard)?.[slot] === 0) return false
        if (pool.language !== undefined && entry.language !== pool.language) return false
        if (pool.kind !== undefined && entry.kind !== pool.kind) return false
        return takesPath === undefined || takesPath(entry.path)
      }
      return {
        shards,
        owners: [...new Set(chosen.map(({ owner }) => owner))],
        partOf: (shard) => parts.get(shard),
        isAll: chosen.length === known.sources.length,
        passes,
        placeOf(rid) {
          for (const [index, shard] of shards.entries()) {
            const slot = shard.slots.slotOf(rid)
            if (slot >= 0) return passes(shard, slot) ? { shard, index, slot } : undefined
          }
          return undefined
        },
        close,
      }
    } catch (error) {
      close()
      throw error
    }
  }

  return {
    async catchUp() {
      const known = await currentPlaces()
      const { close } = await openShards(known, known.sources)
      close()
    },
    async hasSources(owner) {
      const { sources } = await currentSources()
      return owner === undefined ? sources.length > 0 : sources.some((source) => source.owner === owner)
    },
    async search(question) {
      const opened = await open(question.pool)
      try {
        return await answer(connection, opened, question)
      } catch (error) {
        opened.close()
        throw error
      }
    },
  }
}

function byShard(sources: readonly SourcePlace[]): ReadonlyMap<string, SourcePlace[]> {
  const found = new Map<string, SourcePlace[]>()
  for (const place of sources) {
    const key = shardKeyOf(place)
    const own = found.get(key)
    if (own === undefined) found.set(key, [place])
    else own.push(place)
  }
  return found
}

function* pathsOf(shards: readonly PassageShard[]): Generator<string> {
  for (const shard of shards) yield* shard.paths()
}

async function answer(connection: FollowedConnection, opened: OpenPassages, question: CodeQuery): Promise<CodeAnswer> {
  const { shards } = opened
  const words = searchBm25(
    shards.map((shard) => ({
      words: shard.words,
      readable: opened.partOf(shard),
      passes: (slot: number) => opened.passes(shard, slot),
      rowAt: (slot: number) => shard.slots.ridAt(slot),
    })),
    question.terms,
    question.limit,
    question.fields,
    opened.isAll,
  )
  const defined = await connection.read(function* (): Plan<ReadonlyMap<number, readonly string[]>> {
    return question.names.length === 0 ? new Map() : yield* codeDefinitions(opened.owners, question.names)
  })
  const byModel = await findNearestPassages(opened, (shard) => shard.vectors, question.vector, question.limit)
  const byRough = await findNearestPassages(opened, (shard) => shard.rough, question.rough, question.limit)

  const candidateOf = (rid: number): readonly CodeCandidate[] => {
    const place = opened.placeOf(rid)
    if (place === undefined) return []
    const { shard, index, slot } = place
    const entry = shard.entryAt(slot)
    const worded = words.scoreAt(index, slot)
    return [
      {
        rid,
        file: `${entry?.source ?? ''}/${entry?.path ?? ''}`,
        kind: entry?.kind ?? '',
        bm25: worded.score,
        terms: worded.terms,
        length: worded.length,
        rarity: worded.rarity,
        cosine: cosineOf(shard.vectors, question.vector, slot),
        rough: cosineOf(shard.rough, question.rough, slot),
        defines: defined.get(rid) ?? [],
      },
    ]
  }
  const found = new Set([...words.hits.map(({ rid }) => rid), ...byModel, ...byRough, ...defined.keys()])
  return {
    candidates: [...found].flatMap(candidateOf),
    documents: words.documents,
    wholeRarity: words.rarity,
    also: async (rids) => [...new Set(rids)].flatMap(candidateOf),
    close: opened.close,
  }
}

function cosineOf(vectors: VectorRows | undefined, query: Float32Array | undefined, slot: number): number | null {
  return vectors === undefined || query === undefined ? null : (vectors.similarity(query, slot, 'whole') ?? null)
}

/** Passages of all shards by their vectors, best first. */
async function findNearestPassages(
  { shards, passes }: OpenPassages,
  vectorsOf: (shard: PassageShard) => VectorRows | undefined,
  query: Float32Array | undefined,
  limit: number,
): Promise<readonly number[]> {
  if (query === undefined) return []
  const top = new TopHits(limit)
  for (const shard of shards) {
    const vectors = vectorsOf(shard)
    if (vectors === undefined) continue
    const among = { passes: (slot: number) => passes(shard, slot), ridAt: (slot: number) => shard.slots.ridAt(slot) }
    for (const hit of await vectors.search(query, limit, among, 'whole')) top.offer({ ...hit, slot: 0 })
  }
  return top.best().map(({ rid }) => rid)
}
