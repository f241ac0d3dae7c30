import type { Environment } from '../environment.js'
import { type RecalledFact, type RecallQuery, recall } from './recall.js'

export interface OwnerResult {
  readonly memory: RecalledFact
  /** Probability that it helps, which compares across owners. */
  readonly relevance: number
  /** Relevance of the best result of its owner. */
  readonly confidence: number
}

interface CrossOwnerQuery extends Omit<RecallQuery, 'owner'> {
  /** False for results that the caller cannot use. */
  isWanted?(memory: RecalledFact): boolean
}

/** Minimum number of results per owner, because a filter may remove some. */
const MIN_EXAMINED_RESULTS = 50

/**
 * One ranking over several owners. Each is searched by itself, so that no score depends on the facts of another owner, and
 * the results are ordered by relevance.
 */
export async function recallAcrossOwners(
  env: Environment,
  owners: readonly string[],
  query: CrossOwnerQuery,
): Promise<readonly OwnerResult[]> {
  const answers = await Promise.all(
    owners.map((owner) => recall(env, { ...query, owner, limit: Math.max(query.limit, MIN_EXAMINED_RESULTS) })),
  )
  return answers
    .flatMap(({ results, confidence }) =>
      results.filter(query.isWanted ?? (() => true)).map((memory): OwnerResult => ({ memory, confidence, relevance: memory.relevance })),
    )
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, query.limit)
}
