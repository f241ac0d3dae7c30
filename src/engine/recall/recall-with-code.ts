import { toProbability } from '../../core/recall/rank.js'
import { computeAnswerLogOdds, mergeKinds } from '../../core/recall/results/merge.js'
import { type CodeHit, recallCode } from '../code/search-code.js'
import type { Environment } from '../environment.js'
import { type RecallAnswer, type RecalledFact, type RecallQuery, recall } from './recall.js'

export interface MixedQuery extends RecallQuery {
  readonly memories: boolean
  /** Code to search; none if omitted. */
  readonly code?: { readonly project?: string | undefined; readonly language?: string | undefined } | undefined
}

/** A memory or a piece of code, with its place in the common order. */
export type MixedResult = {
  readonly score: number
  readonly cosine: number | null
  /** The chance that it was wanted, 0 to 1. */
  readonly relevance: number
} & ({ readonly memory: RecalledFact; readonly code?: undefined } | { readonly memory?: undefined; readonly code: CodeHit })

export interface MixedAnswer {
  readonly results: readonly MixedResult[]
  /** Query terms, for explanations. */
  readonly terms: readonly string[]
  readonly graphNodes: number
  /** Why the model had no part in it, though one is configured; null otherwise. */
  readonly degraded: string | null
  /** No word of a memory matched, and no model is configured that might have found something by meaning. */
  readonly onlyWordsMissed: boolean
  /** Confidence that the first memory answers the query; null if memories were not searched. */
  readonly confidence: number | null
  readonly rerank: RecallAnswer['rerank']
  /** The question in English, where it came in another language; null otherwise. */
  readonly readAs: string | null
}

/** Minimum results per kind, so that what is usual for a kind does not depend on the limit. */
const MIN_OF_EACH = 50
const EMPTY_ANSWER = {
  results: [],
  graphNodes: 0,
  terms: [],
  degraded: null,
  onlyWordsMissed: false,
  confidence: null,
  rerank: { state: 'off', reason: null },
  readAs: null,
} as const

/** Relevance of code by meaning: the cosine of a passage relative to the best, if the best exceeds the others. */
function codeWithRelevance(results: readonly CodeHit[], floor: number): readonly MixedResult[] {
  const cosines = results.flatMap(({ cosine }) => cosine ?? []).sort((a, b) => b - a)
  const confidence = toProbability(computeAnswerLogOdds(cosines, floor) ?? Number.NEGATIVE_INFINITY)
  const height = Math.max(1e-9, (cosines[0] ?? 0) - floor)
  return results.map((code) => {
    const { score, cosine } = code
    return { score, cosine, relevance: confidence * Math.max(0, Math.min(1, ((cosine ?? floor) - floor) / height)), code }
  })
}

/** Memories, code, or both in one order. */
export async function recallWithCode(env: Environment, query: MixedQuery): Promise<MixedAnswer> {
  const { memories, code, ...asked } = query
  const recipe = query.recipe ?? env.settings.recipe
  const limit = memories && code !== undefined ? Math.max(query.limit, MIN_OF_EACH) : query.limit
  const facts = memories ? await recall(env, { ...asked, limit }) : EMPTY_ANSWER
  const passages =
    code === undefined
      ? { results: [], nodes: 0, degraded: null }
      : await recallCode(env, { text: query.text, limit, owner: query.owner, ...code, signal: query.signal }, recipe.weights)
  const found = {
    memories: facts.results.map((memory): MixedResult => {
      const { score, cosine, relevance } = memory
      return { score, cosine, relevance, memory }
    }),
    code: codeWithRelevance(passages.results, env.embedder.model.floor),
  }
  const results =
    memories && code !== undefined
      ? mergeKinds(found.memories, found.code, env.embedder.model.floor).slice(0, query.limit)
      : [...found.memories, ...found.code]
  return {
    results,
    terms: facts.terms,
    graphNodes: facts.graphNodes + passages.nodes,
    degraded: facts.degraded ?? passages.degraded,
    onlyWordsMissed: facts.onlyWordsMissed,
    confidence: facts.confidence,
    rerank: facts.rerank,
    readAs: facts.readAs,
  }
}
