/** The first ones that everybody reads. */
const FIRST = 10

/**
 * The best by words alone get the last of the first ten places where they are not among them already: an exact name or
 * number that the question holds must not be lost to meaning.
 */
export function seatWords<R>(results: readonly R[], byWords: readonly R[], limit: number): readonly R[] {
  if (limit < FIRST) return results
  const first = new Set(results.slice(0, FIRST))
  const seated = byWords.filter((one) => !first.has(one))
  const places = FIRST - seated.length
  const rest = results.filter((one) => !seated.includes(one))
  return [...rest.slice(0, places), ...seated, ...rest.slice(places)]
}
