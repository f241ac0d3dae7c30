import { isJsonObject, type Json } from '../../core/encoding/json.js'
import type { Edit } from '../client.js'

/** A parsed configuration file; edits change nothing else in its text. */
export interface ConfigText {
  /** The parsed value; undefined for an empty file. */
  whole(): Json | undefined
  /** The value at the position of an edit; undefined if there is none. */
  read(edit: Edit): Json | undefined
  put(edit: Edit): string
  /** Also removes enclosing objects and lists that become empty, if `made` lists them as created by this program. */
  drop(edit: Edit, made: readonly (readonly string[])[]): string
  /** Missing objects and lists on the path of an edit. */
  missing(edit: Edit): readonly (readonly string[])[]
}

/** A problem in a file, with its line. */
export class ConfigProblem extends Error {
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(line === undefined ? message : `line ${line}: ${message}`)
    this.line = line
  }
}

export const BOM = '\uFEFF'

export const eolOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n')

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** The indentation of one level, from the first indented line. */
export const indentOf = (text: string): string => /(?:^|\n)([ \t]+)[^\s/*#]/.exec(text)?.[1] ?? '  '

/** White space at the start of the line that holds the offset. */
export function marginAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? ''
}

export const splice = (text: string, start: number, end: number, put: string): string => text.slice(0, start) + put + text.slice(end)

export const isPrefix = (path: readonly string[], other: readonly string[]): boolean =>
  path.length <= other.length && path.every((key, i) => other[i] === key)

/** The value after an edit or its removal, which the edited text must parse to. */
export function edited(value: Json | undefined, edit: Edit, change: 'put' | 'drop', made: readonly (readonly string[])[] = []): Json {
  return editedAt(value, edit, change, [], made) ?? {}
}

function editedAt(
  value: Json | undefined,
  edit: Edit,
  change: 'put' | 'drop',
  at: readonly string[],
  made: readonly (readonly string[])[],
): Json | undefined {
  const [key] = edit.path.slice(at.length)
  if (key === undefined) return editedEnd(value, edit, change, at, made)
  const object: Record<string, Json> = isJsonObject(value) ? { ...value } : {}
  const member = editedAt(object[key], edit, change, [...at, key], made)
  if (member === undefined) delete object[key]
  else object[key] = member
  return emptied(object, Object.keys(object).length, change, at, made)
}

function editedEnd(
  value: Json | undefined,
  { value: wanted, sameItem }: Edit,
  change: 'put' | 'drop',
  at: readonly string[],
  made: readonly (readonly string[])[],
): Json | undefined {
  if (sameItem === undefined) return change === 'put' ? wanted : undefined
  const items: Json[] = Array.isArray(value) ? [...value] : []
  const place = items.findIndex(sameItem)
  if (change === 'put') items.splice(place === -1 ? items.length : place, 1, wanted)
  else if (place !== -1) items.splice(place, 1)
  return emptied(items, items.length, change, at, made)
}

function emptied<V extends Json>(
  value: V,
  members: number,
  change: 'put' | 'drop',
  at: readonly string[],
  made: readonly (readonly string[])[],
): V | undefined {
  const goes = change === 'drop' && members === 0 && made.some((path) => path.length === at.length && isPrefix(path, at))
  return goes ? undefined : value
}
