import type { Fact } from '../../facts/fact.js'

/** Number of repeats that a result contains; the others are only counted. */
const MAX_LISTED_REPEATS = 5

/** One text and its repeats. Texts may be long and repeats numerous, so only the newest are kept completely. */
export interface RepeatGroup {
  /** Rows by the ids of the facts. */
  readonly rows: Map<string, number>
  /** Newest first, one more than returned, because the result itself may be among them. */
  newest: readonly Fact[]
}

export const createRepeatGroup = (): RepeatGroup => ({ rows: new Map(), newest: [] })

export function addRepeat(group: RepeatGroup, rid: number, fact: Fact): void {
  if (group.rows.has(fact.id)) return
  group.rows.set(fact.id, rid)
  const place = group.newest.findIndex((other) => isNewer(fact, other))
  const at = place === -1 ? group.newest.length : place
  if (at <= MAX_LISTED_REPEATS)
    group.newest = [...group.newest.slice(0, at), fact, ...group.newest.slice(at)].slice(0, MAX_LISTED_REPEATS + 1)
}

const isNewer = (a: Fact, b: Fact): boolean => a.eventAt > b.eventAt || (a.eventAt === b.eventAt && a.recordedAt > b.recordedAt)

/** The newest repeats of a fact, without the fact itself. */
export const listOtherRepeats = ({ newest }: RepeatGroup, { id }: Fact): readonly Fact[] =>
  newest.filter((other) => other.id !== id).slice(0, MAX_LISTED_REPEATS)

/** Results of one search, best first; truncated if the search may have more. */
export interface SearchHits {
  readonly hits: readonly { readonly rid: number; readonly score: number }[]
  readonly isCut: boolean
}

/** Scores of equal texts differ by at most the quantisation error of their vectors. */
export const SCORE_TOLERANCE = 1e-3

/**
 * True if all repeats were found. Repeats have similar scores, so a search that returned all known repeats and then lower results,
 * or that was not truncated, has returned the others as well.
 */
export function hasAllRepeats(rows: Iterable<number>, searches: readonly SearchHits[]): boolean {
  const known = new Set(rows)
  const stopped = searches.filter((search) => endsAmongRepeats(known, search))
  if (stopped.length === 0) return true
  return searches.some((search) => {
    if (stopped.includes(search)) return false
    const brought = new Set(search.hits.map(({ rid }) => rid))
    return [...known].every((rid) => brought.has(rid))
  })
}

/** True if a truncated search ends at the score of a known repeat: further repeats may follow. */
function endsAmongRepeats(known: ReadonlySet<number>, { hits, isCut }: SearchHits): boolean {
  const last = hits[hits.length - 1]?.score ?? 0
  return isCut && hits.some(({ rid, score }) => score <= last + SCORE_TOLERANCE && known.has(rid))
}
