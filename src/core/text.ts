import { stem } from './stem.js'

/** Words that carry no meaning of their own in a question or a statement. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are as at be because been before being between both but by can could did do does doing ' +
    'down during each few for from further get had has have having he her here hers him his how i if in into is it its itself just ' +
    'll me more most my no nor not now of off on once only or other our out over own re s same she should so some such t than that the ' +
    'their them then there these they this those through to too under until up ve very was we were what when where which while who ' +
    'whom why will with would you your yours'
  ).split(' '),
)

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const CJK_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu
const WORD = /[\p{L}\p{N}_]+/gu
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
/** Longer runs are hashes, keys or encoded data: kept whole, but never split or stemmed. */
const MAX_WORD = 64

/** Compatibility forms unified, accents removed, lower case. */
export function fold(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127)
      return text
        .normalize('NFKD')
        .replace(/\p{Mn}+/gu, '')
        .normalize('NFC')
        .toLowerCase()
  }
  return text.toLowerCase()
}

/** The parts of an identifier (`parseHTTPHeader`, `user_id`), or nothing when the word is not one. */
export function identifierParts(word: string): readonly string[] {
  if (word.length > MAX_WORD || (!word.includes('_') && !/[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(word))) return []
  const parts = word
    .split('_')
    .flatMap((piece) => piece.split(CAMEL))
    .filter((piece) => piece.length > 0)
  return parts.length > 1 ? parts : []
}

function pushCjk(run: string, out: string[]): void {
  const characters = [...run]
  if (characters.length === 1) out.push(run)
  for (let i = 0; i + 1 < characters.length; i++) out.push(`${characters[i]}${characters[i + 1]}`)
}

/** Every word of a text in order: folded, identifiers followed by their parts, CJK runs as bigrams. */
export function words(text: string): string[] {
  const out: string[] = []
  for (const [word] of text.matchAll(WORD)) {
    if (word.charCodeAt(0) > 0x2e7f && CJK.test(word)) {
      let rest = 0
      for (const match of word.matchAll(CJK_RUN)) {
        if (match.index > rest) out.push(fold(word.slice(rest, match.index)))
        pushCjk(match[0], out)
        rest = match.index + match[0].length
      }
      if (rest < word.length) out.push(fold(word.slice(rest)))
      continue
    }
    out.push(fold(word))
    for (const part of identifierParts(word)) out.push(fold(part))
  }
  return out
}

const stems = new Map<string, string>()
/** Bounded because hostile text can hold any number of distinct words. */
const STEM_CACHE = 50_000

function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const made = word.length > MAX_WORD ? word : stem(word)
  if (stems.size >= STEM_CACHE) stems.clear()
  stems.set(word, made)
  return made
}

/** What is indexed and searched: stems without stop words, in order, repeated as often as they occur. */
export function terms(text: string): string[] {
  const out: string[] = []
  for (const word of words(text)) if (!STOP_WORDS.has(word)) out.push(stemOf(word))
  return out
}

/** A question longer than this is a document: its beginning tells what it is about. */
const MAX_QUERY_TERMS = 512

/** The distinct terms of a question. A question of nothing but stop words keeps them, so that it can match at all. */
export function queryTerms(text: string): readonly string[] {
  const found = new Set(terms(text))
  if (found.size === 0) for (const word of words(text)) found.add(stemOf(word))
  return [...found].slice(0, MAX_QUERY_TERMS)
}

/** 32-bit FNV-1a over UTF-16 units: the identity of a term in the postings. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) {
    hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  }
  return hash >>> 0
}
