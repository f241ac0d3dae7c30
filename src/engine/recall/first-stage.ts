import { setImmediate } from 'node:timers/promises'
import { isValidAt } from '../../core/facts/validity.js'
import { type Candidate, newestFirst, type ScoredCandidate } from '../../core/recall/candidate.js'
import { rank, type Stage, sumOf } from '../../core/recall/rank.js'
import type { CoefficientSet, Coefficients } from '../../core/recall/recipe/recipe.js'
import type { Traits } from '../../core/recall/recipe/signal-names.js'
import { computeLinkValues, type Link } from '../../core/recall/signals/links.js'
import { computePassageTraits, findSubjectsInQuery, mergeCosines } from '../../core/recall/signals/passages.js'
import {
  coefficientOf,
  computeSignals,
  computeTraits,
  contributionsOf,
  JUDGE_SCALE,
  type QuerySignals,
} from '../../core/recall/signals/signals.js'
import { type GraphWalk, NO_WALK } from '../edges/walk.js'
import { followLinks } from './follow-links.js'
import { computeWalkShares, findRelationMatches, findWalkedFacts, runGraphWalk } from './graph-walk.js'
import { awaitBoth } from './hybrid-search.js'
import { findNamedSubjects, type Retrieval } from './retrieval.js'

/** Everything that ranking reads of the candidates of a query: the same for the first stage and with the judge. */
interface RankingInput {
  /** Passages of documents; null without any. */
  readonly passages: PassageRanking | null
  readonly candidates: readonly Candidate[]
  readonly query: QuerySignals
  readonly links: ReadonlyMap<number, Link>
  readonly walk: GraphWalk
}

interface PassageRanking {
  readonly candidates: readonly Candidate[]
  readonly query: QuerySignals
}

export interface FirstStage {
  readonly input: RankingInput
  readonly ranked: readonly ScoredCandidate[]
  readonly graphNodes: number
  /** Facts that relations of the entities in the query lead to. */
  readonly relationMatches: ReadonlySet<string>
}

/** Meaning, words, names, links and relations of every candidate. */
export async function rankFirstStage(retrieval: Retrieval): Promise<FirstStage> {
  const { env, view, lexical, candidateRids, author, topCosines, tokens, terms, ownWords, passages } = retrieval
  const named = await findNamedSubjects(retrieval)
  const query: QuerySignals = {
    floor: env.embedder.model.floor,
    cosines: mergeCosines(topCosines, passages.hits),
    rarity: lexical.rarity,
    documents: lexical.documents,
    held: computeHeldShare(lexical.rarity, lexical.hits.slice(0, 1)),
    terms: terms.length,
    glossed: ownWords !== undefined,
    tokens,
    author,
    subjects: named.names,
  }
  const candidates = await scoreCandidates(retrieval, [...new Set([...candidateRids, ...named.rids])])
  const seeds = rankKind(retrieval, { candidates, query, links: new Map(), walk: NO_WALK })
  const links = isUsed(retrieval, 'link') ? await followLinks(retrieval, seeds) : new Map<number, Link>()
  const { walk, entities } = await runGraphWalk(retrieval, seeds, isUsed(retrieval, 'relation'))
  const known = new Set(candidates.map(({ header }) => header.rid))
  const reached = [...new Set([...links.keys(), ...(await findWalkedFacts(view, walk))])].filter((rid) => !known.has(rid))
  const input = {
    candidates: [...candidates, ...(await scoreCandidates(retrieval, reached))],
    query,
    links,
    walk,
    passages: passagesOf(retrieval, query),
  }
  return {
    input,
    ranked: rankCandidates(retrieval, input),
    graphNodes: links.size + walk.nodes,
    relationMatches: entities ? findRelationMatches(walk) : new Set(),
  }
}

/** True where the recipe has a coefficient for it. Weights of a caller take the place of all coefficients. */
const isUsed = ({ recipe: { weights, coefficients } }: Retrieval, name: 'link' | 'relation'): boolean =>
  weights === null && Object.values(coefficients.fast[name] ?? {}).some((value) => value !== 0)

/** The passages of a query. Their words are scored by the statistics of their own index, their cosines next to those of the memories. */
function passagesOf({ passages, words }: Retrieval, query: QuerySignals): PassageRanking | null {
  const { hits: candidates, rarity, documents } = passages
  if (candidates.length === 0) return null
  const held = computeHeldShare(rarity, candidates)
  return { candidates, query: { ...query, rarity, documents, held, subjects: new Set(findSubjectsInQuery(candidates, words)) } }
}

/** Ranks memories and passages, each scored within its kind. `judged` contains raw scores of the judge by row. */
export function rankCandidates(
  retrieval: Pick<Retrieval, 'recipe' | 'vector' | 'isLegible'>,
  { passages, ...input }: RankingInput,
  judged?: ReadonlyMap<number, number>,
): readonly ScoredCandidate[] {
  const memories = rankKind(retrieval, input, judged)
  if (passages === null) return memories
  const others = rankKind(retrieval, { ...passages, links: new Map(), walk: NO_WALK }, judged, computePassageTraits(passages.query))
  return [...memories, ...others].sort((a, b) => b.score - a.score || newestFirst(a, b))
}

