import { STOP_WORDS, stemOf, terms } from '../text/text.js'

/** What notes may say where a question names only the kind of thing: "dog" or "cat" for "pet". */
export interface HyponymTable {
  /**
   * Terms near to those of a question, without these, the nearest first. One stands as often as words of the question lead
   * to it: what is both a framework and of the frontend is nearer to a "frontend framework" than what is one of them.
   * `spoken` are the words of the question in their order, by which phrases are found.
   */
  of(asked: readonly string[], spoken?: readonly string[]): readonly string[]
}

/** So many are looked for at most: a long question names many kinds, and every word is a list to walk through. */
const MAX_HYPONYMS = 48
/** More words than this do not make one nearer. */
const NEAREST = 3

/** A stem has the first letters of its word. */
const headOf = (word: string): string => word.slice(0, 2)

/** What a list says of the words that begin with the same letters. */
interface Shelf {
  readonly kinds: ReadonlyMap<string, ReadonlySet<string>>
  readonly phrases: readonly Phrase[]
}

interface Phrase {
  readonly words: readonly string[]
  /** How many words of a question it stands for. */
  readonly telling: number
  readonly members: ReadonlySet<string>
}

/**
 * Reads a list of `kind member member; kind member`, where a kind of several words is joined by `+`. A kind leads to its
 * members, never one member to another. Words are taken to their stems when they are first looked for: a first question
 * would wait for thousands.
 */
export function parseHyponyms(list: string): HyponymTable {
  const entries = new Map<string, string[]>()
  for (const entry of list.split(/[;\n]\s*/)) {
    const known = entries.get(headOf(entry)) ?? []
    known.push(entry)
    entries.set(headOf(entry), known)
  }
  const read = new Map<string, Shelf>()
  const shelfOf = (word: string): Shelf | undefined => {
    const head = headOf(word)
    const listed = entries.get(head)
    if (listed === undefined) return undefined
    const known = read.get(head) ?? shelve(listed)
    read.set(head, known)
    return known
  }
  return {
    of(asked, spoken = []) {
      const own = new Set(asked)
      const near = new Map<string, number>()
      const count = (members: Iterable<string>, telling: number): void => {
        for (const one of members) if (!own.has(one)) near.set(one, (near.get(one) ?? 0) + telling)
      }
      for (const term of own) count(shelfOf(term)?.kinds.get(term) ?? [], 1)
      const said = spoken.map(stemOf)
      said.forEach((word, at) => {
        for (const { words, telling, members } of shelfOf(word)?.phrases ?? [])
          if (words.every((one, i) => one === said[at + i])) count(members, telling)
      })
      const nearest = [...near].sort((a, b) => b[1] - a[1]).slice(0, MAX_HYPONYMS)
      return nearest.flatMap(([term, times]) => Array<string>(Math.min(NEAREST, times)).fill(term))
    },
  }
}

function shelve(entries: readonly string[]): Shelf {
  const kinds = new Map<string, Set<string>>()
  const phrases: Phrase[] = []
  for (const entry of entries) {
    const [kind = '', ...named] = entry.split(' ')
    const members = terms(named.join(' '))
    const words = kind.split('+')
    if (words.length > 1) {
      const telling = words.filter((word) => !STOP_WORDS.has(word)).length
      phrases.push({ words: words.map(stemOf), telling, members: new Set(members) })
      continue
    }
    const [stem] = terms(kind)
    if (stem === undefined) continue
    const known = kinds.get(stem) ?? new Set()
    for (const one of members) if (one !== stem) known.add(one)
    kinds.set(stem, known)
  }
  return { kinds, phrases }
}
