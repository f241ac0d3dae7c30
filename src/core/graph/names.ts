import { beginsSentence, functionWordsOf } from '../language/capitalised.js'
import { fold, STOP_WORDS } from '../text/text.js'
import type { Entity } from './entity.js'

/** Maximum number of words in a name; longer titles are not looked up in other texts. */
const MAX_NAME_WORDS = 7
/** Longer names are stored and searched as text, but not looked up in other texts. */
const MAX_NAME_LENGTH = 200
const MAX_MENTIONS = 64
/** A text with more names than this is a list; only its first names are linked. */
const MAX_KNOWN = 200
/** Number of words of a name that narrow the search for stored texts; more cost more than they exclude. */
const MAX_SEARCH_WORDS = 4
const OPENING_BRACKETS: ReadonlySet<string> = new Set('([{（【')
const CLOSING_BRACKETS: ReadonlySet<string> = new Set(')]}）】')
const PUNCTUATION: ReadonlySet<string> = new Set('.,;:!?')
/** Texts add and drop articles, so they are not part of a name. */
const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an'])

/**
 * Normal form of a name, alias, title or mention: folded words without brackets or possessive. A name without letters and digits is its own
 * normal form.
 */
export function normalName(name: string): string {
  const bare = withoutBracket(name)
  const parts = nameWords(bare === '' ? name : bare)
  if (parts.length > 1 && ARTICLES.has(parts[0] ?? '')) parts.shift()
  return parts.length > 0 ? parts.join(' ') : fold(name.trim())
}

/**
 * Key that makes two entity names equal: everything counts, including signs and brackets, except case, spaces, a leading article and a
 * final full stop. `normalName` is coarser: for it C, C# and C++ are the same.
 */
export function entityKey(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase().trim().replace(/\s+/gu, ' ')
  const [first = '', ...rest] = plain.split(' ')
  const key = trimEnd(rest.length > 0 && ARTICLES.has(first) ? rest.join(' ') : plain).trimEnd()
  return key === '' ? plain : key
}

export interface EntityName {
  /** Unique among the names of the owner. */
  readonly key: string
  /** The form in which texts mention it; entities may share it. */
  readonly name: string
}

/** The key of an entity with a URI; no name can have this form. */
export const uriKey = (uri: string): string => `\u0001${uri}`

/** Prefix of URIs of nodes found in captured evidence, such as folders and files of a repository. */
export const CAPTURED_URI_PREFIX = 'mneme:captured/'

/** Such nodes have names like `docs` or `main`; texts with that word do not refer to them. */
export const isCaptured = (entity: Pick<Entity, 'uri'>): boolean => entity.uri?.startsWith(CAPTURED_URI_PREFIX) === true

/**
 * The distinct names of an entity, the main one first. An entity with a URI is identified by it; others may share its names, and texts
 * mention all of them. A captured one is never mentioned: its mention name is empty.
 */
export function namesOfEntity(entity: Pick<Entity, 'name' | 'aliases' | 'uri'>): readonly EntityName[] {
  const names = new Map<string, string>()
  const { uri } = entity
  if (uri !== null && isCaptured(entity)) return [{ key: uriKey(uri), name: '' }]
  if (uri !== null) names.set(uriKey(uri), normalName(entity.name))
  for (const name of uri === null ? [entity.name, ...entity.aliases] : entity.aliases) {
    const own = entityKey(name)
    const key = own === '' || uri === null ? own : `${uriKey(uri)} ${own}`
    if (key !== '' && !names.has(key)) names.set(key, normalName(name))
  }
  return [...names].map(([key, name]) => ({ key, name }))
}

/** Removes a final remark in brackets. Scans, because a regular expression for this takes hours on hostile text. */
function withoutBracket(name: string): string {
  const trimmed = name.trimEnd()
  const end = trimmed.length - 1
  if (!CLOSING_BRACKETS.has(trimmed[end] ?? '')) return name
  let open = -1
  for (let i = end - 1; i >= 0 && !CLOSING_BRACKETS.has(trimmed[i] ?? ''); i--) if (OPENING_BRACKETS.has(trimmed[i] ?? '')) open = i
  return open < 0 ? name : trimmed.slice(0, open).trimEnd()
}

