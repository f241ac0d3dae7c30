import { MemoryError } from '../errors.js'

const LONGEST = 500

/**
 * A path pattern as a test: `*` and `?` stay within a folder, `**` crosses folders, `{a,b}` is either. A pattern without
 * a slash is matched against the file's name; one that names a folder matches everything in it.
 */
export function pathGlob(pattern: string): (path: string) => boolean {
  const trimmed = pattern.trim().replace(/^\.?\/+/, '')
  if (trimmed === '' || trimmed.length > LONGEST) {
    throw new MemoryError('invalid_input', `Invalid path: must be a pattern of 1 to ${LONGEST} characters`, {
      hint: 'For example src/**/*.ts or src/auth.',
    })
  }
  const body = trimmed
    .replace(/\/+$/, '')
    .split('')
    .reduce(toExpression, { text: '', depth: 0, pattern: trimmed.replace(/\/+$/, ''), at: 0 })
  if ((trimmed.match(/\[/g)?.length ?? 0) !== (trimmed.match(/\]/g)?.length ?? 0)) {
    throw new MemoryError('invalid_input', `Invalid path: the brackets of "${pattern}" do not match`, {
      hint: 'Brackets stand for themselves here; for one of several, write {a,b}.',
    })
  }
  if (body.depth !== 0) throw new MemoryError('invalid_input', `Invalid path: the braces of "${pattern}" do not match`)
  const anywhere = trimmed.includes('/') ? '' : '(?:.*/)?'
  const expression = new RegExp(`^${anywhere}${body.text}(?:/.*)?$`, 'u')
  return (path) => expression.test(path)
}

interface Translation {
  readonly text: string
  readonly depth: number
  readonly pattern: string
  readonly at: number
}

function toExpression(before: Translation, character: string): Translation {
  const { text, depth, pattern, at } = before
  const step = (added: string, nesting = 0): Translation => ({ text: text + added, depth: depth + nesting, pattern, at: at + 1 })
  const rest = pattern.slice(at)
  if (character === '*') {
    if (pattern[at - 1] === '*') return step('')
    if (rest.startsWith('**/')) return step('(?:.*/)?')
    return step(rest.startsWith('**') ? '.*' : '[^/]*')
  }
  // The slash of `**/` is part of what was written for the stars.
  if (character === '/' && pattern.slice(Math.max(0, at - 2), at) === '**') return step('')
  if (character === '?') return step('[^/]')
  if (character === '{') return step('(?:', 1)
  if (character === '}' && depth > 0) return step(')', -1)
  if (character === ',' && depth > 0) return step('|')
  return step(character.replace(/[\\^$.|?*+()[\]{}/-]/u, '\\$&'))
}
