import { relevanceOf } from '../../core/recall/relevance.js'
import type { Environment } from '../environment.js'
import { type RecalledFact, type RecallQuery, recall } from './recall.js'

/** A result with the chance that it was wanted, which compares across owners as scores do not. */
export interface OwnerResult {
  readonly memory: RecalledFact
  readonly relevance: number
  /** Of the answer it stands in: how sure it is that the owner has one at all. */
  readonly confidence: number
}

export interface CrossOwnerQuery extends Omit<RecallQuery, 'owner'> {
  /** Leaves out what the asker has no use for. */
  isWanted?(memory: RecalledFact): boolean
}

/** As many as an answer looks at in any case: some of them may not be wanted. */
const LOOKED_AT = 50

/**
 * One ranking over several owners, and over nobody else's: each is asked as if there were no other, so that no score of one
 * depends on another's facts, and the answers are put in one order by how likely each result was wanted.
 */
export async function recallAcrossOwners(
  env: Environment,
  owners: readonly string[],
  query: CrossOwnerQuery,
): Promise<readonly OwnerResult[]> {
  const answers = await Promise.all(owners.map((owner) => recall(env, { ...query, owner, limit: Math.max(query.limit, LOOKED_AT) })))
  return answers
    .flatMap(({ results, confidence }) => {
      const wanted = results.filter(query.isWanted ?? (() => true))
      // Beside the best of those that are wanted: the others are not there, as it were.
      const best = Math.max(1e-9, wanted[0]?.score ?? 0)
      return wanted.map((memory): OwnerResult => {
        return { memory, confidence, relevance: relevanceOf({ confidence, score: memory.score / best }) }
      })
    })
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, query.limit)
}
