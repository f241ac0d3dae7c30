import type { Node } from 'web-tree-sitter'
import type { Definition, FileOutline, OutlineReference } from '../core/code/chunks/outline.js'
import type { FoundDefinition, GrammarRules } from './grammar-rules.js'

/** Deeper nesting is generated or hostile code. */
const MAX_DEPTH = 64
const MAX_REFERENCES = 20_000

interface OpenDefinition {
  readonly index: number
  readonly end: number
}

/** A comment or attribute that may belong to the next definition. Rows are 0-based. */
interface Prelude {
  readonly start: number
  readonly end: number
  readonly row: number
  readonly endRow: number
  readonly comment: boolean
  /** A comment inside a definition does not belong to a definition after it. */
  readonly within: number
}

interface Wrapper {
  readonly start: number
  readonly row: number
  readonly end: number
  readonly between: RegExp
}

/** All node types of the rules, for one search over the tree. */
export const typesOf = (rules: GrammarRules): string[] => [
  ...new Set([
    ...Object.keys(rules.definitions),
    ...Object.keys(rules.references),
    ...Object.keys(rules.wrappers ?? {}),
    ...rules.comments,
    ...(rules.attributes ?? []),
  ]),
]

/** Nodes arrive in document order, outer before inner, so a stack of open definitions gives the scope. */
export function outlineOf(root: Node, source: string, rules: GrammarRules, types: string[]): FileOutline {
  const definitions: Definition[] = []
  const references: OutlineReference[] = []
  const open: OpenDefinition[] = []
  const preludes: Prelude[] = []
  const comments = new Set(rules.comments)
  const attributes = new Set(rules.attributes)
  let wrapper: Wrapper | null = null

  for (const node of root.descendantsOfType(types)) {
    const type = node.type
    const start = node.startIndex
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= start) open.pop()

    if (comments.has(type) || attributes.has(type)) {
      const end = node.endIndex
      const before = source.lastIndexOf('\n', start - 1) + 1
      // A comment after code on the same line belongs to that code.
      if (source.slice(before, start).trim() !== '') continue
      const position = node.endPosition
      const endRow = position.column === 0 && position.row > node.startPosition.row ? position.row - 1 : position.row
      preludes.push({ start, end, row: node.startPosition.row, endRow, comment: comments.has(type), within: open.at(-1)?.index ?? -1 })
      continue
    }
    const between = rules.wrappers?.[type]
    if (between !== undefined) {
      const nested: boolean = wrapper !== null && start < wrapper.end && wrapper.between.test(source.slice(wrapper.start, start))
      if (!nested) wrapper = { start, row: node.startPosition.row, end: node.endIndex, between }
    }
    const top = open.at(-1)
    const within = top?.index ?? -1
    const location = { node, source, enclosing: definitions[within]?.kind ?? null }

    const found = open.length < MAX_DEPTH ? (rules.definitions[type]?.(location) ?? null) : null
    const made =
      references.length < MAX_REFERENCES
        ? (rules.references[type]?.(found === null ? location : { ...location, enclosing: found.kind }) ?? [])
        : []
    const line = node.startPosition.row + 1
    for (const reference of made) references.push({ ...reference, line, within: found === null ? within : definitions.length })
    if (found === null) continue

    const wrapped: Wrapper | null =
      wrapper !== null && start < wrapper.end && wrapper.between.test(source.slice(wrapper.start, start)) ? wrapper : null
    if (wrapped !== null) wrapper = null
    const parent = definitions[within]
    const outer = wrapped ?? { start, row: node.startPosition.row }
    const prelude = takePrelude(preludes, outer, within)
    const end = node.endIndex
    const endPosition = node.endPosition
    definitions.push({
      name: found.name,
      kind: found.kind,
      scope: [...(parent === undefined ? [] : [...parent.scope, parent.name]), ...(found.scope ?? [])],
      parent: within,
      signature: signatureOf(source, wrapped?.start ?? start, start, found, end),
      doc: docOf(prelude, source, found, rules),
      start: prelude[0]?.start ?? outer.start,
      end,
      startLine: (prelude[0]?.row ?? outer.row) + 1,
      // Some grammars end a node after its line feed.
      endLine: endPosition.column === 0 && endPosition.row > node.startPosition.row ? endPosition.row : endPosition.row + 1,
    })
    open.push({ index: definitions.length - 1, end })
  }
  return { parsed: true, definitions, references }
}

/** Comments and attributes directly above, without a blank line in between. */
function takePrelude(
  preludes: readonly Prelude[],
  before: { readonly start: number; readonly row: number },
  within: number,
): readonly Prelude[] {
  const taken: Prelude[] = []
  let next = before.row
  for (let index = preludes.length - 1; index >= 0; index--) {
    const candidate = preludes[index]
    if (candidate === undefined || candidate.end > before.start || candidate.endRow < next - 1 || candidate.within !== within) break
    taken.push(candidate)
    next = candidate.row
  }
  return taken.reverse()
}

function signatureOf(source: string, outerStart: number, start: number, found: FoundDefinition, end: number): string {
  const from = source[outerStart] === '@' ? start : outerStart
  const body = found.body?.startIndex ?? end
  let head = source.slice(from, Math.min(body, from + 1_000))
  if (found.body === undefined || found.body === null || found.kind === 'other') head = head.split('\n', 1)[0] ?? ''
  return withoutOpening(head.replace(/\s+/g, ' ')).trim().slice(0, 300)
}

/** Removes the signs that open a body. */
function withoutOpening(head: string): string {
  let end = head.length
  while (end > 0) {
    if (' {:=;'.includes(head[end - 1] ?? '')) end--
    else if (head.startsWith('=>', end - 2)) end -= 2
    else break
  }
  return head.slice(0, end)
}

function docOf(prelude: readonly Prelude[], source: string, found: FoundDefinition, rules: GrammarRules): string {
  const inside = found.body === undefined || found.body === null ? undefined : rules.docstring?.(found.body, source)
  const raw =
    inside !== undefined && inside !== ''
      ? inside
      : prelude
          .filter((part) => part.comment)
          .map((part) => source.slice(part.start, part.end))
          .join('\n')
  return cleanComment(raw)
}

/** Removes comment marks and markup. */
function cleanComment(raw: string): string {
  return raw
    .slice(0, 4_000)
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:\/\*+!?|\*+\/|\*(?!\*)|\/\/[/!]?|#+!?|--+)?\s?/, '')
        .trimEnd()
        .replace(/\*{1,100}\/$/, '')
        .replace(/<\/?(?:summary|remarks|param|returns)\b[^<>]*>/g, '')
        .trim(),
    )
    .filter((line) => line !== '' && !/^eslint-|^prettier-ignore|^@ts-|^[-=*~/]{3,}$/.test(line))
    .join('\n')
    .slice(0, 1_500)
}
