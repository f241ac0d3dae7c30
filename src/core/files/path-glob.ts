import { MemoryError } from '../../errors.js'
import { anything, compileGlob, exactly, FOLDERS, type GlobPart, inName } from './glob.js'

const MAX_PATTERN_CHARS = 500

const invalid = (why: string, hint: string): MemoryError => new MemoryError('invalid_input', `Invalid path: ${why}`, { hint })

/**
 * A path pattern as a predicate: `*` and `?` stay within a folder, `**` crosses folders, `{a,b}` is either. A pattern without a slash
 * matches the file name; one that names a folder matches its contents.
 */
export function pathGlob(pattern: string): (path: string) => boolean {
  if (pattern.length > 2 * MAX_PATTERN_CHARS) throw tooLong()
  const trimmed = pattern.trim().replace(/^\.?\/+/, '')
  if (trimmed === '' || trimmed.length > MAX_PATTERN_CHARS) throw tooLong()
  if (occurrences(trimmed, '[') !== occurrences(trimmed, ']'))
    throw invalid(`the brackets of "${pattern}" do not match`, 'Brackets stand for themselves here; for one of several, write {a,b}.')
  const parts = partsOf(withoutSlashes(trimmed), pattern)
  const below: GlobPart = { takes: 'either', choices: [[], [exactly('/'), { takes: 'any', accepts: anything }]] }
  const glob = compileGlob([...(trimmed.includes('/') ? [] : [FOLDERS]), ...parts, below])
  return (path) => glob.matches(path)
}

/** The same pattern form for scopes of evidence: `*` and `?` cross folders, and there are no braces. A folder matches with its contents. */
export function crossingGlob(pattern: string): (path: string) => boolean {
  const parts: GlobPart[] = [...pattern].map((character) =>
    character === '*' ? { takes: 'any', accepts: anything } : character === '?' ? { takes: 'one', accepts: anything } : exactly(character),
  )
  const glob = compileGlob(parts)
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const part = path.slice(0, end)
      if (glob.matches(part) || glob.matches(part.slice(part.lastIndexOf('/') + 1))) return true
    }
    return false
  }
}

const tooLong = (): MemoryError =>
  invalid(`must be a pattern of 1 to ${MAX_PATTERN_CHARS} characters`, 'For example src/**/*.ts or src/auth.')

const occurrences = (text: string, sign: string): number => text.split(sign).length - 1

/** Removes leading and trailing slashes. */
export function withoutSlashes(path: string): string {
  let start = 0
  let end = path.length
  while (path[start] === '/') start++
  while (end > start && path[end - 1] === '/') end--
  return path.slice(start, end)
}

/** An open brace: the prefix before it, its complete alternatives, and the current one. */
interface Brace {
  readonly before: GlobPart[]
  readonly choices: GlobPart[][]
}

function partsOf(pattern: string, text: string): readonly GlobPart[] {
  const open: Brace[] = []
  let parts: GlobPart[] = []
  const characters = [...pattern]
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? ''
    const brace = open.at(-1)
    if (character === '*') {
      let end = index + 1
      while (characters[end] === '*') end++
      const crosses = end - index > 1
      const folders = crosses && characters[end] === '/'
      parts.push(folders ? FOLDERS : { takes: 'any', accepts: crosses ? anything : inName })
      // Consumes the slash of `**/`.
      index = folders ? end : end - 1
    } else if (character === '?') parts.push({ takes: 'one', accepts: inName })
    else if (character === '{') {
      open.push({ before: parts, choices: [] })
      parts = []
    } else if (character === ',' && brace !== undefined) {
      brace.choices.push(parts)
      parts = []
    } else if (character === '}' && brace !== undefined) {
      open.pop()
      parts = [...brace.before, { takes: 'either', choices: [...brace.choices, parts] }]
    } else parts.push(exactly(character))
  }
  if (open.length > 0) throw invalid(`the braces of "${text}" do not match`, 'Close each { with a }.')
  return parts
}
