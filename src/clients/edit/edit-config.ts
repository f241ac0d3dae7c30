import { canonicalJson, isJsonObject, type Json } from '../../core/encoding/json.js'
import type { Edit, Format } from '../client.js'
import { BOM, ConfigProblem, type ConfigText, edited } from './config-text.js'
import { readJson } from './json-text.js'
import { readToml } from './toml-text.js'
import { readYaml } from './yaml-text.js'

const PARSERS: Readonly<Record<Format, (text: string) => ConfigText>> = { json: readJson, yaml: readYaml, toml: readToml }
/** Parsers are recursive and would exhaust the stack. */
const MAX_NESTING = 200

/** Includes brackets in strings; a file with hundreds of nested brackets is not edited. */
function nestingOf(text: string): number {
  let open = 0
  let deepest = 0
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++open)
    else if (character === ']' || character === '}') open = Math.max(0, open - 1)
  }
  return deepest
}

function parse(format: Format, text: string): ConfigText {
  if (nestingOf(text) > MAX_NESTING) throw new ConfigProblem(`it is nested more than ${MAX_NESTING} levels deep`)
  return PARSERS[format](text)
}

interface ConfigEdit {
  readonly text: string
  /** Objects and lists created by the edits, which are removed with them. */
  readonly made: readonly (readonly string[])[]
}

/** The value at the position of an edit. */
export function readEntry(format: Format, text: string, edit: Edit): Json | undefined {
  return parse(format, bare(text)).read(edit)
}

/** Applies the edits and verifies that all other values are unchanged. */
export function putEntries(format: Format, text: string, edits: readonly Edit[]): ConfigEdit {
  const made: (readonly string[])[] = []
  let now = bare(text)
  for (const edit of edits) {
    const before = parse(format, now)
    const there = before.read(edit)
    if (there !== undefined && (edit.onlyIfMissing === true || canonicalJson(there) === canonicalJson(edit.value))) continue
    made.push(...before.missing(edit))
    const next = before.put(edit)
    check(format, next, edited(whole(format, now), edit, 'put'), edit)
    now = next
  }
  return { text: marked(text, now), made }
}

export function dropEntries(format: Format, text: string, edits: readonly Edit[], made: readonly (readonly string[])[]): string {
  let now = bare(text)
  for (const edit of [...edits].reverse()) {
    const before = parse(format, now)
    if (before.read(edit) === undefined) continue
    const next = before.drop(edit, made)
    check(format, next, edited(whole(format, now), edit, 'drop', made), edit)
    now = next
  }
  return marked(text, now)
}

const whole = (format: Format, text: string): Json | undefined => parse(format, text).whole()

/** A file is written only if its new text parses to the intended value. */
function check(format: Format, text: string, meant: Json, { path }: Edit): void {
  const parsed = readable(format, text)
  const [now, wanted] = [parsed, meant].map((value) => canonicalJson(comparable(value, path) ?? null))
  if (parsed === undefined || now !== wanted)
    throw new ConfigProblem('the entry cannot be put in or taken out without changing something else; edit this file by hand')
}

/** Without a line number, because the text was never written. */
function readable(format: Format, text: string): Json | undefined {
  try {
    return whole(format, text) ?? null
  } catch (failure) {
    if (failure instanceof ConfigProblem) return undefined
    throw failure
  }
}

/** An empty object on the path may be written in several ways, or be absent. */
function comparable(value: Json | undefined, [key, ...rest]: readonly string[]): Json | undefined {
  if (key === undefined || !isJsonObject(value)) return isEmpty(value) ? undefined : value
  const { [key]: inner, ...others } = value
  const member = comparable(inner, rest)
  return member === undefined ? (isEmpty(others) ? undefined : others) : { ...others, [key]: member }
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

const bare = (text: string): string => (text.startsWith(BOM) ? text.slice(1) : text)
const marked = (original: string, text: string): string => (original.startsWith(BOM) ? BOM + text : text)
