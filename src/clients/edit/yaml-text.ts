import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Json } from '../../core/encoding/json.js'
import type { Edit } from '../client.js'
import { ConfigProblem, type ConfigText, eolOf, isPrefix, splice } from './config-text.js'

/** The parent of an edit: a map or list, an empty value of a key, or the empty file. */
interface Holder {
  readonly node: Node | null
  /** End of the key that has it as value; undefined at the top. */
  readonly keyEnd: number | undefined
  readonly margin: number
  /** Inside `{}` or `[]`, where lines have no meaning. */
  readonly inFlow: boolean
}

/** YAML edited by the source ranges of its nodes; other text is not rewritten. */
export function readYaml(text: string): ConfigText {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, keepSourceTokens: false })
  const [error] = document.errors
  if (error !== undefined) throw new ConfigProblem(`not valid YAML (${error.message.split('\n')[0]})`, lines.linePos(error.pos[0]).line)
  if (document.contents !== null && !isMap(document.contents) && !isEmpty(document.contents))
    throw new ConfigProblem('the file must hold one map', 1)
  checkAliases(document)
  const eol = eolOf(text)

  const put = (edit: Edit): string => {
    const { holder, depth } = walk(document, edit, lines)
    const rest = edit.path.slice(depth)
    const inner: Json = edit.sameItem === undefined ? edit.value : [edit.value]
    const value = rest.reduceRight<Json>((member, key) => ({ [key]: member }), inner)
    return added(text, holder, value, eol)
  }
  return {
    whole: () => document.toJS() ?? undefined,
    read: (edit) => placeOf(document, edit, lines)?.value,
    put(edit) {
      const there = placeOf(document, edit, lines)
      if (there === undefined) return put(edit)
      return readYaml(this.drop(edit, [])).put(edit)
    },
    drop(edit, made) {
      const there = placeOf(document, edit, lines)
      return there === undefined ? text : dropped(text, document, edit, made)
    },
    missing(edit) {
      const { depth } = walk(document, edit, lines)
      const last = edit.sameItem === undefined ? edit.path.length - 1 : edit.path.length
      return edit.path.slice(0, last).flatMap((_, i) => (i < depth ? [] : [edit.path.slice(0, i + 1)]))
    },
  }
}

/** Rejects aliases without an anchor, of themselves, and those that expand to millions of values. */
function checkAliases(document: Document): void {
  try {
    JSON.stringify(document.toJS())
  } catch (cause) {
    throw new ConfigProblem(`its aliases cannot be resolved (${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)})`)
  }
}

const isEmpty = (node: unknown): boolean => node === null || (isScalar(node) && node.value === null)

const pairOf = (map: YAMLMap, key: string): Pair | undefined => map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)

/** Length of the existing part of the path, and the node there. */
function walk({ contents }: Document, { path, sameItem }: Edit, lines: LineCounter): { readonly holder: Holder; readonly depth: number } {
  let holder: Holder = { node: toNode(contents), keyEnd: undefined, margin: 0, inFlow: false }
  for (const [depth, key] of path.slice(0, sameItem === undefined ? -1 : path.length).entries()) {
    const { node } = holder
    if (!isMap(node)) return { holder, depth }
    const pair = pairOf(node, key)
    if (pair === undefined) return { holder, depth }
    const value = toNode(pair.value)
    const start = isScalar(pair.key) ? pair.key.range : undefined
    const isEnd = depth === path.length - 1
    if (!isEmpty(value) && !(isEnd ? isSeq(value) : isMap(value)))
      throw new ConfigProblem(
        `"${path.slice(0, depth + 1).join('.')}" must be ${isEnd ? 'a list' : 'a map'}`,
        lines.linePos(start?.[0] ?? 0).line,
      )
    holder = {
      node: value,
      keyEnd: start?.[1],
      margin: lines.linePos(start?.[0] ?? 0).col - 1,
      inFlow: holder.inFlow || node.flow === true,
    }
  }
  return { holder, depth: sameItem === undefined ? path.length - 1 : path.length }
}

const toNode = (value: unknown): Node | null => (isMap(value) || isSeq(value) || isScalar(value) ? value : null)

function placeOf(document: Document, edit: Edit, lines: LineCounter): { readonly value: Json } | undefined {
  const { holder, depth } = walk(document, edit, lines)
  const { path, sameItem } = edit
  if (sameItem !== undefined) {
    const items: readonly Json[] = depth === path.length && isSeq(holder.node) ? holder.node.toJS(document) : []
    const item = items.find(sameItem)
    return item === undefined ? undefined : { value: item }
  }
  const key = path.at(-1)
  if (depth !== path.length - 1 || key === undefined || !isMap(holder.node)) return undefined
  const members: Readonly<Record<string, Json>> = holder.node.toJS(document)
  const value = members[key]
  return value === undefined ? undefined : { value }
}

/** End of the line on which a value ends, including the line break. */
function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset
  const next = text.indexOf('\n', offset)
  return next === -1 ? text.length : next + 1
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1)

function blockOf(value: Json, margin: number, eol: string): string {
  const rows = stringify(value, { lineWidth: 0 }).trimEnd().split('\n')
  return rows.map((row) => `${' '.repeat(margin)}${row}${eol}`).join('')
}

