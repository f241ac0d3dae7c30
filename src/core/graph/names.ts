import { beginsSentence, functionWordsOf } from '../language/capitalised.js'
import { fold, STOP_WORDS } from '../text/text.js'
import type { Entity } from './entity.js'

/** At most this many words make a name; longer titles are never looked for in other texts. */
export const MAX_NAME_WORDS = 7
/** A longer one is stored and found like any text, but never looked for in other texts. */
const MAX_NAME_LENGTH = 200
const MAX_MENTIONS = 64
/** A text that names more than this is a list of everything, and its first names tell what it is about. */
const MAX_KNOWN = 200
/** Stored texts are narrowed down by this many words of a name and then read: more of them cost more than they leave out. */
const MAX_SEARCH_WORDS = 4
const OPENING: ReadonlySet<string> = new Set('([{（【')
const CLOSING: ReadonlySet<string> = new Set(')]}）】')
const STOPS: ReadonlySet<string> = new Set('.,;:!?')
/** Texts drop or add them at will, so they are no part of a name. */
const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an'])

/**
 * The form under which a name, alias, title or mention is found again: folded words, no brackets, no possessive.
 * A name of nothing but signs is its own normal form.
 */
export function normalName(name: string): string {
  const bare = withoutBracket(name)
  const parts = nameWords(bare === '' ? name : bare)
  if (parts.length > 1 && ARTICLES.has(parts[0] ?? '')) parts.shift()
  return parts.length > 0 ? parts.join(' ') : fold(name.trim())
}

/**
 * What makes two names of entities the same: all of the text counts, signs and brackets too, but for case, spaces, a leading
 * article and the stop that may follow. `normalName` is coarser, as texts are: C, C# and C++ are one to it.
 */
export function entityKey(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase().trim().replace(/\s+/gu, ' ')
  const [first = '', ...rest] = plain.split(' ')
  const key = trimEnd(rest.length > 0 && ARTICLES.has(first) ? rest.join(' ') : plain).trimEnd()
  return key === '' ? plain : key
}

export interface EntityName {
  /** What sets it apart from other names of the owner. */
  readonly key: string
  /** How texts mention it; others may be mentioned alike. */
  readonly name: string
}

/** What sets an entity with a URI apart; no name can be written like this. */
export const uriKey = (uri: string): string => `\u0001${uri}`

/** How URIs of nodes begin that were found in captured evidence, such as the folders and files of a repository. */
export const CAPTURED = 'mneme:captured/'

/** Such a node is called `docs` or `main`: texts that hold the word do not mean it. */
export const isCaptured = (entity: Pick<Entity, 'uri'>): boolean => entity.uri?.startsWith(CAPTURED) === true

/**
 * The names of an entity, each once, the main one first. One that has a URI is identified by it: others may share its names,
 * and texts mention all of them. A captured one is never mentioned: the name it is mentioned by is empty.
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

/** Without the remark in brackets that may end a name. Plain scans: a pattern for this takes hours on hostile text. */
function withoutBracket(name: string): string {
  const trimmed = name.trimEnd()
  const end = trimmed.length - 1
  if (!CLOSING.has(trimmed[end] ?? '')) return name
  let open = -1
  for (let i = end - 1; i >= 0 && !CLOSING.has(trimmed[i] ?? ''); i--) if (OPENING.has(trimmed[i] ?? '')) open = i
  return open < 0 ? name : trimmed.slice(0, open).trimEnd()
}

/** The folded words of a text in order, as names are made of them: identifiers whole, no parts, no CJK bigrams. */
export function nameWords(text: string): string[] {
  return (fold(text.replace(/['’]s\b/gu, '')).match(/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/gu) ?? []).filter((word) => word.length <= 64)
}

/** True for a name that may be looked for in running text: neither a stop word nor a single letter or number, nor mere signs. */
export function isLinkable(normal: string): boolean {
  if (normal.length < 2 || normal.length > MAX_NAME_LENGTH) return false
  const parts = normal.split(' ')
  if (parts.length > MAX_NAME_WORDS) return false
  return parts.some((part) => !STOP_WORDS.has(part) && !/^\d{1,3}$/u.test(part) && /[\p{L}\p{N}]/u.test(part))
}

const CONNECTORS = 'of|the|de|van|von|der|den|da|di|la|le|and|for|du|y'
const CAPITALISED = `\\p{Lu}[\\p{L}\\p{N}'’-]*`
/** A full stop inside a name only follows an initial or a title; elsewhere it ends the sentence. */
const JOINT = `(?:(?<=(?<![\\p{L}\\p{N}])(?:\\p{Lu}|St|Dr|Mr|Mrs|Ms|Jr|Prof))\\.)?\\s+`
const PROPER = new RegExp(`(?<![\\p{L}\\p{N}_])${CAPITALISED}(?:${JOINT}(?:(?:${CONNECTORS})\\s+){0,2}(?=\\p{Lu})${CAPITALISED})*`, 'gu')
/** Bounded runs and an explicit left edge: `\b` knows ASCII only, and other scripts would make it try every letter. */
const IDENTIFIER =
  /(?<![\p{L}\p{N}_])(?:[\p{L}_][\p{L}\p{N}]{0,63}(?:[._][\p{L}\p{N}_]+)+(?:\(\))?|\p{Ll}[\p{L}\p{N}]{0,63}?\p{Lu}[\p{L}\p{N}]*)/gu
const PATH = /(?:^|[\s"'`(])((?:\.{1,2}|~)?\/?(?:[\w.@-]+\/)+[\w.@-]+)/gu
const URL_TEXT = /\bhttps?:\/\/[^\s<>"')\]]+/gu

function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && STOPS.has(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}

/** Proper names: runs of capitalised words, without function words that only start a sentence. */
function properNames(text: string): string[] {
  const out: string[] = []
  const isSmall = functionWordsOf(text)
  for (const { 0: run, index } of text.matchAll(PROPER)) {
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
 * What a text names without knowing any names yet: proper names, identifiers, file paths and URLs, in normal form.
 * Names that are already known are found apart, by their words.
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

/** What may be a name where a word of a text begins one, longest first. */
export function possibleNames(textWords: readonly string[], at: number): readonly string[] {
  const names: string[] = []
  let name = ''
  for (let i = at; i < Math.min(textWords.length, at + MAX_NAME_WORDS) && name.length <= MAX_NAME_LENGTH; i++) {
    name = i === at ? (textWords[i] ?? '') : `${name} ${textWords[i] ?? ''}`
    names.unshift(name)
  }
  return names
}

/**
 * Known names that occur in the words of a text, longest match first, left to right. `startingWith` answers the known
 * names, in normal form, whose first word is the given one.
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

/** True when the words of `name` occur one after another in `textWords`. */
export function containsName(textWords: readonly string[], name: string): boolean {
  return knownNames(textWords, (head) => (name === head || name.startsWith(`${head} `) ? [name] : [])).length > 0
}

/** Words of a name by which stored facts that mention it are narrowed down: the longest of those that carry meaning. */
export function toNameSearchTerms(name: string): readonly string[] {
  const all = [...new Set(nameWords(name).flatMap((word) => word.split('_')))].filter((word) => word !== '')
  const telling = all.filter((word) => !STOP_WORDS.has(word))
  return [...(telling.length > 0 ? telling : all)].sort((a, b) => b.length - a.length).slice(0, MAX_SEARCH_WORDS)
}
