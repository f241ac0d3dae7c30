import { isParsedLanguage, languageOfPath } from '../code/files.js'
import { sha256 } from '../encoding/hash.js'
import type { Passage } from '../facts/source.js'
import type { DocumentChunk } from './chunks.js'
import { slugify } from './object-id.js'

/** A file of a repository, as far as its segments need it. */
export interface IndexedFile {
  readonly path: string
  /** sha-256 of its bytes. */
  readonly hash: string
}

const DOCUMENTS = new Set(['markdown', 'text'])

/** Text for people, which is cut into sections; everything else that is read is code. */
export const isDocument = (path: string): boolean => DOCUMENTS.has(languageOfPath(path) ?? 'text')

/** Code whose outline is known; each such file is a module. */
export function isModule(path: string): boolean {
  const language = languageOfPath(path)
  return language !== null && isParsedLanguage(language) && language !== 'markdown' && language !== 'css'
}

/** Over every file that was scanned, whether its text is kept or not. */
export function repoFingerprint(
  files: ReadonlyMap<string, { readonly hash: string; readonly size: number; readonly skipped: string | null }>,
): string {
  const lines = [...files].map(([path, { hash, size, skipped }]) => `${path}\0${skipped === null ? hash : `${skipped} ${size}`}`)
  return sha256(lines.sort().join('\n'))
}

/** The lines of a file out of its passages, of which some repeat the last lines of the one before. */
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
  let at = 0
  for (let line = 0; line < count; line++) {
    const end = text.indexOf('\n', at)
    if (end < 0) return ''
    at = end + 1
  }
  return text.slice(at)
}

const DIGITS = 8

/** Ids of the code files among these, each its own: of paths that read alike, all but the first are told apart by a suffix. */
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

/** The id of a section, or of a piece of one, by where it begins and what it is called. */
export function sectionId(
  path: string,
  { startLine, title, characters }: Pick<DocumentChunk, 'startLine' | 'title' | 'characters'>,
): string {
  const place = `${path}:${startLine}:${title}${characters === undefined ? '' : `:${characters.start}`}`
  // A long one is cut, and what is cut off must still tell.
  return place.length <= MAX_PLACE_CHARS
    ? `doc-${slugify(place)}`
    : `doc-${slugify(place.slice(0, MAX_PLACE_CHARS))}-${sha256(place).slice(0, DIGITS)}`
}

const PLACE_SHOWN = 60

/** Whether a section of that id may be in this file: ids begin with the path. */
export const mayHoldSection = (path: string, id: string): boolean => `${id}-`.startsWith(`doc-${slugify(path.slice(0, PLACE_SHOWN))}`)
