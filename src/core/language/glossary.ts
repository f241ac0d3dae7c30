import { fold } from '../text/text.js'
import { readEntries } from './word-list.js'

/** Endings of up to this many letters are ignored, so "stores", "stored" and "storing" share an entry. */
const MAX_ENDING_CHARS = 3
/** A shared beginning has at least this many letters. */
const MIN_STEM_CHARS = 4
/** Share of the longer word that both words have in common, unless one is the beginning of the other. */
const MIN_COMMON_SHARE = 0.7
/** Endings of dictionary forms: infinitives and singular nouns. */
const INFLECTION = /(?:are|ere|ire|oir|ern|eln|en|er|ar|ir|re|el|[aeonr])$/
/** Letters that join the parts of a compound: Arbeitszeit, Stundenplan. */
const LINKING_LETTERS = ['', 's', 'n', 'en', 'es', 'er', 'e']
const MIN_PART_CHARS = 3
const MIN_COMPOUND_CHARS = 7
/** Splitting takes quadratic time; longer compounds do not occur. */
const MAX_COMPOUND_CHARS = 40
const MAX_PARTS = 3

interface Entry {
  readonly word: string
  readonly meanings: readonly string[]
}

type Meanings = readonly string[]

export interface Glossary {
  /** Meanings of each part of a word, most usual first; only compounds have several parts. Undefined for an unknown word. */
  meaningsOf(word: string): readonly Meanings[] | undefined
}

/**
 * Parses lines of `word meaning meaning`. A word matches an entry exactly or by a shared beginning; in languages that write compounds as
 * one word, also by its parts.
 */
export function parseGlossary(list: string, compounds: boolean): Glossary {
  const entries: readonly Entry[] = readEntries(fold(list))
    .map((entry) => entry.split(' '))
    .filter(([, ...meanings]) => meanings.length > 0)
    .map(([word = '', ...meanings]) => ({ word, meanings }))
  const whole = new Map(entries.map(({ word, meanings }) => [word, meanings]))
  // Shorter words first, because "plan" is closer to "plans" than "planet" is.
  const byLength = entries.toSorted((a, b) => a.word.length - b.word.length)
  const beginnings = new Map<string, Entry>()
  const stems = new Map<string, Entry>()
  for (const entry of byLength) {
    const { word } = entry
    const stem = word.replace(INFLECTION, '')
    if (stem.length >= MIN_STEM_CHARS && !stems.has(stem)) stems.set(stem, entry)
    for (let length = word.length; length >= Math.max(MIN_STEM_CHARS, word.length - MAX_ENDING_CHARS); length--) {
      const beginning = word.slice(0, length)
      if (!beginnings.has(beginning)) beginnings.set(beginning, entry)
    }
  }

  const findSimple = (word: string): Meanings | undefined => {
    const known = whole.get(word)
    if (known !== undefined) return known
    for (let length = word.length; length >= Math.max(MIN_STEM_CHARS, word.length - MAX_ENDING_CHARS); length--) {
      const beginning = word.slice(0, length)
      const found = beginnings.get(beginning)
      const isClose = found !== undefined && length >= MIN_COMMON_SHARE * Math.max(word.length, found.word.length)
      const entry = isClose ? found : stems.get(beginning)
      if (entry !== undefined) return entry.meanings
    }
    return undefined
  }

  /** The first part of a compound matches exactly, apart from a joint. */
  const findFirstPart = (part: string, parts: number): readonly Meanings[] | undefined => {
    for (const joint of LINKING_LETTERS) {
      if (!part.endsWith(joint)) continue
      const known = whole.get(part.slice(0, part.length - joint.length))
      if (known !== undefined) return [known]
    }
    return parts > 2 && part.length >= MIN_COMPOUND_CHARS ? splitCompound(part, parts - 1) : undefined
  }

  /** Splits a compound before its longest known last part. */
  const splitCompound = (word: string, parts: number): readonly Meanings[] | undefined => {
    for (let at = MIN_PART_CHARS; at <= word.length - MIN_PART_CHARS; at++) {
      const last = findSimple(word.slice(at))
      if (last === undefined) continue
      const before = findFirstPart(word.slice(0, at), parts)
      if (before !== undefined) return [...before, last]
    }
    return undefined
  }

  const isCompound = (word: string): boolean => compounds && word.length >= MIN_COMPOUND_CHARS && word.length <= MAX_COMPOUND_CHARS
  return {
    meaningsOf(word) {
      const known = findSimple(word)
      if (known !== undefined) return [known]
      return isCompound(word) ? splitCompound(word, MAX_PARTS) : undefined
    },
  }
}
