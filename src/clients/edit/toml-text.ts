import { parse, stringify, TomlError } from 'smol-toml'
import type { Json } from '../../core/encoding/json.js'
import type { Edit } from '../client.js'
import { ConfigProblem, type ConfigText, eolOf, splice } from './config-text.js'

interface TomlRange {
  readonly start: number
  readonly end: number
}

interface Section extends TomlRange {
  readonly path: readonly string[]
  /** Position of the next header or the end of the text. */
  readonly next: number
}

/** TOML, edited as text: a table is appended at the end of the file and removed by its header. */
export function readToml(text: string): ConfigText {
  const value = parsed(text)
  const read = ({ path }: Edit): Json | undefined => {
    let at: unknown = value
    for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
    return at === undefined ? undefined : asJson(at)
  }
  const without = (edit: Edit): string => {
    const own = sectionsOf(text).filter(({ path }) => edit.path.every((key, i) => path[i] === key))
    if (read(edit) !== undefined && own.length === 0)
      throw new ConfigProblem(
        `${edit.path.join('.')} is not written as a table of its own ([${edit.path.join('.')}]), so it cannot be changed without touching its neighbours`,
      )
    let left = text
    for (const { start, end } of joined(own).reverse()) left = splice(left, blankBefore(left, start), end, '')
    return left
  }
  return {
    whole: () => asJson(value),
    read,
    put(edit) {
      const eol = eolOf(text)
      const left = without(edit)
      const gap = left === '' || left === '\uFEFF' ? '' : left.endsWith('\n') ? eol : eol + eol
      return `${left}${gap}${tableOf(edit, eol)}`
    },
    drop: without,
    missing: () => [],
  }
}

/** Converts dates and large numbers to text, because values are only compared. */
const asJson = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value, (_, entry) => (typeof entry === 'bigint' ? String(entry) : entry)))

/** The error of an invalid file contains the position. */
function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' })
  } catch (failure) {
    if (failure instanceof TomlError) throw new ConfigProblem(`not valid TOML (${failure.message.split('\n')[0]})`, failure.line)
    throw failure
  }
}

const tableOf = ({ path, value }: Edit, eol: string): string => {
  const table = path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value)
  return `${stringify(table).trim().split('\n').filter(Boolean).join(eol)}${eol}`
}

/** The blank line before a table is removed with it. */
function blankBefore(text: string, start: number): number {
  return /(?:\r?\n)$/.test(text.slice(0, start)) ? start - (/(?<=\n)(\r?\n)$/.exec(text.slice(0, start))?.[1]?.length ?? 0) : start
}

/** Merges consecutive tables. */
function joined(sections: readonly Section[]): TomlRange[] {
  const stretches: { start: number; end: number }[] = []
  for (const { start, end } of sections) {
    const last = stretches.at(-1)
    if (last !== undefined && sections.some((section) => section.next === start && section.end === last.end)) last.end = end
    else stretches.push({ start, end })
  }
  return stretches
}

/** The tables of a file by header, without blank lines and comments before the next one. */
function sectionsOf(text: string): readonly Section[] {
  const headers = headersOf(text)
  return headers.map(({ path, start }, i) => {
    const next = headers[i + 1]?.start ?? text.length
    const idle = /(?:(?<=\n)[ \t]*(?:#[^\n]*)?(?:\r?\n|$))*$/.exec(text.slice(start, next))?.[0].length ?? 0
    return { path, start, end: next - idle, next }
  })
}

const TABLE_START = /^[ \t]*\[/
const TOKEN = /"""[\s\S]*?(?:(?<!\\)"""+|$)|'''[\s\S]*?(?:'''+|$)|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\n/g

function headersOf(text: string): readonly { readonly path: readonly string[]; readonly start: number }[] {
  const headers: { path: readonly string[]; start: number }[] = []
  let depth = 0
  let lineStart = 0
  const consider = (): void => {
    if (depth > 0 || !TABLE_START.test(text.slice(lineStart, lineStart + 200))) return
    const line = /^[^\r\n]*/.exec(text.slice(lineStart))?.[0] ?? ''
    headers.push({ path: pathOf(line), start: lineStart })
  }
  consider()
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    else if (token === '\n') {
      lineStart = index + 1
      consider()
    }
  }
  return headers
}

/** The keys of a header line. */
function pathOf(line: string): readonly string[] {
  const path: string[] = []
  let at: unknown = parsed(line)
  while (typeof at === 'object' && at !== null) {
    const inner: unknown = Array.isArray(at) ? at[0] : at
    const [key] = typeof inner === 'object' && inner !== null ? Object.keys(inner) : []
    if (key === undefined || typeof inner !== 'object' || inner === null) break
    path.push(key)
    at = Reflect.get(inner, key)
  }
  return path
}
