import { STOP_WORDS, stemOf, terms } from '../text/text.js'
import { readEntries } from './word-list.js'

/** Members of the categories that a query names: "dog" and "cat" for "pet". */
export interface HyponymTable {
  /**
   * Members of the categories among the query terms, without these terms. A member is repeated once per query word that leads to it, because
   * "frontend framework" fits a member of both categories better than a member of one. `queryWords` are the words in query order, used to
   * find categories of several words.
   */
  of(queryTerms: readonly string[], queryWords?: readonly string[]): readonly string[]
}

/** A query that names many categories would otherwise walk hundreds of posting lists. */
const MAX_HYPONYMS = 48
const MAX_REPEATS = 3

/** Stemming keeps the first letters of a word. */
const prefixOf = (word: string): string => word.slice(0, 2)

/** Parsed entries whose categories share a prefix. */
interface Section {
  readonly categories: ReadonlyMap<string, ReadonlySet<string>>
  readonly phrases: readonly Phrase[]
}

/** A category of several words. */
interface Phrase {
  readonly words: readonly string[]
  /** Number of its words that are no stop words. */
  readonly weight: number
  readonly members: ReadonlySet<string>
}

/**
 * Parses lines of `category member member`, where the words of a category are joined by `+`. Words are stemmed when their prefix is first
 * looked up, because stemming the whole list would delay the first query.
 */
export function parseHyponyms(list: string): HyponymTable {
  const entries = new Map<string, string[]>()
  for (const entry of readEntries(list)) {
    const listed = entries.get(prefixOf(entry)) ?? []
    listed.push(entry)
    entries.set(prefixOf(entry), listed)
  }
  const sections = new Map<string, Section>()
  const sectionOf = (word: string): Section | undefined => {
    const prefix = prefixOf(word)
    const listed = entries.get(prefix)
    if (listed === undefined) return undefined
    const section = sections.get(prefix) ?? parseSection(listed)
    sections.set(prefix, section)
    return section
  }
  return {
    of(queryTerms, queryWords = []) {
      const own = new Set(queryTerms)
      const counts = new Map<string, number>()
      const count = (members: Iterable<string>, weight: number): void => {
        for (const member of members) if (!own.has(member)) counts.set(member, (counts.get(member) ?? 0) + weight)
      }
      for (const term of own) count(sectionOf(term)?.categories.get(term) ?? [], 1)
      const stems = queryWords.map(stemOf)
      stems.forEach((stem, start) => {
        for (const { words, weight, members } of sectionOf(stem)?.phrases ?? [])
          if (words.every((word, i) => word === stems[start + i])) count(members, weight)
      })
      const best = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_HYPONYMS)
      return best.flatMap(([member, times]) => Array<string>(Math.min(MAX_REPEATS, times)).fill(member))
    },
  }
}

function parseSection(entries: readonly string[]): Section {
  const categories = new Map<string, Set<string>>()
  const phrases: Phrase[] = []
  for (const entry of entries) {
    const [category = '', ...listed] = entry.split(' ')
    const members = terms(listed.join(' '))
    const words = category.split('+')
    if (words.length > 1) {
      const weight = words.filter((word) => !STOP_WORDS.has(word)).length
      phrases.push({ words: words.map(stemOf), weight, members: new Set(members) })
      continue
    }
    const [stem] = terms(category)
    if (stem === undefined) continue
    const known = categories.get(stem) ?? new Set()
    for (const member of members) if (member !== stem) known.add(member)
    categories.set(stem, known)
  }
  return { categories, phrases }
}
