import { fold } from '../text/text.js'

/** Letters at the end that may differ: "stores", "stored" and "storing" are looked up as one. */
const ENDING = 3
/** Of shorter beginnings every letter counts. */
const STEM = 4
/** How much of the longer word both must have in common, unless one is the beginning of the other. */
const COMMON = 0.7
/** With what words are listed that others are made of: infinitives, and the first of several forms. */
const INFLECTION = /(?:are|ere|ire|oir|ern|eln|en|er|ar|ir|re|el|[aeonr])$/
/** Letters that join the parts of a compound word: Arbeitszeit, Stundenplan. */
const JOINTS = ['', 's', 'n', 'en', 'es', 'er', 'e']
const PART = 3
const COMPOUND = 7
/** Nobody writes longer ones. */
const MAX_WORD_CHARS = 40
const MAX_PARTS = 3

interface Entry {
  readonly word: string
  readonly meanings: readonly string[]
}

type Meanings = readonly string[]

export interface Glossary {
  /** What each part of a word means, most usual first: most words have one. Undefined for a word that is not known. */
  meaningsOf(word: string): readonly Meanings[] | undefined
}

/**
 * Reads a list of `word meaning meaning; word meaning`. A word is found by itself or by its beginning, endings left out; in languages that
 * write compounds as one word also by its parts.
 */
export function parseGlossary(list: string, compounds: boolean): Glossary {
  const entries: readonly Entry[] = fold(list)
    .split(/[;\n]/)
    .map((entry) => entry.trim().split(' '))
    .filter(([word = '', ...meanings]) => word !== '' && meanings.length > 0)
    .map(([word = '', ...meanings]) => ({ word, meanings }))
  const whole = new Map(entries.map(({ word, meanings }) => [word, meanings]))
  // Shorter words first: "plan" is nearer to "plans" than "planet" is.
  const byLength = entries.toSorted((one, other) => one.word.length - other.word.length)
  const beginnings = new Map<string, Entry>()
  const stems = new Map<string, Entry>()
  for (const entry of byLength) {
    const { word } = entry
    const stem = word.replace(INFLECTION, '')
    if (stem.length >= STEM && !stems.has(stem)) stems.set(stem, entry)
    for (let length = word.length; length >= Math.max(STEM, word.length - ENDING); length--) {
      const beginning = word.slice(0, length)
      if (!beginnings.has(beginning)) beginnings.set(beginning, entry)
    }
  }

  const simple = (word: string): Meanings | undefined => {
    const known = whole.get(word)
    if (known !== undefined) return known
    for (let length = word.length; length >= Math.max(STEM, word.length - ENDING); length--) {
      const beginning = word.slice(0, length)
      const found = beginnings.get(beginning)
      const isClose = found !== undefined && length >= COMMON * Math.max(word.length, found.word.length)
      const entry = isClose ? found : stems.get(beginning)
      if (entry !== undefined) return entry.meanings
    }
    return undefined
  }

  /** The first part of a compound stands as it is, but for a joint. */
  const first = (part: string, parts: number): readonly Meanings[] | undefined => {
    for (const joint of JOINTS) {
      if (!part.endsWith(joint)) continue
      const known = whole.get(part.slice(0, part.length - joint.length))
      if (known !== undefined) return [known]
    }
    return parts > 2 && part.length >= COMPOUND ? inParts(part, parts - 1) : undefined
  }

  /** The last part tells what it is: the longest one that is known, after one or two that are known. */
  const inParts = (word: string, parts: number): readonly Meanings[] | undefined => {
    for (let at = PART; at <= word.length - PART; at++) {
      const last = simple(word.slice(at))
      if (last === undefined) continue
      const before = first(word.slice(0, at), parts)
      if (before !== undefined) return [...before, last]
    }
    return undefined
  }

  const isCompound = (word: string): boolean => compounds && word.length >= COMPOUND && word.length <= MAX_WORD_CHARS
  return {
    meaningsOf(word) {
      const known = simple(word)
      if (known !== undefined) return [known]
      return isCompound(word) ? inParts(word, MAX_PARTS) : undefined
    },
  }
}
