import { parse } from 'yaml'
import { isRow, type Row } from './values.js'

const MAX_CHARS = 256 * 1024

export interface Note {
  readonly matter: Row
  readonly body: string
  /** Lines before the body. */
  readonly offset: number
  /** Why the front matter cannot be read; the note is then read without it. */
  readonly problem?: string
}

/** Splits a Markdown note into its YAML front matter and its body. */
export function splitFrontMatter(text: string): Note {
  const plain = { matter: {}, body: text, offset: 0 }
  if (!text.startsWith('---\n')) return plain
  const end = text.indexOf('\n---', 3)
  const after = end === -1 ? '' : text.slice(end + 4)
  if (end === -1 || (after !== '' && !/^[ \t]*\n/.test(after))) return plain
  const body = after.replace(/^[ \t]*\n/, '')
  const offset = text.slice(0, text.length - body.length).split('\n').length - 1
  if (end > MAX_CHARS) return { matter: {}, body, offset, problem: 'its front matter is too long' }
  try {
    const parsed: unknown = parse(text.slice(4, end + 1), { maxAliasCount: 20, uniqueKeys: false, logLevel: 'silent' })
    return isRow(parsed) ? { matter: parsed, body, offset } : { matter: {}, body, offset }
  } catch {
    return { matter: {}, body, offset, problem: 'its front matter is not valid YAML' }
  }
}
