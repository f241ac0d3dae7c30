import { createScanner, findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Json } from '../../core/encoding/json.js'
import type { Edit } from '../client.js'
import { ConfigProblem, type ConfigText, eolOf, indentOf, isPrefix, lineAt, marginAt, splice } from './config-text.js'

/** A token of the scanner, whose enumeration exists at compile time only. */
const COMMA = 5

/** JSON with optional comments and trailing commas. An empty file counts as an empty object. */
export function readJson(text: string): ConfigText {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true })
  const [first] = errors
  if (first !== undefined) throw new ConfigProblem(`not valid JSON (${printParseErrorCode(first.error)})`, lineAt(text, first.offset))
  if (tree !== undefined && tree.type !== 'object') throw new ConfigProblem('the file must hold one JSON object', lineAt(text, tree.offset))
  return {
    whole: () => (tree === undefined ? undefined : jsonOf(tree)),
    read: (edit) => {
      const node = tree === undefined ? undefined : placeOf(text, tree, edit)
      return node === undefined ? undefined : jsonOf(node)
    },
    put(edit) {
      if (tree === undefined)
        return `${text}${text === '' || text.endsWith('\n') ? '' : eolOf(text)}${written(nested(edit, 0), '  ', '', eolOf(text))}${eolOf(text)}`
      const there = placeOf(text, tree, edit)
      if (there !== undefined) return replaced(text, there, edit.value)
      const depth = knownDepth(text, tree, edit)
      const parent = depth === 0 ? tree : found(tree, edit.path.slice(0, depth))
      return added(text, parent, edit.path[depth], nested(edit, depth + 1))
    },
    drop(edit, made) {
      if (tree === undefined) return text
      const there = placeOf(text, tree, edit)
      return there === undefined ? text : removed(text, emptiedBy(there, edit, made))
    },
    missing(edit) {
      const depth = tree === undefined ? 0 : knownDepth(text, tree, edit)
      const last = edit.sameItem === undefined ? edit.path.length - 1 : edit.path.length
      return edit.path.slice(0, last).flatMap((_, i) => (i < depth ? [] : [edit.path.slice(0, i + 1)]))
    },
  }
}

/** The value of a node, which the parser does not type. */
function jsonOf(node: Node): Json {
  const value: Json = getNodeValue(node)
  return value
}

function found(tree: Node, path: readonly string[]): Node {
  const node = findNodeAtLocation(tree, [...path])
  if (node === undefined) throw new ConfigProblem(`${path.join('.')} is not there`)
  return node
}

/** Length of the existing part of a path; each value must have the type that the next step requires. */
function knownDepth(text: string, tree: Node, { path, sameItem }: Edit): number {
  let node = tree
  for (const [i, key] of path.entries()) {
    const twins = (node.children ?? []).filter((property) => property.children?.[0]?.value === key)
    const [, twin] = twins
    // Programs differ in which duplicate key they use.
    if (twin !== undefined) throw new ConfigProblem(`"${key}" is there twice`, lineAt(text, twin.offset))
    const value = twins[0]?.children?.[1]
    if (value === undefined) return i
    const wanted = i < path.length - 1 ? 'object' : sameItem === undefined ? undefined : 'array'
    if (wanted !== undefined && value.type !== wanted)
      throw new ConfigProblem(
        `"${path.slice(0, i + 1).join('.')}" must be ${wanted === 'array' ? 'a list' : 'an object'}`,
        lineAt(text, value.offset),
      )
    node = value
  }
  return path.length
}

/** The member or item of an edit. */
function placeOf(text: string, tree: Node, edit: Edit): Node | undefined {
  if (knownDepth(text, tree, edit) < edit.path.length) return undefined
  const { sameItem } = edit
  const node = found(tree, edit.path)
  return sameItem === undefined ? node : node.children?.find((item) => sameItem(jsonOf(item)))
}

