import type { AccessFilter } from '../../../core/access/access-filter.js'
import { termHash } from '../../../core/text/text.js'
import type { LexicalMatches, View } from '../../../ports/view.js'
import { createWhole } from '../../memory-index/bm25-search.js'
import { FactShard } from '../../memory-index/fact-shard.js'
import { computeOwnersVersion } from '../../memory-index/fact-shards.js'
import type { VectorMemory } from '../../memory-index/vector-memory.js'
import type { ViewParts } from '../../memory-index/views.js'
import type { Connection } from '../../sql/plan/plan.js'
import { createLargeSearch } from './index-search.js'
import type { LargePlace } from './indexed-owners.js'

interface LargeViewOptions {
  readonly connection: Connection
  readonly vectors: VectorMemory
  readonly large: LargePlace
  readonly reach: AccessFilter
  /** Answers queries from what is in memory. */
  readonly parts: ViewParts
}

/** A view of an owner that is not loaded: the database preselects candidates, and only these are loaded and scored like a shard. */
export function largeView({ connection, vectors, large, reach, parts }: LargeViewOptions): View {
  const { place, model, tokensEach } = large
  const { owner } = place
  const shard = new FactShard(owner, connection)
  const search = createLargeSearch(connection, owner, place.facts, tokensEach, model?.dimensions)
  let last: Promise<unknown> = Promise.resolve()

  /**
   * The state in memory with these facts loaded. Searches may run concurrently, but results are added in query order, so that scores do not
   * depend on timing.
   */
  const taking = (found: readonly number[] | Promise<readonly number[]>, coded: boolean): Promise<ReturnType<ViewParts>> => {
    const rids = Promise.resolve(found)
    rids.catch(() => undefined)
    const next = last.then(async () => shard.take(await rids, model, vectors.for(model), coded))
    last = next.catch(() => undefined)
    return next.then(() => parts([shard.state], owner, reach))
  }
  const having = (found: readonly number[] | Promise<readonly number[]>) => taking(found, false)
  const coded = (found: readonly number[] | Promise<readonly number[]>) => taking(found, true)
  /** Facts whose session neighbours are loaded. */
  const surrounded = new Set<number>()
  /** Loads session neighbours, whose context affects the score. */
  const inContext = async (rids: readonly number[]): Promise<void> => {
    const alone = rids.filter((rid) => !surrounded.has(rid))
    if (alone.length === 0) return
    await having([...new Set([...alone, ...(await search.around(alone))])])
    for (const rid of alone) surrounded.add(rid)
  }
  const readable = async (rids: readonly number[]): Promise<ReadonlySet<number>> =>
    new Set((await (await having(rids)).rows.idsOf(rids)).keys())

  const words: View['words'] = {
    async phrase(texts, limit) {
      const all = parts([shard.state], owner, 'everything')
      const rids = await all.words.phrase(texts, limit)
      const may = await readable(rids)
      return rids.filter((rid) => may.has(rid))
    },
    async search(terms, pool, limit, fields): Promise<LexicalMatches> {
      const finding = search.byTerms([...new Set(terms.map(termHash))], pool)
      await having(finding.then(({ rids, around }) => [...new Set([...rids, ...around])]))
      const { rids, frequency } = await finding
      for (const rid of rids) surrounded.add(rid)
      const whole = createWhole(place.facts, tokensEach, frequency)
      const answer = (): Promise<LexicalMatches> => parts([shard.state], owner, reach, whole).words.search(terms, pool, limit, fields)
      let scored = shard.size
      let latest = answer()
      const made = await latest
      return {
        ...made,
        async scores(wanted) {
          await inContext(wanted)
          // Facts loaded since are not scored yet.
          if (shard.size > scored) {
            scored = shard.size
            latest = answer()
          }
          return (await latest).scores(wanted)
        },
      }
    },
  }

  return {
    mark: computeOwnersVersion({ places: [place], model }),
    approximate: true,
    words,
    vectors: {
      search: async (query, pool, limit, key) => (await coded(search.nearest(query, pool, limit))).vectors.search(query, pool, limit, key),
      similarities: async (query, rids) => (await coded(rids)).vectors.similarities(query, rids),
      pieces: async (query, rids) => (await coded(rids)).vectors.pieces(query, rids),
      vectors: async (rids) => (await coded(rids)).vectors.vectors(rids),
    },
    links: {
      sketches: async (rids) => (await having(rids)).links.sketches(rids),
      surroundings: async (rids, characters) => (await having(rids)).links.surroundings(rids, characters),
      mentions: async (rids) => (await having(rids)).links.mentions(rids),
      async postings(name, names, limit) {
        const found = await parts([shard.state], owner, 'everything').links.postings(name, names, limit)
        const may = await readable([...new Set(found.flatMap(({ subjects, mentions }) => [...subjects, ...mentions]))])
        return found.map((posting) => ({
          ...posting,
          subjects: posting.subjects.filter((rid) => may.has(rid)),
          mentions: posting.mentions.filter((rid) => may.has(rid)),
        }))
      },
      namesIn: (name, texts) => parts([shard.state], owner, reach).links.namesIn(name, texts),
      authorsIn: (name, texts) => parts([shard.state], owner, reach).links.authorsIn(name, texts),
    },
    rows: {
      async ridsOf(ids) {
        const found = await parts([shard.state], owner, 'everything').rows.ridsOf(ids)
        const may = await readable([...found.values()])
        return new Map([...found].filter(([, rid]) => may.has(rid)))
      },
      idsOf: async (rids) => (await having(rids)).rows.idsOf(rids),
    },
    statementHeaders: async (rids) => (await having(rids)).statementHeaders(rids),
    close: () => shard.release(),
  }
}
