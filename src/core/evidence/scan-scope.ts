import { MemoryError } from '../../errors.js'
import { anything, compileGlob, exactly, type GlobPart } from '../files/glob.js'

/** What of a folder is captured, beyond what its ignore rules say. */
export interface ScanPatterns {
  /** Only what one of these takes; all when there are none. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Takes the state of agents, too. */
  readonly force: boolean
}

export const ALL_OF_IT: ScanPatterns = { include: [], exclude: [], force: false }

/** Folders in which agents keep their own state. */
export const AGENT_STATE = ['.claude', '.codex', '.cursor', '.worktrees'] as const

/** Generated, at whatever depth. */
const NEVER = new Set([
  '.git',
  '.venv',
  'venv',
  'node_modules',
  '__pycache__',
  'dist',
  'build',
  'target',
  '.next',
  '.idea',
  '.pytest_cache',
])

/** `named` is something hidden that was asked for by name. */
export type ScopeVerdict = 'take' | 'named' | 'leave'
export type ScanScope = (path: string, isDirectory: boolean) => ScopeVerdict

const MAX_PATTERN_CHARS = 500
const MAX_PATTERNS = 200

/** `*` crosses folders; a pattern takes a relative path, a base name, or a folder with all in it. */
function matcher(pattern: string): (path: string) => boolean {
  const parts: GlobPart[] = [...trimmed(pattern)].map((character) =>
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

const trimmed = (pattern: string): string => pattern.trim().replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '')

/** Each once, in one order: two lists that say the same are the same. */
export const normalPatterns = (patterns: readonly string[]): readonly string[] => [...new Set(patterns.map(trimmed))].sort()

export function checkPatterns(patterns: readonly string[], field: string): void {
  if (patterns.length > MAX_PATTERNS)
    throw new MemoryError('invalid_input', `Invalid ${field}: at most ${MAX_PATTERNS} patterns are allowed`)
  patterns.forEach((pattern, index) => {
    if (pattern.includes('\0') || trimmed(pattern) === '' || pattern.length > MAX_PATTERN_CHARS)
      throw new MemoryError('invalid_input', `Invalid ${field}.${index}: must be a pattern of 1 to ${MAX_PATTERN_CHARS} characters`, {
        hint: 'For example docs, *.md or src/*.ts; * crosses folders.',
      })
  })
}

/** Whether one of the patterns takes the path. */
export const isInScope = (patterns: readonly string[], path: string): boolean => patterns.some((pattern) => matcher(pattern)(path))

/** A pattern names something hidden only where it writes its dot. */
const namesHidden = (pattern: string): boolean => pattern.startsWith('.') || pattern.includes('/.')

export function scanScope({ include, exclude, force }: ScanPatterns): ScanScope {
  const leaves = exclude.map(matcher)
  const takes = include.map(matcher)
  const hidden = include.filter(namesHidden).map((pattern) => ({ pattern: trimmed(pattern), matches: matcher(pattern) }))
  const isAgentState = (path: string): boolean => AGENT_STATE.some((name) => path === name || path.startsWith(`${name}/`))
  return (path, isDirectory) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if ((isDirectory && NEVER.has(name)) || leaves.some((leave) => leave(path))) return 'leave'
    const forced = force && isAgentState(path)
    if (!isDirectory && takes.length > 0 && !forced && !takes.some((take) => take(path))) return 'leave'
    if (!name.startsWith('.')) return 'take'
    const asked = hidden.some(({ pattern, matches }) => matches(path) || (isDirectory && pattern.startsWith(`${path}/`)))
    return asked || (force && isAgentState(path) && !path.includes('/')) ? 'named' : 'take'
  }
}
