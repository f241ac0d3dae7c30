const MAX_CHARS_BEFORE = 100
const MAX_WORDS_BEFORE = 10
/** Keys are longer than passwords. */
const MAX_WORD_CHARS = 4096
const OPENING_SIGNS = '"\'`(“„‚«‹‘*_['
const CLOSING_SIGNS = '"\'`)”“’»›*_]'
const TRAILING = '.,;:'

/** A word without the quotation marks and the punctuation around it. */
export interface Word {
  readonly from: number
  readonly to: number
  /** Position after the word and its punctuation. */
  readonly end: number
  readonly text: string
  readonly lower: string
  readonly quoted: boolean
  /** Ends with a colon or an equals sign. */
  readonly announces: boolean
  readonly endsSentence: boolean
  /** Ends with a comma. */
  readonly pauses: boolean
  /** Line breaks between the word before and this one. */
  readonly lines: number
}

/** The words before a position in its line, nearest first. */
export function wordsBefore(text: string, since: number, noun: number): readonly Word[] {
  const words: Word[] = []
  for (let at = Math.max(since, lineStart(text, noun)); ; ) {
    const word = nextWord(text, at, noun, noun)
    if (word === undefined) break
    words.push(word)
    at = word.end
  }
  return words.reverse().slice(0, MAX_WORDS_BEFORE)
}

/** Start of the line, at most `MAX_CHARS_BEFORE` characters before `from`. */
export function lineStart(text: string, from: number): number {
  let at = from
  while (at > 0 && at > from - MAX_CHARS_BEFORE && text[at - 1] !== '\n') at--
  return at
}

const SPACED_QUOTES = /^[«»„“][\s\u00a0\u202f]/u
/** Spaces, control characters and the spaces that do not break a line. */
const isBlank = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0x202f || code === 0x3000

/** The word that starts at `from`, after blanks. */
export function nextWord(text: string, from: number, limit: number, longest: number): Word | undefined {
  let begin = from
  let lines = 0
  let quoted = false
  // French quotation marks are separated from the word by a space.
  while (begin < limit && (isBlank(text.charCodeAt(begin)) || SPACED_QUOTES.test(text.slice(begin, begin + 2)))) {
    if (text[begin] === '\n') lines++
    quoted = !isBlank(text.charCodeAt(begin)) || (quoted && text[begin] !== '\n')
    begin++
  }
  if (begin >= limit) return undefined
  let end = begin
  while (end < text.length && end < longest && end < begin + MAX_WORD_CHARS && !isBlank(text.charCodeAt(end))) end++
  let to = end
  while (begin < to && OPENING_SIGNS.includes(text[begin] ?? ' ')) {
    quoted = true
    begin++
  }
  let announces = false
  while (to > begin) {
    const character = text[to - 1] ?? ' '
    if (TRAILING.includes(character)) announces = announces || character === ':'
    else if (!CLOSING_SIGNS.includes(character) || !(quoted || character === ')' || character === '*')) break
    to--
  }
  const word = text.slice(begin, to)
  const tail = text.slice(to, end)
  return {
    from: begin,
    to,
    end,
    text: word,
    lower: word === '' ? tail.slice(0, 3) : word.toLowerCase(),
    quoted,
    announces: announces && word !== '',
    pauses: tail.includes(','),
    endsSentence: /[.;]/u.test(tail) || /[!?]$/u.test(word),
    lines,
  }
}
