import { namesInQuery } from '../../../core/code/search/rank.js'
import type { Passage } from '../../../core/facts/source.js'
import { nameWords, normalName } from '../../../core/graph/names.js'
import { OWN_WORDS } from '../../../core/recall/recipe/recipe.js'
import { looksLikeId } from '../../../core/substrate/objects/references.js'
import type { QueryPlan } from '../../../core/substrate/search/query-plan.js'
import { splitIdentifiers } from '../../../core/text/identifiers.js'
import { queryTerms, STOP_WORDS } from '../../../core/text/text.js'
import type { Hit, View } from '../../../ports/view.js'
import { resolveAsOf } from '../../as-of.js'
import type { Environment } from '../../environment.js'
import { withView } from '../../with-view.js'
import { loadObjects, type MemoryObject, ofEntity } from './objects.js'

/** A matching passage, with its cosine if it has a vector. */
export interface PassageMatch {
  readonly passage: Passage
  readonly cosine: number | null
  readonly worded: boolean
}

/** Possible results before ranking. */
export interface Candidates {
  readonly objects: ReadonlyMap<string, MemoryObject>
  /** Ids in lexical order, best first. */
  readonly worded: readonly string[]
  readonly cosines: ReadonlyMap<string, number>
  readonly passages: ReadonlyMap<string, readonly PassageMatch[]>
  /** True if more candidates exist. */
  readonly more: boolean
}

/** Cosines of facts and passages by id, from a vector index outside the store. */
interface NearTexts {
  readonly facts: ReadonlyMap<string, number>
  readonly passages: ReadonlyMap<string, number>
}

export type FindNearest = (vector: Float32Array, owner: string, limit: number) => Promise<NearTexts>

export interface ObjectSearch {
  readonly nearest?: FindNearest | undefined
  readonly text: string
  readonly plan: QueryPlan
  readonly owner: string
  readonly vector: Float32Array | undefined
  readonly depth: number
}

const MAX_PASSAGES = 30
const MAX_NAME_CHARS = 7

/** Facts, nodes and sources that match a query by keyword, meaning or name. */
export async function candidatesFor(env: Environment, search: ObjectSearch): Promise<Candidates> {
  const { nearest, vector } = search
  const near = nearest === undefined || vector === undefined ? undefined : await nearest(vector, search.owner, search.depth + MAX_PASSAGES)
  const facts = await factHits(env, search, near?.facts)
  const passages = await passageHits(env, search, near?.passages)
  const named = await namedNodes(env, search)
  const ids = search.plan.tokens.filter(looksLikeId)
  const worded = [...new Set([...facts.worded, ...[...passages].filter(([, met]) => met.some((match) => match.worded)).map(([id]) => id)])]
  const cosines = new Map(facts.cosines)
  for (const [id, met] of passages) {
    const best = Math.max(...met.map(({ cosine }) => cosine ?? -1))
    if (best >= env.settings.graph.thresholds.search) cosines.set(id, best)
  }
  const wanted = new Set([...worded, ...cosines.keys(), ...ids])
  const loaded = await loadObjects(env, [...wanted], search.owner)
  const objects = new Map([...loaded, ...named.map((object): [string, MemoryObject] => [object.id, object])])
  return { objects, worded: [...worded, ...named.map(({ id }) => id), ...ids], cosines, passages, more: facts.more }
}

function factHits(env: Environment, { text, owner, vector, depth }: ObjectSearch, elsewhere: ReadonlyMap<string, number> | undefined) {
  return withView(env, owner, async (view) => {
    const pool = resolveAsOf(env.clock, undefined)
    const { hits } = await view.words.search(queryTerms(text), pool, depth, OWN_WORDS)
    const near =
      elsewhere !== undefined ? await rowsOf(view, elsewhere) : vector === undefined ? [] : await view.vectors.search(vector, pool, depth)
    const close = near.filter(({ score }) => score >= env.settings.graph.thresholds.search)
    const ids = await view.rows.idsOf([...new Set([...hits, ...close].map(({ rid }) => rid))])
    return {
      worded: hits.flatMap(({ rid }) => ids.get(rid) ?? []),
      cosines: new Map(
        close.flatMap(({ rid, score }): [string, number][] => {
          const id = ids.get(rid)
          return id === undefined ? [] : [[id, score]]
        }),
      ),
      more: hits.length >= depth || close.length >= depth,
    }
  })
}

