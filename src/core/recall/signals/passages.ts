import type { Candidate } from '../candidate.js'
import type { Traits } from '../recipe/signal-names.js'
import { computeTraits, type QuerySignals } from './signals.js'

/** Passages of documents that match a query, scored by the statistics of their own index. */
export interface PassageHits {
  readonly hits: readonly Candidate[]
  readonly documents: number
  /** Sum of the IDFs of all terms of the query. */
  readonly rarity: number
}

/** Subjects of passages that the query contains. Single words are excluded: most are common words. */
export function findSubjectsInQuery(passages: readonly Candidate[], queryWords: readonly string[]): readonly string[] {
  const words = ` ${queryWords.join(' ')} `
  return passages.flatMap(({ header: { subject } }) => (subject?.includes(' ') === true && words.includes(` ${subject} `) ? [subject] : []))
}

/** Cosines of memories and passages, best first: a good match of one kind lowers the odds of the other. */
export const mergeCosines = (memories: readonly number[], passages: readonly Candidate[]): readonly number[] =>
  passages.length === 0 ? memories : [...memories, ...passages.flatMap(({ cosine }) => cosine ?? [])].sort((a, b) => b - a)

/**
 * Passages use the coefficients of notes. Those of titled and long texts were fitted on collections that answer every query, and
 * would rank passages above memories.
 */
export const computePassageTraits = (query: QuerySignals): Traits => ({ ...computeTraits([], query), notes: 1 })
