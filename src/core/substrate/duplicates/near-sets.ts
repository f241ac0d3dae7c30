/** A set of words as ascending numbers. Rarer words have lower numbers. */
export type NumberedSet = Int32Array

const ROUNDING = 1e-6
/** Maximum number of pairs examined; more would take seconds. */
const MAX_LOOKS = 150_000_000

/** Numbers words by how many sets contain them. */
export function numberedSets(sets: readonly ReadonlySet<string>[]): readonly NumberedSet[] {
  const uses = new Map<string, number>()
  for (const words of sets) for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1)
  const ranked = [...uses].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
  const numbers = new Map(ranked.map(([word], number) => [word, number]))
  return sets.map((words) => Int32Array.from(words, (word) => numbers.get(word) ?? 0).sort())
}

/** Jaccard similarity of two sets. */
export function numberedOverlap(a: NumberedSet, b: NumberedSet): number {
  let both = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i] as number, b[j] as number]
    if (x === y) both++
    if (x <= y) i++
    if (y <= x) j++
  }
  return both === 0 ? 0 : both / (a.length + b.length - both)
}

/**
 * Visits all pairs of members whose Jaccard similarity is at least `least`, and some others. Two such sets share one of the rarest words of
 * each, all but a share of `least` of them, so only those are looked up. Yields regularly. Returns false if too many sets share words: then
 * only the last holders of each word were compared.
 */
export function* nearPairs(
  sets: readonly NumberedSet[],
  members: readonly number[],
  min: number,
  meet: (earlier: number, later: number) => void,
  mostLooks = MAX_LOOKS,
): Generator<undefined, boolean> {
  const lists = rareWords(sets, members, min)
  const max = lists.looks <= mostLooks ? Number.POSITIVE_INFINITY : Math.ceil(mostLooks / lists.entries)
  const { sizes, starts, ends, holders } = lists
  const leastShared = sharedBySizes(min)
  const shared = new Uint16Array(sets.length)
  // Typed arrays: tens of millions of pairs may share a word.
  const met = new Int32Array(sets.length)
  for (const member of members) {
    yield
    const own = sets[member] ?? EMPTY_SET
    const looked = rareOf(own.length, min)
    const enough = leastShared(own.length)
    let count = 0
    for (let index = 0; index < looked; index++) {
      const word = own[index] as number
      const end = ends[word] as number
      for (let i = Math.max(starts[word] as number, end - max); i < end; i++) {
        const other = holders[i] as number
        if (shared[other] === 0) met[count++] = other
        shared[other] = (shared[other] as number) + 1
      }
      holders[end] = member
      ends[word] = end + 1
    }
    for (let i = 0; i < count; i++) {
      const other = met[i] as number
      const both = shared[other] as number
      shared[other] = 0
      if (both >= (enough[sizes[other] as number] as number)) meet(other, member)
    }
  }
  return max === Number.POSITIVE_INFINITY
}

const EMPTY_SET: NumberedSet = new Int32Array(0)

/** Number of words of a set that are looked up. */
const rareOf = (size: number, min: number): number => (size === 0 ? 0 : size - Math.ceil((min - ROUNDING) * size) + 1)

/** Larger sets are treated as sets of this size, which hardly changes the bound. */
const MAX_SET_SIZE = 4096

/** Minimum number of rare words that two sets must share, by the size of each. */
function sharedBySizes(min: number): (size: number) => Uint16Array {
  const known = new Map<number, Uint16Array>()
  const rest = (size: number): number => size - rareOf(size, min)
  return (size) => {
    const found = known.get(size)
    if (found !== undefined) return found
    const row = new Uint16Array(MAX_SET_SIZE + 1).fill(1)
    for (let other = 1; other < MAX_SET_SIZE; other++) {
      const needed = ((min - ROUNDING) / (1 + min)) * (size + other) - ROUNDING
      // All other shared words come after the rare words of one of them.
      row[other] = Math.max(1, Math.ceil(needed - Math.max(rest(size), rest(other))))
    }
    known.set(size, row)
    return row
  }
}

/** Space for the holders of each looked-up word, stored contiguously. */
function rareWords(sets: readonly NumberedSet[], members: readonly number[], min: number) {
  const sizes = Uint16Array.from(sets, ({ length }) => Math.min(length, MAX_SET_SIZE))
  const words = 1 + sets.reduce((max, own) => Math.max(max, own[own.length - 1] ?? 0), 0)
  const uses = new Uint32Array(words)
  for (const member of members) {
    const own = sets[member] ?? EMPTY_SET
    for (let index = 0; index < rareOf(own.length, min); index++) uses[own[index] as number] = (uses[own[index] as number] as number) + 1
  }
  const starts = new Uint32Array(words)
  let entries = 0
  let looks = 0
  for (const [word, count] of uses.entries()) {
    starts[word] = entries
    entries += count
    looks += (count * count) / 2
  }
  return { sizes, starts, ends: starts.slice(), holders: new Int32Array(entries), entries, looks }
}
