import type { Fact, Instant } from '../fact.js'
import { normalName } from '../names.js'

interface Placed {
  readonly fact: Fact
  readonly score: number
  /** Its row: later facts have higher ones. */
  readonly rid: number
}

/** By what they say of their time. One whose clock ran ahead says nothing: it was stored before whatever was stored after it. */
function newestFirst<R extends Placed>(facts: readonly R[], now: Instant): readonly R[] {
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

/**
 * Of several facts that state the same predicate of the same subject, the newer stands before the older: they keep the
 * places they have together, newest first.
 */
export function preferNewer<R extends Placed>(results: readonly R[], now: Instant): readonly R[] {
  const places = new Map<string, number[]>()
  results.forEach(({ fact }, place) => {
    if (fact.subject === null || fact.predicate === null) return
    const key = [fact.owner, normalName(fact.subject), normalName(fact.predicate)].join('\0')
    places.set(key, [...(places.get(key) ?? []), place])
  })
  const ordered = [...results]
  for (const group of places.values()) {
    if (group.length < 2) continue
    const members = newestFirst(
      group.flatMap((place) => results[place] ?? []),
      now,
    )
    const scores = group.map((place) => results[place]?.score ?? 0)
    group.forEach((place, i) => {
      const member = members[i]
      if (member !== undefined) ordered[place] = { ...member, score: scores[i] ?? member.score }
    })
  }
  return ordered
}
