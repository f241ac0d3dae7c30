import type { Fact } from '../fact.js'
import { normalName } from '../names.js'

/**
 * Of several facts that state the same predicate of the same subject, the newer stands before the older: they keep the
 * places they have together, newest first.
 */
export function preferNewer<R extends { readonly fact: Fact; readonly score: number }>(results: readonly R[]): readonly R[] {
  const places = new Map<string, number[]>()
  results.forEach(({ fact }, place) => {
    if (fact.subject === null || fact.predicate === null) return
    const key = [fact.owner, normalName(fact.subject), normalName(fact.predicate)].join('\0')
    places.set(key, [...(places.get(key) ?? []), place])
  })
  const ordered = [...results]
  for (const group of places.values()) {
    if (group.length < 2) continue
    const members = group
      .flatMap((place) => results[place] ?? [])
      .sort((a, b) => b.fact.validFrom - a.fact.validFrom || b.fact.recordedAt - a.fact.recordedAt)
    const scores = group.map((place) => results[place]?.score ?? 0)
    group.forEach((place, i) => {
      const member = members[i]
      if (member !== undefined) ordered[place] = { ...member, score: scores[i] ?? member.score }
    })
  }
  return ordered
}
