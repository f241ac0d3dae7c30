import { createHash } from 'node:crypto'
import { stem } from '../../core/text/stem.js'
import { fold } from '../../core/text/text.js'

/** Word positions end here; a phrase further into a long text is found by its words only. */
const LAST_POSITION = 16_383
const MAX_POSITIONS = 200
const MAX_WORD_CHARS = 200

const WORDS = /[\p{L}\p{N}\p{Co}]+/gu

/** Words carry a mark of their owner, so that a look-up in the common index is as long as the owner's own list. */
const markOf = (owner: string): string => createHash('sha1').update(owner).digest('hex').slice(0, 10)

const wordsOf = (text: string): readonly string[] => (fold(text).match(WORDS) ?? []).map((word) => stem(word).slice(0, MAX_WORD_CHARS))

const quoted = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Words with positions, in `tsvector` form. Title and text are separated, so that no phrase spans both. */
export function toVector(owner: string, title: string, text: string): string {
  const mark = markOf(owner)
  const places = new Map<string, number[]>()
  let place = 0
  const take = (words: readonly string[], kind: string): void => {
    for (const word of words) {
      place = Math.min(place + 1, LAST_POSITION)
      const lexeme = `${mark}${kind}${word}`
      const known = places.get(lexeme)
      if (known === undefined) places.set(lexeme, [place])
      else if (known.length < MAX_POSITIONS && known[known.length - 1] !== place) known.push(place)
    }
  }
  take(wordsOf(title), TITLE_MARK)
  place = Math.min(place + 10, LAST_POSITION)
  take(wordsOf(text), TEXT_MARK)
  return [...places].map(([lexeme, now]) => `${quoted(lexeme)}:${now.join(',')}`).join(' ')
}

const TITLE_MARK = '='
const TEXT_MARK = ':'

/** A query for texts with all of these words. */
export const allOf = (owner: string, words: readonly string[]): string =>
  words
    .flatMap(wordsOf)
    .map((word) => quoted(`${markOf(owner)}${TEXT_MARK}${word}`))
    .join(' & ')

/** A query for titles or texts with these words consecutively. */
export function phraseOf(owner: string, words: readonly string[]): string {
  const parts = words.flatMap(wordsOf)
  const phrase = (kind: string): string => parts.map((word) => quoted(`${markOf(owner)}${kind}${word}`)).join(' <-> ')
  return parts.length === 0 ? '' : `(${phrase(TITLE_MARK)}) | (${phrase(TEXT_MARK)})`
}

/** A question for titles or texts that hold all of these words; the last one may be the beginning of a word. */
export function startingWith(owner: string, words: readonly string[]): string {
  const parts = words.flatMap(wordsOf)
  const anywhere = (word: string, index: number): string =>
    [TITLE_MARK, TEXT_MARK]
      .map((kind) => `${quoted(`${markOf(owner)}${kind}${word}`)}${index === parts.length - 1 ? ':*' : ''}`)
      .join(' | ')
  return parts.map((word, index) => `(${anywhere(word, index)})`).join(' & ')
}
