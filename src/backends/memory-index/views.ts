import { setImmediate } from 'node:timers/promises'
import { type AccessFilter, ANY_OWNER } from '../../core/access/access-filter.js'
import type { Hit, LexicalHit, LinkIndex, SearchFilter, View } from '../../ports/view.js'
import { createLinkIndex, type OwnedLinks } from '../sql/links/link-index.js'
import type { OwnerWatermark } from '../sql/owners/owners.js'
import type { Dialect } from '../sql/plan/dialect.js'
import { inSlices, number, queryBatch, text } from '../sql/plan/plan.js'
import { TopHits } from '../vector/top-hits.js'
import type { VectorGranularity } from '../vector/vector-rows.js'
import { type CorpusStats, searchBm25 } from './bm25-search.js'
import type { ShardState } from './fact-shard.js'
import type { FactShards, FollowedConnection } from './fact-shards.js'
import { readStatementHeaders } from './statement-headers.js'
import { byRow, ViewRows } from './view-rows.js'

/** Owners whose shards are needed; undefined for all. */
export function ownersOf(owner: string | undefined, reach: AccessFilter): readonly string[] | undefined {
  if (reach === 'everything') return owner === undefined ? undefined : [owner]
  if (reach.owners.some((owner) => owner.owner === ANY_OWNER)) return owner === undefined ? undefined : [owner]
  const reached = reach.owners.map((owner) => owner.owner)
  return owner === undefined ? reached : reached.filter((value) => value === owner)
}

/** Answers a query from what is in memory; `whole` has the corpus statistics of an owner that is loaded partially. */
export type ViewParts = (
  states: readonly ShardState[],
  owner: string | undefined,
  reach: AccessFilter,
  whole?: CorpusStats,
) => Omit<View, 'mark' | 'close'>

export function createViewParts(connection: FollowedConnection, dialect: Dialect): ViewParts {
  const links = createLinkIndex(connection, dialect)
  return (states, owner, reach, whole) => {
    const numbers = new ViewRows(states, reach)
    return {
      words: wordsIn({ connection, dialect, numbers, owner, isAll: owner === undefined && reach === 'everything', whole }),
      vectors: vectorsIn(numbers),
      links: linksIn(numbers, links),
      statementHeaders: (rids) => readStatementHeaders(connection, numbers, rids),
      rows: rowsIn(connection, numbers, owner),
    }
  }
}

const rowsIn = (connection: FollowedConnection, numbers: ViewRows, owner: string | undefined): View['rows'] => ({
  ridsOf: (ids) =>
    connection.read(function* () {
      const rows =
        owner === undefined
          ? yield* inSlices(ids, (marks) => `SELECT rid, id, owner FROM facts WHERE id IN (${marks})`)
          : yield* inSlices(ids, (marks) => `SELECT rid, id, owner FROM facts WHERE +owner = ? AND id IN (${marks})`, owner)
      return new Map(
        rows.flatMap((row): [string, number][] => {
          const found = numbers.rowFor(text(row, 'owner'), number(row, 'rid'))
          return found === undefined ? [] : [[text(row, 'id'), found]]
        }),
      )
    }),
  idsOf: async (rids) =>
    new Map(
      rids.flatMap((rid): [number, string][] => {
        const place = numbers.placeOf(rid)
        return place === undefined ? [] : [[rid, place.shard.documents.sketchAt(place.slot).id]]
      }),
    ),
})

export interface Views {
  view(owner: string | undefined, reach?: AccessFilter): Promise<View>
}

/** Creates views. `seen` is called with the watermarks of queried owners. */
export const createViews = (shards: FactShards, parts: ViewParts, seen: (place: OwnerWatermark) => void = () => undefined): Views => ({
  async view(owner, reach = 'everything') {
    const opened = await shards.open(ownersOf(owner, reach))
    for (const place of opened.places) seen(place)
    const states = opened.shards.map((shard) => shard.state)
    return { mark: opened.mark, ...parts(states, owner, reach), close: opened.close }
  },
})

/** A predicate for documents that pass the filter. */
const filterOf = (numbers: ViewRows, index: number, shard: ShardState, pool: SearchFilter): ((slot: number) => boolean) => {
  const { documents } = shard
  const { before, except } = pool
  const mask = numbers.readable(index)
  if (before === undefined && except === undefined)
    return mask === undefined ? (slot) => documents.isValid(slot, pool) : (slot) => mask[slot] === 1 && documents.isValid(slot, pool)
  return (slot) => {
    const row = numbers.rowOf(index, documents.slots.ridAt(slot))
    const isOpen = (mask === undefined || mask[slot] === 1) && (before === undefined || row < before) && row !== except
    return isOpen && documents.isValid(slot, pool)
  }
}