/** Hits given by id, as rows of a view. */
async function rowsOf(view: View, found: ReadonlyMap<string, number>): Promise<readonly Hit[]> {
  const rids = await view.rows.ridsOf([...found.keys()])
  return [...rids].map(([id, rid]) => ({ rid, score: found.get(id) ?? 0 })).sort((a, b) => b.score - a.score)
}

/** Passages by source, best first. */
async function passageHits(
  env: Environment,
  { text, owner, vector: own }: ObjectSearch,
  elsewhere: ReadonlyMap<string, number> | undefined,
): Promise<ReadonlyMap<string, readonly PassageMatch[]>> {
  const vector = elsewhere === undefined ? own : undefined
  const { candidates, close } = await env.code.search({
    terms: queryTerms(text),
    fields: env.settings.codeRecipe.fields,
    vector,
    rough: env.roughEmbedder.query(splitIdentifiers(text), vector),
    names: namesInQuery(text),
    pool: { owner },
    limit: MAX_PASSAGES,
  })
  close()
  const ranked = candidates
    .filter(({ bm25, cosine }) => bm25 > 0 || (cosine ?? -1) >= env.settings.graph.thresholds.search)
    .sort((a, b) => b.bm25 - a.bm25 || (b.cosine ?? -1) - (a.cosine ?? -1))
    .slice(0, MAX_PASSAGES)
  const read = new Map((await env.code.passages(ranked.map(({ rid }) => rid))).map(({ rid, passage }) => [rid, passage]))
  const found = new Map<string, PassageMatch[]>()
  for (const { rid, cosine, bm25 } of ranked) {
    const passage = read.get(rid)
    if (passage === undefined) continue
    const met = found.get(passage.sourceId) ?? []
    met.push({ passage, cosine: elsewhere?.get(passage.id) ?? cosine, worded: bm25 > 0 })
    found.set(passage.sourceId, met)
  }
  if (elsewhere !== undefined) await addPassages(env, elsewhere, found)
  return found
}

async function addPassages(env: Environment, near: ReadonlyMap<string, number>, found: Map<string, PassageMatch[]>): Promise<void> {
  const known = new Set([...found.values()].flat().map(({ passage }) => passage.id))
  for (const [id, cosine] of near) {
    if (known.has(id) || cosine < env.settings.graph.thresholds.search) continue
    const passage = (await env.code.find(id))?.passage
    if (passage === undefined) continue
    const met = found.get(passage.sourceId) ?? []
    met.push({ passage, cosine, worded: false })
    found.set(passage.sourceId, met)
  }
}

/** Limit of looked-up name parts. */
const MAX_NAME_PARTS = 8
const MIN_PART_CHARS = 3

/** Nodes whose whole name occurs in the query, then nodes whose names share parts with it. */
async function namedNodes(env: Environment, { text, owner, plan }: ObjectSearch): Promise<readonly MemoryObject[]> {
  const words = nameWords(text.slice(0, 1000)).slice(0, 40)
  const names = new Set([normalName(text), ...plan.tokens.map(normalName)])
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_NAME_CHARS); to++) names.add(words.slice(from, to).join(' '))
  names.delete('')
  const found = await env.store.listEntities({ owner, names: [...names], limit: MAX_PASSAGES, offset: 0 })
  const parts = nameWords(splitIdentifiers(text.slice(0, 1000)))
    .flatMap((word) => word.split('_'))
    .filter((part) => (part.length >= MIN_PART_CHARS || /\p{Lo}/u.test(part)) && !STOP_WORDS.has(part))
  const nameParts = [...new Set(parts)].slice(0, MAX_NAME_PARTS)
  const similar = nameParts.length === 0 ? [] : await env.store.listEntities({ owner, nameParts, limit: MAX_PASSAGES, offset: 0 })
  return [...new Map([...found, ...similar].map((entity) => [entity.id, ofEntity(entity)])).values()]
}
