import { MemoryError } from '../../errors.js'
import { crossingGlob } from '../files/path-glob.js'
import { isNeverCaptured } from '../files/skipped-files.js'

/** What a scan captures of a folder, in addition to its ignore rules. */
export interface ScanPatterns {
  /** If present, only paths that match one of these. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Also captures folders with state of agents. */
  readonly force: boolean
}

/** Folders in which coding agents store their state. */
export const AGENT_STATE = ['.claude', '.codex', '.cursor', '.worktrees'] as const

/** `named` is a hidden entry that a pattern names. */
type ScopeVerdict = 'take' | 'named' | 'leave'
export type ScanScope = (path: string, isDirectory: boolean) => ScopeVerdict

const MAX_PATTERN_CHARS = 500
const MAX_PATTERNS = 200

const matcher = (pattern: string): ((path: string) => boolean) => crossingGlob(trimmed(pattern))

const trimmed = (pattern: string): string => pattern.trim().replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '')

/** Sorted without duplicates, so that equal sets are equal lists. */
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

/** True if a pattern matches the path. */
export const isInScope = (patterns: readonly string[], path: string): boolean => patterns.some((pattern) => matcher(pattern)(path))

/** A pattern names a hidden entry only if it contains the dot. */
const namesHidden = (pattern: string): boolean => pattern.startsWith('.') || pattern.includes('/.')

export function scanScope({ include, exclude, force }: ScanPatterns): ScanScope {
  const leaves = exclude.map(matcher)
  const takes = include.map(matcher)
  const hidden = include.filter(namesHidden).map((pattern) => ({ pattern: trimmed(pattern), matches: matcher(pattern) }))
  const isAgentState = (path: string): boolean => AGENT_STATE.some((name) => path === name || path.startsWith(`${name}/`))
  return (path, isDirectory) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if ((isDirectory && isNeverCaptured(name)) || leaves.some((leave) => leave(path))) return 'leave'
    const forced = force && isAgentState(path)
    if (!isDirectory && takes.length > 0 && !forced && !takes.some((take) => take(path))) return 'leave'
    if (!name.startsWith('.')) return 'take'
    const request = hidden.some(({ pattern, matches }) => matches(path) || (isDirectory && pattern.startsWith(`${path}/`)))
    return request || (force && isAgentState(path) && !path.includes('/')) ? 'named' : 'take'
  }
}
