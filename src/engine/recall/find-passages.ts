import { DOCUMENT_MODES } from '../../core/evidence/adapter.js'
import { type DocumentPassage, hasContent, toPassageFact, toPassageHeader } from '../../core/evidence/passage-fact.js'
import type { Instant } from '../../core/facts/fact.js'
import { OWN_WORDS } from '../../core/recall/recipe/recipe.js'
import type { PassageHits } from '../../core/recall/signals/passages.js'
import { splitIdentifiers } from '../../core/text/identifiers.js'
import type { CodeCandidate } from '../../ports/code-index.js'
import type { TurnContext, View } from '../../ports/view.js'
import type { Environment } from '../environment.js'

interface PassageQuery {
  readonly text: string
  readonly terms: readonly string[]
  readonly owner: string | undefined
  readonly asOf: Instant | undefined
  readonly vector: Promise<Float32Array | undefined>
}

/** Passages of captured documents that match a query. Their rows are negative, so that they differ from the rows of facts. */
export interface FoundPassages extends PassageHits {
  readonly passages: ReadonlyMap<number, DocumentPassage>
}

export const NO_FOUND_PASSAGES: FoundPassages = { hits: [], documents: 0, rarity: 0, passages: new Map() }

/** Limit of passages per search: their texts are loaded before ranking. */
const MAX_PASSAGES = 50

export async function findPassages(env: Environment, { text, terms, owner, asOf, vector: making }: PassageQuery): Promise<FoundPassages> {
  const vector = await making
  const answer = await env.code.search({
    ...{ terms, vector, names: [], fields: OWN_WORDS, limit: MAX_PASSAGES },
    rough: env.roughEmbedder.query(splitIdentifiers(text), vector),
    pool: { owner, sourceKinds: DOCUMENT_MODES, active: true },
  })
  answer.close()
  const best = bestOf(answer.candidates)
  if (best.length === 0) return NO_FOUND_PASSAGES
  const passages = await readPassages(
    env,
    best.map(({ rid }) => rid),
    asOf,
  )
  const hits = best.flatMap(({ rid, cosine, bm25, terms: matches, rarity, length }) => {
    const found = passages.get(-rid)
    return found === undefined ? [] : [{ header: toPassageHeader(-rid, found), cosine, bm25, matches, rarity, length, kinds: 0 }]
  })
  return { hits, passages, documents: answer.documents, rarity: answer.wholeRarity }
}

/** The best by words and the nearest by the model; by rough vectors only those that have no other yet. */
function bestOf(candidates: readonly CodeCandidate[]): readonly CodeCandidate[] {
  const nearest = [...candidates].sort((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1)).slice(0, MAX_PASSAGES)
  const near = new Set(nearest.filter(({ cosine }) => cosine !== null))
  return candidates.filter((candidate) => candidate.bm25 > 0 || candidate.cosine === null || near.has(candidate))
}

async function readPassages(
  env: Environment,
  rids: readonly number[],
  asOf: Instant | undefined,
): Promise<ReadonlyMap<number, DocumentPassage>> {
  const placed = await env.code.passages(rids)
  const ids = [...new Set(placed.map(({ passage }) => passage.sourceId))]
  const sources = new Map((await env.store.sources(ids)).map((source) => [source.id, source]))
  const storedBy = asOf === undefined ? () => true : await createStoredBy(env, ids, asOf)
  return new Map(
    placed.flatMap(({ rid, passage }): [number, DocumentPassage][] => {
      const source = sources.get(passage.sourceId)
      return source === undefined || !hasContent(passage) || !storedBy(passage) ? [] : [[-rid, { passage, source }]]
    }),
  )
}

/** Passages have no time of their own; the part of the document that contains them has one. */
async function createStoredBy({ code }: Environment, ids: readonly string[], asOf: Instant) {
  const files = new Map(await Promise.all(ids.map(async (id) => [id, await code.files(id)] as const)))
  return ({ sourceId, path }: { readonly sourceId: string; readonly path: string }): boolean => {
    const storedAt = files.get(sourceId)?.get(path)?.modifiedAt
    return storedAt !== undefined && storedAt <= asOf
  }
}

/** The same view, in which the judge finds the texts of passages too. */
export function withPassageTexts(view: View, passages: ReadonlyMap<number, DocumentPassage>): View {
  if (passages.size === 0) return view
  const contextOf = (rid: number, characters: number): [number, TurnContext][] => {
    const found = passages.get(rid)
    if (found === undefined) return []
    const { title, author, text } = toPassageFact(found)
    return [[rid, { title, author, text: text.slice(0, characters), before: null, after: null }]]
  }
  const surroundings: View['links']['surroundings'] = async (rids, characters) =>
    new Map([
      ...(await view.links.surroundings(
        rids.filter((rid) => !passages.has(rid)),
        characters,
      )),
      ...rids.flatMap((rid) => contextOf(rid, characters)),
    ])
  return { ...view, links: { ...view.links, surroundings } }
}
