/** Maximum number of unknown names with a suggestion of their own. */
const MAX_ANSWERED = 5
const MAX_SHOWN_CHARS = 100

/** The known word nearest to a misspelt one. */
export function findNearestName(word: string, known: readonly string[]): string | undefined {
  const allowed = Math.max(2, word.length / 3)
  const near = known.filter((name) => Math.abs(name.length - word.length) <= allowed)
  const ranked = near.map((name) => ({ name, distance: editDistance(word, name) })).sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  // A shorter form: "importance" for "importance_score".
  const part = word.toLowerCase()
  const fuller = known.filter((name) => partsOf(name).includes(part))
  if (fuller.length === 1 && (best?.distance ?? allowed) > 1) return fuller[0]
  return best !== undefined && best.distance <= allowed ? best.name : undefined
}

const partsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .split(/[_-]/u)

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** A hint for unknown names: the likely ones and the complete list. */
export function knownHint(words: string | readonly string[], known: readonly string[]): string {
  const values = [words].flat().slice(0, MAX_ANSWERED)
  const meant = values.flatMap((word) => {
    const name = findNearestName(word, known)
    return name === undefined ? [] : [values.length === 1 ? `"${name}"` : `"${name}" for "${word}"`]
  })
  const question = meant.length === 0 ? [] : [`Did you mean ${meant.join(', ')}?`]
  return [...question, known.length === 0 ? 'There are none.' : `Known: ${known.join(', ')}.`].join(' ')
}

/** Names for a message, limited in number and length. */
export function shownNames(names: readonly string[]): string {
  const shown = names
    .slice(0, MAX_ANSWERED * 2)
    .map((name) => (name.length > MAX_SHOWN_CHARS ? `${name.slice(0, MAX_SHOWN_CHARS)}...` : name))
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
