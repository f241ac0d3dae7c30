import { isParsedLanguage, languageOfPath } from '../code/languages.js'
import { sha256 } from '../encoding/hash.js'
import type { Passage } from '../facts/source.js'
import type { DocumentChunk } from './chunks.js'
import { slugify } from './object-id.js'

/** The columns of an indexed file that its segments need. */
export interface IndexedFile {
  readonly path: string
  /** sha-256 of its bytes. */
  readonly hash: string
}

const DOCUMENTS = new Set(['markdown', 'text'])

/** Prose is split into sections; every other indexed file is code. */
export const isDocument = (path: string): boolean => DOCUMENTS.has(languageOfPath(path) ?? 'text')

/** Code with an outline; each such file is a module. */
export function isModule(path: string): boolean {
  const language = languageOfPath(path)
  return language !== null && isParsedLanguage(language) && language !== 'markdown' && language !== 'css'
}

/** Covers every scanned file, stored or not. */
export function repoFingerprint(
  files: ReadonlyMap<string, { readonly hash: string; readonly size: number; readonly skipped: string | null }>,
): string {
  const lines = [...files].map(([path, { hash, size, skipped }]) => `${path}\0${skipped === null ? hash : `${skipped} ${size}`}`)
  return sha256(lines.sort().join('\n'))
}

/** The lines of a file, joined from its passages, some of which repeat the last lines of the previous one. */
export function textOfFile(passages: readonly Pick<Passage, 'startLine' | 'text'>[]): string {
  const parts: string[] = []
  let next = 1
  for (const { startLine, text } of passages) {
    const known = next - startLine
    const rest = known <= 0 ? text : afterLines(text, known)
    parts.push(rest)
    next = Math.max(next, startLine) + rest.split('\n').length - 1
  }
  return parts.join('')
}

function afterLines(text: string, count: number): string {
  let offset = 0
  for (let line = 0; line < count; line++) {
    const end = text.indexOf('\n', offset)
    if (end < 0) return ''
    offset = end + 1
  }
  return text.slice(offset)
}

const DIGITS = 8

/** Ids of code files. If paths map to the same id, all but the first get a suffix. */
export function codeSegmentIds(paths: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  return new Map(
    [...paths].sort().map((path) => {
      const plain = `code-${slugify(path)}`
      const id = taken.has(plain) ? `${plain}-${sha256(path).slice(0, DIGITS)}` : plain
      taken.add(id)
      return [path, id]
    }),
  )
}

const MAX_PLACE_CHARS = 100

/** The id of a section, or of a piece of one, from its position and title. */
export function sectionId(
  path: string,
  { startLine, title, characters }: Pick<DocumentChunk, 'startLine' | 'title' | 'characters'>,
): string {
  const place = `${path}:${startLine}:${title}${characters === undefined ? '' : `:${characters.start}`}`
  // A long one is shortened with a hash of the rest, so that it stays unique.
  return place.length <= MAX_PLACE_CHARS
    ? `doc-${slugify(place)}`
    : `doc-${slugify(place.slice(0, MAX_PLACE_CHARS))}-${sha256(place).slice(0, DIGITS)}`
}

const PLACE_SHOWN = 60

/** True if a section with that id may be in this file: ids begin with the path. */
export const mayHoldSection = (path: string, id: string): boolean => `${id}-`.startsWith(`doc-${slugify(path.slice(0, PLACE_SHOWN))}`)