interface WordsOptions {
  readonly connection: FollowedConnection
  readonly dialect: Dialect
  readonly numbers: ViewRows
  readonly owner: string | undefined
  /** No owner is named and everything is readable. */
  readonly isAll: boolean
  readonly whole: CorpusStats | undefined
}

const wordsIn = ({ connection, dialect, numbers, owner, isAll, whole }: WordsOptions): View['words'] => ({
  phrase: (words, limit) =>
    connection.read(function* () {
      const owners = owner === undefined && dialect.wordsByOwner ? numbers.shards.map((shard) => shard.owner) : [owner]
      const found = yield* queryBatch(owners.map((owner) => dialect.lexicalPhrase(owner, words, limit)))
      const rows = found.flat().flatMap((row) => numbers.rowFor(text(row, 'owner'), number(row, 'rid')) ?? [])
      return (owners.length === 1 ? rows : rows.sort((a, b) => numbers.recordedAt(b) - numbers.recordedAt(a))).slice(0, limit)
    }),
  async search(terms, pool, limit, fields) {
    const wanted = numbers.shards.map((shard, index) => ({
      words: shard.words,
      readable: numbers.readable(index),
      passes: filterOf(numbers, index, shard, pool),
      rowAt: (slot: number) => numbers.rowOf(index, shard.documents.slots.ridAt(slot)),
    }))
    const { hits, documents, rarity, scoreAt } = searchBm25(wanted, terms, limit, fields, isAll, whole)
    // Awaiting settled promises does not yield to the event loop; this does.
    await setImmediate()
    const hitOf = (rid: number): LexicalHit[] => {
      const place = numbers.placeOf(rid)
      return place === undefined ? [] : [{ rid, ...scoreAt(place.index, place.slot) }]
    }
    return {
      hits: hits.flatMap(({ rid }) => hitOf(rid)),
      documents,
      rarity,
      scores: async (rids) => new Map(rids.flatMap(hitOf).map((hit) => [hit.rid, hit])),
    }
  },
})

const vectorsIn = (numbers: ViewRows): View['vectors'] => ({
  async search(query, pool, limit, granularity: VectorGranularity = 'best piece') {
    const top = new TopHits(limit)
    for (const [index, shard] of numbers.shards.entries()) {
      if (shard.vectors === undefined) continue
      const among = {
        readable: numbers.readable(index),
        passes: filterOf(numbers, index, shard, pool),
        ridAt: (slot: number) => numbers.rowOf(index, shard.documents.slots.ridAt(slot)),
      }
      for (const hit of await shard.vectors.search(query, limit, among, granularity)) top.offer(hit)
    }
    await setImmediate()
    return top.best().map(({ rid, score }): Hit => ({ rid, score }))
  },
  async similarities(query, rids) {
    const found = new Map<number, number>()
    for (const rid of rids) {
      const place = numbers.placeOf(rid)
      const cosine = place?.shard.vectors?.similarity(query, place.slot)
      if (cosine !== undefined) found.set(rid, cosine)
    }
    return found
  },
  pieces: async (query, rids) =>
    new Map(
      rids.flatMap((rid) => {
        const place = numbers.placeOf(rid)
        const pieces = place?.shard.vectors?.pieces(query, place.slot) ?? []
        return pieces.length === 0 ? [] : [[rid, pieces]]
      }),
    ),
  vectors: async (rids) => {
    const found = new Map<number, Float32Array>()
    const dimensions = numbers.shards.find(({ vectors }) => vectors !== undefined)?.vectors?.dimensions ?? 0
    // One allocation: hundreds of small ones take longer than the copy.
    const all = new Float32Array(rids.length * dimensions)
    for (const [i, rid] of rids.entries()) {
      const place = numbers.placeOf(rid)
      const vector = all.subarray(i * dimensions, (i + 1) * dimensions)
      if (place?.shard.vectors?.read(place.slot, vector) === true) found.set(rid, vector)
    }
    return found
  },
})

/** Links with the row numbers of the view. */
function linksIn(numbers: ViewRows, links: OwnedLinks): LinkIndex {
  const same = <T>(value: T): T => value
  return {
    sketches: async (rids) =>
      rids.flatMap((row) => {
        const place = numbers.placeOf(row)
        return place === undefined ? [] : [{ rid: row, ...place.shard.documents.sketchAt(place.slot) }]
      }),
    surroundings: (rids, characters) => byRow(numbers, rids, (owner, own) => links.surroundings(owner, own, characters), same),
    mentions: (rids) => byRow(numbers, rids, links.mentions, same),
    postings: async (owner, names, limit) => {
      const inView = (rids: readonly number[]): readonly number[] => rids.flatMap((rid) => numbers.rowFor(owner, rid) ?? [])
      return (await links.postings(owner, names, limit)).map(({ name, subjects, mentions }) => ({
        name,
        subjects: inView(subjects),
        mentions: inView(mentions),
      }))
    },
    namesIn: links.namesIn,
    authorsIn: links.authorsIn,
  }
}
