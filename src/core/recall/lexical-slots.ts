/** The first ones that everybody reads. */
const FIRST_PAGE_SIZE = 10

/**
 * The best by words alone get the last of the first ten places where they are not among them already: an exact name or
 * number that the question holds must not be lost to meaning.
 */
export function reserveLexicalSlots<R>(results: readonly R[], byWords: readonly R[], limit: number): readonly R[] {
  if (limit < FIRST_PAGE_SIZE) return results
  const first = new Set(results.slice(0, FIRST_PAGE_SIZE))
  const seated = byWords.filter((one) => !first.has(one))
  const places = FIRST_PAGE_SIZE - seated.length
  const rest = results.filter((one) => !seated.includes(one))
  return [...rest.slice(0, places), ...seated, ...rest.slice(places)]
}