function endOf(pair: Pair | Node | null): number {
  if (pair === null) return 0
  if (!isPairLike(pair)) return pair.range?.[1] ?? 0
  const value = toNode(pair.value)
  const key = toNode(pair.key)
  return Math.max(value?.range?.[1] ?? 0, key?.range?.[1] ?? 0)
}

/** After the last item, in its column. */
function added(text: string, { node, keyEnd, margin, inFlow }: Holder, value: Json, eol: string): string {
  if ((isMap(node) || isSeq(node)) && node.flow === true && node.items.length > 0) return addedInFlow(text, node, value)
  if ((isMap(node) || isSeq(node)) && node.flow !== true && node.items.length > 0) {
    const at = lineEnd(text, endOf(lastOf(node)))
    const start = node.range?.[0] ?? 0
    const column = isSeq(node) ? columnOf(text, text.lastIndexOf('-', startOf(node, start))) : columnOf(text, start)
    return inserted(text, at, blockOf(value, column, eol), eol)
  }
  if (keyEnd === undefined) return inserted(text, text.length, blockOf(value, 0, eol), eol)
  const colon = text.indexOf(':', keyEnd) + 1
  if (inFlow) return splice(text, colon, Math.max(colon, node?.range?.[1] ?? 0), ` ${JSON.stringify(value)}`)
  const emptyFlow = (isMap(node) || isSeq(node)) && node.range ? node.range : undefined
  const cleared = emptyFlow === undefined ? text : splice(text, colon, emptyFlow[1], '')
  return inserted(cleared, lineEnd(cleared, colon), blockOf(value, margin + 2, eol), eol)
}

const lastOf = (node: YAMLMap | YAMLSeq): Pair | Node | null => {
  const last: unknown = node.items.at(-1)
  return isPairLike(last) ? last : toNode(last)
}

const isPairLike = (value: unknown): value is Pair =>
  typeof value === 'object' && value !== null && 'key' in value && 'value' in value && !('range' in value)

function startOf(node: YAMLSeq, fallback: number): number {
  return toNode(node.items[0])?.range?.[0] ?? fallback
}

function inserted(text: string, offset: number, block: string, eol: string): string {
  const open = offset > 0 && text[offset - 1] !== '\n' && text !== '\uFEFF'
  return splice(text, offset, offset, `${open ? eol : ''}${block}`)
}

function addedInFlow(text: string, node: YAMLMap | YAMLSeq, value: Json): string {
  const closing = (node.range?.[1] ?? 1) - 1
  const end = text.slice(0, closing).trimEnd().length
  const json = JSON.stringify(value)
  return splice(text, end, end, `${text[end - 1] === ',' ? '' : ','} ${json.slice(1, -1)}`)
}

function dropped(text: string, document: Document, edit: Edit, made: readonly (readonly string[])[]): string {
  const chain: { readonly holder: YAMLMap | YAMLSeq; readonly at: number }[] = []
  let node: unknown = document.contents
  for (const key of edit.path) {
    if (!isMap(node)) return text
    const at = node.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key)
    chain.push({ holder: node, at })
    node = node.items[at]?.value
  }
  const { sameItem } = edit
  if (sameItem !== undefined && isSeq(node)) {
    const items: readonly Json[] = node.toJS(document)
    chain.push({ holder: node, at: items.findIndex(sameItem) })
  }
  let depth = chain.length - 1
  while (
    depth > 0 &&
    chain[depth]?.holder.items.length === 1 &&
    made.some((path) => path.length === depth && isPrefix(path, edit.path.slice(0, depth)))
  )
    depth--
  const target = chain[depth]
  return target === undefined ? text : withoutItem(text, target.holder, target.at, keyEndOf(chain[depth - 1]))
}

/** End of the key whose value is the next link of the chain. */
function keyEndOf(link: { readonly holder: YAMLMap | YAMLSeq; readonly at: number } | undefined): number | undefined {
  const pair: unknown = link?.holder.items[link.at]
  return isPairLike(pair) ? toNode(pair.key)?.range?.[1] : undefined
}

function withoutItem(text: string, holder: YAMLMap | YAMLSeq, index: number, keyEnd: number | undefined): string {
  const item: unknown = holder.items[index]
  const node = isPairLike(item) ? item : toNode(item)
  if (node === null) return text
  const key = isPairLike(node) ? toNode(node.key) : node
  const start = key?.range?.[0] ?? 0
  const end = endOf(node)
  if (holder.flow === true) {
    const comma = /^\s*,/.exec(text.slice(end))
    if (comma !== null) return splice(text, start, end + comma[0].length, '')
    const before = text.slice(0, start).trimEnd()
    return splice(text, before.endsWith(',') ? before.length - 1 : start, end, '')
  }
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const from = isPairLike(node) ? lineStart + (/^\uFEFF?/.exec(text.slice(lineStart))?.[0].length ?? 0) : lineStart
  const left = splice(text, from, lineEnd(text, end), '')
  if (holder.items.length > 1 || keyEnd === undefined) return left
  // The last key of an existing map: an empty value after the colon would not be a map.
  const colon = text.indexOf(':', keyEnd) + 1
  return splice(left, colon, colon, isSeq(holder) ? ' []' : ' {}')
}
