import { checkSize } from '../../core/input/input.js'
import type { ScoredCandidate } from '../../core/recall/candidate.js'
import { toProbability } from '../../core/recall/rank.js'
import type { Recipe } from '../../core/recall/recipe/recipe.js'
import type { RepeatGroup } from '../../core/recall/results/repeats.js'
import { hasWordCharacters } from '../../core/text/text.js'
import type { View } from '../../ports/view.js'
import type { Environment, RerankOutcome, RerankResult } from '../environment.js'
import { withView } from '../with-view.js'
import { type AnalysedQuery, analyseQuery } from './analyse-query.js'
import { assembleResults, type RecalledFact, type RepeatOverflow } from './assemble-results.js'
import { longTexts } from './excerpts.js'
import { computeJudgeGain, type FirstStage, rankCandidates, rankFirstStage } from './first-stage.js'
import { type RecallQuery, type Retrieval, retrieve } from './retrieval.js'
import { widenSearch } from './widen-search.js'

export type { RecalledFact } from './assemble-results.js'
export type { Effort, RecallQuery } from './retrieval.js'

export interface RecallAnswer {
  readonly results: readonly RecalledFact[]
  readonly recipe: Recipe
  /** Nodes that links and the graph walk reached. */
  readonly graphNodes: number
  readonly terms: readonly string[]
  /** Why the model had no part in it, though one is configured; null otherwise. */
  readonly degraded: string | null
  /** No word matched, and no model is configured that might have found something by meaning. */
  readonly onlyWordsMissed: boolean
  /** Relevance of the best result; 0 where there is none. */
  readonly confidence: number
  readonly rerank: RerankOutcome
  /** The query in English, where it came in another language; null otherwise. */
  readonly readAs: string | null
}

/** Below it, and without any word in common, nothing is an answer. */
const MIN_ANSWER_RELEVANCE = 0.02

/** Facts that help to answer a query, best first: analysis, retrieval, first stage, judge, assembly. */
export async function recall(env: Environment, query: RecallQuery): Promise<RecallAnswer> {
  checkSize(query.text, 'query', env.settings.maxContentBytes)
  await env.embedding.embedPending()
  const analysed = await analyseQuery(env, query.text, query.signal)
  return withView(env, query.owner, (view) => recallIn(env, view, query, analysed))
}

async function recallIn(env: Environment, view: View, query: RecallQuery, analysed: AnalysedQuery): Promise<RecallAnswer> {
  const retrieval = await retrieve(env, view, query, analysed)
  const { answer, ranked, overflow } = await rankAndAssemble(retrieval, query)
  if (overflow === null) return answer
  const retrieveMore = (candidates: number): Promise<Retrieval> => retrieve(env, view, query, analysed, candidates)
  const wide = await widenSearch(retrieveMore, retrieval, overflow, query.signal)
  if (overflow.isShort) return (await rankAndAssemble(wide.inquiry, query, wide.groups)).answer
  // There are enough results: only their repeats are counted again.
  return { ...answer, results: (await assembleResults(retrieval, ranked, query.limit, wide.groups)).results }
}

interface AssembledAnswer {
  readonly answer: RecallAnswer
  /** All ranked candidates, best first. */
  readonly ranked: readonly ScoredCandidate[]
  readonly overflow: RepeatOverflow | null
}

async function rankAndAssemble(
  retrieval: Retrieval,
  query: RecallQuery,
  repeats?: ReadonlyMap<string, RepeatGroup>,
): Promise<AssembledAnswer> {
  const { env, recipe, terms, lexical, passages, degraded } = retrieval
  const first = await rankFirstStage(retrieval)
  const { outcome, scores } = await rerankCandidates(retrieval, query, first)
  const ordered = scores.size === 0 ? first.ranked : rankJudged(retrieval, scores, first)
  const anyWord = lexical.hits.length > 0 || passages.hits.some(({ bm25 }) => bm25 > 0)
  const relevance = toProbability(ordered[0]?.logOdds ?? Number.NEGATIVE_INFINITY)
  const isHopeless = terms.length === 0 || (!anyWord && relevance < MIN_ANSWER_RELEVANCE)
  // A relation of an entity in the query is an answer, however little the words have in common.
  const ranked = isHopeless ? ordered.filter(({ header }) => first.relationMatches.has(header.id)) : ordered
  const { results, crowding } = await assembleResults(retrieval, ranked, query.limit, repeats)
  return {
    answer: {
      results,
      recipe,
      graphNodes: first.graphNodes,
      terms,
      degraded,
      onlyWordsMissed: env.embedder.disabled === true && !anyWord && hasWordCharacters(query.text),
      confidence: results[0]?.relevance ?? 0,
      rerank: outcome,
      readAs: retrieval.read === query.text ? null : retrieval.read,
    },
    ranked,
    overflow: isHopeless ? null : crowding,
  }
}

const NOT_JUDGED: RerankResult = { outcome: { state: 'off', reason: null }, scores: new Map() }

/** Weights of a caller define the order; without a vector the coefficients of the judge do not apply. */
function rerankCandidates(
  retrieval: Retrieval,
  { effort, limit, signal }: RecallQuery,
  first: FirstStage,
): RerankResult | Promise<RerankResult> {
  const { env, view, recipe, vector, terms, languages, read } = retrieval
  if (effort === 'fast' || recipe.weights !== null || vector === undefined || terms.length === 0) return NOT_JUDGED
  return env.rerankStage.rerankTop(
    read,
    {
      ...{ ranked: first.ranked, limit, gain: computeJudgeGain(retrieval, first.input), terms, languages, links: view.links },
      order: (scores) => rankJudged(retrieval, scores, first),
      excerpts: (best, most) => longTexts(retrieval, best, most),
    },
    signal,
  )
}

const rankJudged = (retrieval: Retrieval, scores: ReadonlyMap<number, number>, first: FirstStage): readonly ScoredCandidate[] =>
  rankCandidates(retrieval, first.input, withRelations(scores, first))

/** A relation is not in the text that the judge reads: a fact that one leads to gets the best raw score. */
function withRelations(scores: ReadonlyMap<number, number>, { input, relationMatches }: FirstStage): ReadonlyMap<number, number> {
  const best = [...scores.values()].reduce((most, raw) => Math.max(most, raw), Number.NEGATIVE_INFINITY)
  const reached = input.candidates.filter(({ header }) => relationMatches.has(header.id))
  return new Map([...scores, ...reached.map(({ header }): [number, number] => [header.rid, best])])
}