function rankKind(
  { recipe, vector, isLegible }: Pick<Retrieval, 'recipe' | 'vector' | 'isLegible'>,
  { candidates, query, links, walk }: Omit<RankingInput, 'passages'>,
  judged: ReadonlyMap<number, number> = new Map(),
  fixedTraits?: Traits,
): readonly ScoredCandidate[] {
  const set: CoefficientSet = judged.size > 0 ? 'judged' : vector === undefined || !isLegible ? 'words' : 'fast'
  const coefficients: Coefficients = recipe.coefficients[set]
  const traits = fixedTraits ?? computeTraits(candidates, query)
  const signals = computeSignals(candidates, query, traits, judged)
  const walked = computeWalkShares(candidates, walk, recipe)
  const linkGain = coefficientOf(coefficients, 'link', traits)
  const relationGain = coefficientOf(coefficients, 'relation', traits)
  const weights = recipe.weights
  const scored = candidates.map((candidate, i): ScoredCandidate => {
    const own = signals[i]
    const linear = own === undefined ? [] : contributionsOf(own, traits, coefficients)
    const [vectorSignal, lexical, walkShare] = [candidate.cosine === null ? 0 : (own?.meaning ?? 0), own?.words ?? 0, walked[i] ?? 0]
    const contributions =
      weights === null
        ? linear
        : [
            { name: 'vector', value: weights.vector * vectorSignal },
            { name: 'bm25', value: weights.bm25 * lexical },
            { name: 'ppr', value: weights.ppr * walkShare },
          ]
    return {
      ...candidate,
      contributions,
      score: sumOf(contributions),
      logOdds: sumOf(linear) + relationGain * walkShare,
      vector: vectorSignal,
      lexical,
      graph: walkShare,
      via: null,
      judged: judged.get(candidate.header.rid) ?? null,
    }
  })
  const stages: readonly Stage<ScoredCandidate>[] =
    weights === null
      ? [
          { name: 'link', values: (ranked) => computeLinkValues(ranked, links, linkGain) },
          { name: 'relation', values: () => walked.map((share) => relationGain * share) },
        ]
      : []
  return rank(scored, stages, newestFirst).map((candidate) => withPath(candidate, links))
}

/** Contribution of one unit of a raw rerank score. */
export const computeJudgeGain = ({ recipe }: Pick<Retrieval, 'recipe'>, { candidates, query }: RankingInput): number =>
  coefficientOf(recipe.coefficients.judged, 'judge', computeTraits(candidates, query)) / JUDGE_SCALE

/** Adds the path to a candidate that a link lifted. */
function withPath(candidate: ScoredCandidate, links: ReadonlyMap<number, Link>): ScoredCandidate {
  const link = candidate.contributions.some(({ name }) => name === 'link') ? links.get(candidate.header.rid) : undefined
  if (link === undefined) return candidate
  return { ...candidate, graph: Math.max(candidate.graph, link.strength), via: { seed: link.seed.header.id, name: link.name } }
}

/** IDF (in nats) from which the best match counts in full, however much more the query contains. */
const FULL_RARITY = 15

/** Share of the query, by IDF, that the best lexical match contains. */
function computeHeldShare(rarity: number, hits: readonly Pick<Candidate, 'rarity'>[]): number {
  const most = hits.reduce((max, hit) => Math.max(max, hit.rarity), 0)
  return rarity === 0 ? 0 : Math.min(1, most / Math.min(rarity, FULL_RARITY))
}

/** Both scores for every fact of the list that the filter allows. */
async function scoreCandidates(retrieval: Retrieval, rids: readonly number[]): Promise<readonly Candidate[]> {
  if (rids.length === 0) return []
  const { view, pool, lexical, ownWords, kinds, vector, cosines } = retrieval
  // Settled promises give other calls no turn; hundreds of candidates are scored here.
  await setImmediate()
  const unknown = vector === undefined ? [] : rids.filter((rid) => !cosines.has(rid))
  if (vector !== undefined) for (const [rid, cosine] of await view.vectors.similarities(vector, unknown)) cosines.set(rid, cosine)
  const headers = (await view.links.sketches(rids)).filter((header) => isValidAt(header, pool))
  const listed = headers.map(({ rid }) => rid)
  const [words, [own, held]] = await awaitBoth(lexical.scores(listed), awaitBoth(ownWords?.scores(listed), kinds?.scores(listed)))
  return headers.map((header) => {
    const { score = 0, terms = 0, rarity = 0, length = 0 } = words.get(header.rid) ?? {}
    // A note in the language of the query may contain all of its words and none of their English translations.
    const inOwnWords = ((own?.get(header.rid)?.rarity ?? 0) / Math.max(1e-9, ownWords?.rarity ?? 0)) * lexical.rarity
    const signals = { bm25: score, matches: terms, rarity: Math.max(rarity, inOwnWords), kinds: held?.get(header.rid)?.score ?? 0, length }
    return { header, cosine: cosines.get(header.rid) ?? null, ...signals }
  })
}
