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

export function addRepeat(said: RepeatGroup, rid: number, fact: Fact): void {
  if (said.rows.has(fact.id)) return
  said.rows.set(fact.id, rid)
  const place = said.newest.findIndex((other) => isNewer(fact, other))
  const at = place === -1 ? said.newest.length : place
  if (at <= MAX_LISTED_REPEATS) said.newest = [...said.newest.slice(0, at), fact, ...said.newest.slice(at)].slice(0, MAX_LISTED_REPEATS + 1)
}

const isNewer = (a: Fact, b: Fact): boolean => a.eventAt > b.eventAt || (a.eventAt === b.eventAt && a.recordedAt > b.recordedAt)

/** The newest of those that say the same as this one. */
export const listOtherRepeats = ({ newest }: RepeatGroup, { id }: Fact): readonly Fact[] =>
  newest.filter((other) => other.id !== id).slice(0, MAX_LISTED_REPEATS)

/** Results of one search, best first; truncated if the search may have more. */
export interface SearchHits {
  readonly hits: readonly { readonly rid: number; readonly score: number }[]
  readonly isCut: boolean
}

/** Equal texts have equal scores, but for what is lost of a vector in storing it. */
export const SAME_SCORE = 1e-3

/**
 * True if all repeats were found. Repeats have similar scores, so a search that returned all known repeats and then lower results,
 * or that was not truncated, has returned the others as well.
 */
export function isWhole(rows: Iterable<number>, searches: readonly SearchHits[]): boolean {
  const known = new Set(rows)
  const stopped = searches.filter((search) => stoppedAmong(known, search))
  if (stopped.length === 0) return true
  return searches.some((search) => {
    if (stopped.includes(search)) return false
    const brought = new Set(search.hits.map(({ rid }) => rid))
    return [...known].every((rid) => brought.has(rid))
  })
}

/** By the score: others may score the same and stand between them. */
function stoppedAmong(known: ReadonlySet<number>, { hits, isCut }: SearchHits): boolean {
  const last = hits[hits.length - 1]?.score ?? 0
  return isCut && hits.some(({ rid, score }) => score <= last + SAME_SCORE && known.has(rid))
}
