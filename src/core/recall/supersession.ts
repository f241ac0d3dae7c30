import type { Fact, Instant } from '../facts/fact.js'
import { isProvisional } from './provisional.js'

export interface RankedFact {
  readonly fact: Fact
  readonly score: number
  /** Its row: later facts have higher ones. */
  readonly rid: number
  readonly isCode: boolean
}

/** By what they say of their time. One whose clock ran ahead says nothing: it was stored before whatever was stored after it. */
export function newestFirst<R extends RankedFact>(facts: readonly R[], now: Instant): readonly R[] {
  let stored = now
  const dated = [...facts]
    .sort((a, b) => b.rid - a.rid)
    .map((one) => {
      const ahead = one.fact.recordedAt > now
      stored = ahead ? stored : Math.min(stored, one.fact.recordedAt)
      const begun = ahead && one.fact.validFrom === one.fact.recordedAt
      return { one, from: begun ? stored : one.fact.validFrom, recorded: ahead ? stored : one.fact.recordedAt }
    })
  return dated.sort((a, b) => b.from - a.from || b.recorded - a.recorded || b.one.rid - a.one.rid).map(({ one }) => one)
}

/** One statement that takes the place of another, or would if it came from someone as good. */
export interface Revision {
  readonly older: Fact
  readonly newer: Fact
  /** In words, for those who ask. */
  readonly why: string
  /** False where the newer comes from elsewhere or is less certain: then both stand. */
  readonly trusted: boolean
}

/** What is known about how a result stands to others. */
export interface RevisionMarks {
  readonly supersededBy: { readonly id: string; readonly why: string } | null
  /** Results that say otherwise without being a better source. */
  readonly contradicts: readonly string[]
}

/** Another author, or where none is named another client, or less certainty than the older statement has; nor does the undecided replace what is. */
export function canSupersede(newer: Fact, older: Fact): boolean {
  if (isProvisional(newer) && !isProvisional(older)) return false
  const named = newer.author !== null && older.author !== null
  return (named ? newer.author === older.author : newer.source === older.source) && newer.confidence >= older.confidence
}

/**
 * The newer directly before what it replaces, and what only contradicts directly behind it; everything else keeps its
 * place. The best score stays with the best place.
 */
export function applyRevisions<R extends RankedFact>(
  results: readonly R[],
  revisions: readonly Revision[],
): readonly (R & RevisionMarks)[] {
  const byId = new Map(results.map((one) => [one.fact.id, one]))
  const placed = new Set<string>()
  const order: R[] = []
  const place = (one: R | undefined): void => {
    if (one === undefined || placed.has(one.fact.id)) return
    placed.add(one.fact.id)
    // Whoever contradicts from elsewhere stands behind what it contradicts, however well it fits the question.
    for (const { older, newer, trusted } of revisions) if (!trusted && newer.id === one.fact.id) place(byId.get(older.id))
    const related = revisions.filter(({ older }) => older.id === one.fact.id)
    for (const { newer, trusted } of related) if (trusted) place(byId.get(newer.id))
    order.push(one)
    for (const { newer, trusted } of related) if (!trusted) place(byId.get(newer.id))
  }
  for (const one of results) place(one)
  const scores = results.map((one) => one.score).sort((a, b) => b - a)
  return order.map((one, i) => ({ ...one, score: scores[i] ?? one.score, ...standingOf(one.fact, revisions) }))
}

function standingOf({ id }: Fact, revisions: readonly Revision[]): RevisionMarks {
  const by = revisions.find(({ older, trusted }) => trusted && older.id === id)
  const against = revisions.filter(({ older, newer, trusted }) => !trusted && (older.id === id || newer.id === id))
  return {
    supersededBy: by === undefined ? null : { id: by.newer.id, why: by.why },
    contradicts: [...new Set(against.map(({ older, newer }) => (older.id === id ? newer.id : older.id)))],
  }
}
