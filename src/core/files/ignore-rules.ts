import { parseClass } from './character-class.js'
import { type Accepts, anything, compileGlob, exactly, FOLDERS, type GlobMatcher, type GlobPart, inName } from './glob.js'

export type IgnoreVerdict = 'ignored' | 'kept' | 'none'

/** The ignore rules of one folder, with the semantics of Git. */
export interface IgnoreList {
  /** The verdict of the last matching rule. `path` is relative to the folder. */
  verdict(path: string, isDirectory: boolean): IgnoreVerdict
  /** Cost of the wildcards of all rules per character of a path. */
  readonly cost: number
}

interface Rule {
  readonly order: number
  readonly keeps: boolean
  readonly folderOnly: boolean
  /** Matched against the name alone; otherwise against the path. */
  readonly byName: boolean
}

interface WildRule extends Rule {
  readonly glob: GlobMatcher
}

/** Maximum path length. */
const MAX_RULE_CHARS = 4_096
const SPECIAL_CHARACTERS = ['*', '?', '[', '\\']

/**
 * Null if the wildcards of the rules cost more than `maxCost` per character of a path. An invalid line matches nothing, as in Git. Rules
 * without wildcards, and those of the form `*.end`, are looked up; only the others are tried one by one, the last first.
 */
export function parseIgnoreRules(text: string, options: { readonly ignoreCase: boolean; readonly maxCost: number }): IgnoreList | null {
  const fold = (path: string): string => (options.ignoreCase ? path.toLowerCase() : path)
  const literal = new Map<string, Rule[]>()
  const endings = new Map<string, Rule[]>()
  const lengths = new Set<number>()
  const wild: WildRule[] = []
  let cost = 0

  const addLine = (line: string, order: number): void => {
    const parsed = parseLine(line)
    if (parsed === null) return
    const { pattern, ...flags } = parsed
    const rule: Rule = { order, ...flags }
    const folded = fold(pattern)
    if (!SPECIAL_CHARACTERS.some((sign) => folded.includes(sign))) {
      push(literal, `${rule.byName ? 'name' : 'path'} ${folded}`, rule)
      return
    }
    const ending = folded.slice(1)
    if (rule.byName && folded.startsWith('*') && !SPECIAL_CHARACTERS.some((sign) => ending.includes(sign))) {
      push(endings, ending, rule)
      lengths.add(ending.length)
      return
    }
    const parts = partsOf(folded)
    if (parts === null) return
    const glob = compileGlob(parts)
    cost += glob.size + pattern.length
    wild.push({ ...rule, glob })
  }

  for (const [order, line] of text.split('\n').entries()) {
    addLine(line, order)
    if (cost > options.maxCost) return null
  }
  wild.reverse()

  return {
    cost,
    verdict(path, isDirectory) {
      const whole = fold(path)
      const name = whole.slice(whole.lastIndexOf('/') + 1)
      let last: Rule | undefined
      const consider = (rules: readonly Rule[] | undefined): void => {
        for (const rule of rules ?? []) {
          if ((isDirectory || !rule.folderOnly) && rule.order > (last?.order ?? -1)) last = rule
        }
      }
      consider(literal.get(`name ${name}`))
      consider(literal.get(`path ${whole}`))
      for (const length of lengths) if (length <= name.length) consider(endings.get(name.slice(name.length - length)))
      for (const rule of wild) {
        if (rule.order < (last?.order ?? -1)) break
        if ((isDirectory || !rule.folderOnly) && rule.glob.matches(rule.byName ? name : whole)) {
          last = rule
          break
        }
      }
      return last === undefined ? 'none' : last.keeps ? 'kept' : 'ignored'
    },
  }
}

function push(map: Map<string, Rule[]>, key: string, rule: Rule): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [rule])
  else list.push(rule)
}

function parseLine(raw: string): (Omit<Rule, 'order'> & { readonly pattern: string }) | null {
  if (raw.length > MAX_RULE_CHARS || raw.startsWith('#')) return null
  const line = withoutFinalSpaces(raw.endsWith('\r') ? raw.slice(0, -1) : raw)
  const keeps = line.startsWith('!')
  const text = keeps ? line.slice(1) : line
  const folderOnly = text.endsWith('/')
  const named = folderOnly ? text.slice(0, -1) : text
  const byName = !named.includes('/')
  const pattern = named.startsWith('/') ? named.slice(1) : named
  return pattern === '' ? null : { pattern, keeps, folderOnly, byName }
}

/** An escaped space is kept. */
function withoutFinalSpaces(line: string): string {
  let end = 0
  for (let offset = 0; offset < line.length; offset++) {
    if (line[offset] === '\\') {
      offset++
      end = offset + 1
    } else if (line[offset] !== ' ') end = offset + 1
  }
  return line.slice(0, end)
}

/** Null if the pattern can match nothing. */
function partsOf(pattern: string): readonly GlobPart[] | null {
  const parts: GlobPart[] = []
  const points = [...pattern]
  const firstSpecial = points.findIndex((point) => SPECIAL_CHARACTERS.includes(point))
  for (let index = 0; index < points.length; index++) {
    const point = points[index] ?? ''
    if (point === '*') {
      const stars = starsAt(points, index, firstSpecial)
      parts.push(stars.part)
      index = stars.last
    } else if (point === '?') parts.push({ takes: 'one', accepts: inName })
    else if (point === '[') {
      const found = parseClass(points, index)
      if (found === null) return null
      parts.push({ takes: 'one', accepts: both(found.accepts, inName) })
      index = found.last
    } else if (point === '\\') {
      index++
      const meant = points[index]
      if (meant === undefined) return null
      parts.push(exactly(meant))
    } else parts.push(exactly(point))
  }
  return parts
}

const both =
  (accepts: Accepts, other: Accepts): Accepts =>
  (point) =>
    accepts(point) && other(point)

/**
 * Two stars cross folders only if they are a whole path component. Git matches the prefix before the first wildcard separately, so two
 * stars directly after it need no slash before them.
 */
function starsAt(points: readonly string[], from: number, firstSpecial: number): { readonly part: GlobPart; readonly last: number } {
  let last = from
  while (points[last + 1] === '*') last++
  const next = points[last + 1]
  const begins = from === firstSpecial || points[from - 1] === '/'
  const ends = next === undefined || next === '/' || (next === '\\' && points[last + 2] === '/')
  if (last === from || !begins || !ends) return { part: { takes: 'any', accepts: inName }, last }
  return next === '/' ? { part: FOLDERS, last: last + 1 } : { part: { takes: 'any', accepts: anything }, last }
}