/** The folded words of a text in order, for names: whole identifiers, no parts, no CJK bigrams. */
export function nameWords(text: string): string[] {
  return (fold(text.replace(/['’]s\b/gu, '')).match(/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/gu) ?? []).filter((word) => word.length <= 64)
}

/** True for a name that may be looked up in running text: not a stop word, a single letter or number, or only signs. */
export function isLinkable(normal: string): boolean {
  if (normal.length < 2 || normal.length > MAX_NAME_LENGTH) return false
  const parts = normal.split(' ')
  if (parts.length > MAX_NAME_WORDS) return false
  return parts.some((part) => !STOP_WORDS.has(part) && !/^\d{1,3}$/u.test(part) && /[\p{L}\p{N}]/u.test(part))
}

const CONNECTORS = 'of|the|de|van|von|der|den|da|di|la|le|and|for|du|y'
const CAPITALISED_WORD = `\\p{Lu}[\\p{L}\\p{N}'’-]*`
/** A full stop inside a name follows an initial or a title only; elsewhere it ends the sentence. */
const JOINT = `(?:(?<=(?<![\\p{L}\\p{N}])(?:\\p{Lu}|St|Dr|Mr|Mrs|Ms|Jr|Prof))\\.)?\\s+`
const PROPER_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}_])${CAPITALISED_WORD}(?:${JOINT}(?:(?:${CONNECTORS})\\s+){0,2}(?=\\p{Lu})${CAPITALISED_WORD})*`,
  'gu',
)
/** Bounded runs and an explicit left edge: `\b` is ASCII only, and in other scripts every letter would be tried. */
const IDENTIFIER =
  /(?<![\p{L}\p{N}_])(?:[\p{L}_][\p{L}\p{N}]{0,63}(?:[._][\p{L}\p{N}_]+)+(?:\(\))?|\p{Ll}[\p{L}\p{N}]{0,63}?\p{Lu}[\p{L}\p{N}]*)/gu
const PATH = /(?:^|[\s"'`(])((?:\.{1,2}|~)?\/?(?:[\w.@-]+\/)+[\w.@-]+)/gu
const URL_TEXT = /\bhttps?:\/\/[^\s<>"')\]]+/gu

function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && PUNCTUATION.has(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}

/** Proper names: runs of capitalised words, without function words that only start a sentence. */
function properNames(text: string): string[] {
  const out: string[] = []
  const isSmall = functionWordsOf(text)
  for (const { 0: run, index } of text.matchAll(PROPER_NAME)) {
    const parts = run.split(/\s+/u)
    const begins = beginsSentence(text, index)
    for (let [word = ''] = parts; parts.length > 0; [word = ''] = parts) {
      if (!STOP_WORDS.has(fold(word).replace(/['’].*$/u, '')) && !isSmall(word, { begins, alone: parts.length === 1 })) break
      parts.shift()
    }
    if (parts.length > 0) out.push(parts.join(' '))
  }
  return out
}

/**
 * Names in a text without a list of known names: proper names, identifiers, file paths and URLs, in normal form. Known names are found
 * separately, by their words.
 */
export function mentionedNames(written: string): readonly string[] {
  const text = written.normalize('NFC')
  const found = new Set<string>()
  const add = (name: string): void => {
    const normal = normalName(name)
    if (found.size < MAX_MENTIONS && isLinkable(normal)) found.add(normal)
  }
  for (const [url] of text.matchAll(URL_TEXT)) add(trimEnd(url))
  for (const match of text.matchAll(PATH)) add(trimEnd(match[1] ?? ''))
  for (const [identifier] of text.matchAll(IDENTIFIER)) add(trimEnd(identifier))
  for (const name of properNames(text)) add(name)
  return [...found]
}

/** Possible names that start at a word of a text, longest first. */
export function possibleNames(textWords: readonly string[], now: number): readonly string[] {
  const names: string[] = []
  let name = ''
  for (let i = now; i < Math.min(textWords.length, now + MAX_NAME_WORDS) && name.length <= MAX_NAME_LENGTH; i++) {
    name = i === now ? (textWords[i] ?? '') : `${name} ${textWords[i] ?? ''}`
    names.unshift(name)
  }
  return names
}

/**
 * Known names in the words of a text, longest match first, left to right. `startingWith` returns the known names, in normal form, with the
 * given first word.
 */
export function knownNames(textWords: readonly string[], startingWith: (head: string) => readonly string[]): readonly string[] {
  const found = new Set<string>()
  const heads = new Map<string, ReadonlySet<string>>()
  for (let i = 0; i < textWords.length && found.size < MAX_KNOWN; ) {
    const head = textWords[i] ?? ''
    let known = heads.get(head)
    if (known === undefined) {
      known = new Set(startingWith(head))
      heads.set(head, known)
    }
    const best = known.size === 0 ? undefined : possibleNames(textWords, i).find((name) => known.has(name))
    if (best !== undefined) found.add(best)
    i += best === undefined ? 1 : best.split(' ').length
  }
  return [...found]
}

/** True if the words of `name` are consecutive in `textWords`. */
export function containsName(textWords: readonly string[], name: string): boolean {
  return knownNames(textWords, (head) => (name === head || name.startsWith(`${head} `) ? [name] : [])).length > 0
}

/** Words of a name that narrow the search for stored facts: the longest ones that are not stop words. */
export function toNameSearchTerms(name: string): readonly string[] {
  const all = [...new Set(nameWords(name).flatMap((word) => word.split('_')))].filter((word) => word !== '')
  const contentWords = all.filter((word) => !STOP_WORDS.has(word))
  return [...(contentWords.length > 0 ? contentWords : all)].sort((a, b) => b.length - a.length).slice(0, MAX_SEARCH_WORDS)
}