/** The value wrapped in the remaining path. */
function nested({ path, value, sameItem }: Edit, from: number): Json {
  const inner: Json = sameItem === undefined || from > path.length ? value : [value]
  return path.slice(from).reduceRight<Json>((member, key) => ({ [key]: member }), inner)
}

const written = (value: Json, indent: string, margin: string, eol: string): string =>
  JSON.stringify(value, null, indent).replaceAll('\n', `${eol}${margin}`)

const oneLine = (value: Json): string => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')

function replaced(text: string, { offset, length }: Node, value: Json): string {
  const old = text.slice(offset, offset + length)
  const put = old.includes('\n') ? written(value, indentOf(text), marginAt(text, offset), eolOf(text)) : oneLine(value)
  return splice(text, offset, offset + length, put)
}

/** Inserts before the white space in front of the closing bracket and adds a comma to the last member, so comments stay in place. */
function added(text: string, parent: Node, key: string | undefined, value: Json): string {
  const last = parent.children?.at(-1)
  const closing = parent.offset + parent.length - 1
  const label = parent.type === 'object' ? `${JSON.stringify(key)}: ` : ''
  const inside = text.slice(parent.offset + 1, closing)
  if (last !== undefined && !inside.includes('\n')) {
    const comma = hasComma(text, last, closing)
    const at = comma === undefined ? last.offset + last.length : comma + 1
    return splice(text, at, at, `${comma === undefined ? ',' : ''} ${label}${oneLine(value)}`)
  }
  const eol = eolOf(text)
  const margin = marginAt(text, parent.offset)
  const inner = last === undefined ? margin + indentOf(text) : marginAt(text, last.offset)
  const put = `${eol}${inner}${label}${written(value, indentOf(text), inner, eol)}`
  const end = parent.offset + 1 + inside.trimEnd().length
  const gap = text.slice(end, closing).includes('\n') ? '' : `${eol}${margin}`
  const withEntry = splice(text, end, gap === '' ? end : closing, `${put}${gap}`)
  if (last === undefined || hasComma(text, last, closing) !== undefined) return withEntry
  return splice(withEntry, last.offset + last.length, last.offset + last.length, ',')
}

/** Position of the comma after a member, before `until`. */
function hasComma(text: string, { offset, length }: Node, until: number): number | undefined {
  const scanner = createScanner(text.slice(offset + length, until), true)
  return scanner.scan() === COMMA ? offset + length + scanner.getTokenOffset() : undefined
}

/** The node to remove: the outermost that becomes empty and was created with the entry. */
function emptiedBy(value: Node, { path, sameItem }: Edit, made: readonly (readonly string[])[]): Node {
  let node = sameItem === undefined ? (value.parent ?? value) : value
  for (let depth = sameItem === undefined ? path.length - 1 : path.length; depth > 0; depth--) {
    const holder = node.parent
    const at = path.slice(0, depth)
    const isMade = made.some((path) => path.length === depth && isPrefix(path, at))
    if (!isMade || holder === undefined || holder.children?.length !== 1 || holder.parent === undefined) break
    node = holder.parent
  }
  return node
}

/** Removes a member or item with its line and one comma. */
function removed(text: string, node: Node): string {
  const { parent } = node
  const siblings = parent?.children ?? []
  const place = siblings.indexOf(node)
  const closing = parent === undefined ? text.length : parent.offset + parent.length - 1
  const before = siblings[place - 1]
  const comma = hasComma(text, node, closing)
  const isLast = place === siblings.length - 1
  const end = comma === undefined ? node.offset + node.length : comma + 1
  const start = text.slice(0, node.offset).trimEnd().length
  if (
    siblings.length === 1 &&
    parent !== undefined &&
    text
      .slice(parent.offset + 1, closing)
      .replace(text.slice(node.offset, end), '')
      .trim() === ''
  )
    return splice(text, parent.offset + 1, closing, '')
  const without = splice(text, start, end, '')
  const earlier = before === undefined ? undefined : hasComma(text, before, node.offset)
  return isLast && comma === undefined && earlier !== undefined ? splice(without, earlier, earlier + 1, '') : without
}
