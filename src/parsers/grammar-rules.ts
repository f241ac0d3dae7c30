import type { Node } from 'web-tree-sitter'
import type { ChunkKind, OutlineReference } from '../core/code/chunks/outline.js'

export type FoundReference = Omit<OutlineReference, 'line' | 'within'>

export interface NodeInText {
  readonly node: Node
  readonly source: string
  /** The kind of the innermost enclosing definition, null at module level. */
  readonly enclosing: ChunkKind | null
}

export interface FoundDefinition {
  readonly name: string
  readonly kind: ChunkKind
  /** Scope contained in the name, as in `Type::method`. */
  readonly scope?: readonly string[]
  /** The end of the signature. */
  readonly body?: Node | null
}

/** The meaning of a grammar's node types. One pass visits the types named here, so a rule decides from a single node. */
export interface GrammarRules {
  readonly definitions: Readonly<Record<string, (node: NodeInText) => FoundDefinition | null>>
  readonly references: Readonly<Record<string, (node: NodeInText) => readonly FoundReference[]>>
  /** Types that contain a definition and start before it, such as `export`; the text in between must match. */
  readonly wrappers?: Readonly<Record<string, RegExp>>
  readonly comments: readonly string[]
  /** Sibling types that precede a definition and belong to it. */
  readonly attributes?: readonly string[]
  /** For languages with documentation inside the body. */
  docstring?(body: Node, source: string): string
}

export const textOf = (node: Node, source: string): string => source.slice(node.startIndex, node.endIndex)

const field = (node: Node, name: string, source: string): string => {
  const child = node.childForFieldName(name)
  return child === null ? '' : textOf(child, source)
}

/** A definition whose name and body are fields of the node, as in most grammars. */
export function named(
  kind: ChunkKind,
  options: { name?: string; bodyRequired?: boolean } = {},
): (node: NodeInText) => FoundDefinition | null {
  return ({ node, source }) => {
    const name = field(node, options.name ?? 'name', source)
    const body = node.childForFieldName('body')
    if (name === '' || (options.bodyRequired === true && body === null)) return null
    // An operator is named by its signs, so only quotes are removed.
    return {
      name: name
        .replace(/\s+/g, ' ')
        .trim()
        .replace(/^["'`]|["'`]$/g, '')
        .slice(0, 200),
      kind,
      body,
    }
  }
}

const LAST_NAME = /([\p{L}_$][\p{L}\p{N}_$]*)[?!]?$/u

/** The last name of `a.b?.c` or `x::y::<T>`; empty if it is not a name. */
export function lastName(expression: string): string {
  const tail = expression.slice(-200).trimEnd()
  const bare = tail.endsWith('>') ? tail.replace(/(?:::)?<[\s\S]*>$/, '') : tail
  return LAST_NAME.exec(bare)?.[1] ?? ''
}

const RECEIVER = /^(?:::)?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:::)?$/u
const MAX_RECEIVER_CHARS = 100

/** The receiver before a called name; `?` if it is not a chain of names. A path keeps its `::`. */
function receiverOf(text: string): Pick<FoundReference, 'on'> {
  const bare = text
    .slice(-2 * MAX_RECEIVER_CHARS)
    .replace(/<[^<>]*>/g, '')
    .replace(/[\s!?]*(?:\.|->|\\)\s*$/, '')
    .trim()
    .replace(/^\$/, '')
    .replaceAll('\\', '::')
  if (bare === '') return {}
  return { on: bare.length <= MAX_RECEIVER_CHARS && RECEIVER.test(bare) ? bare : '?' }
}

/** A call: the callee with its receiver, or the name alone if the grammar has another field for the receiver. */
export function calls(fieldName: string, receiverField?: string): (node: NodeInText) => readonly FoundReference[] {
  return ({ node, source }) => {
    const callee = node.childForFieldName(fieldName)
    if (callee === null) return []
    const text = textOf(callee, source)
    const name = lastName(text)
    if (name === '') return []
    const receiver = receiverField === undefined ? null : node.childForFieldName(receiverField)
    const before = receiver === null ? text.slice(0, text.lastIndexOf(name)) : textOf(receiver, source)
    return [{ kind: 'calls', name, module: null, ...receiverOf(before) }]
  }
}

const CLAUSE_WORDS = /\b(?:extends|implements|public|private|protected|virtual|with)\b|[(){}:](?!:)/g

/** Base types of a heritage clause, without arguments and access modifiers. */
export function baseNames(clause: string, separator: RegExp = /,/): readonly FoundReference[] {
  let bare = clause.slice(0, 1_000)
  for (let before = ''; before !== bare; ) {
    before = bare
    bare = bare.replace(/<[^<>]*>|\([^()]*\)/g, '')
  }
  return bare
    .replace(CLAUSE_WORDS, (word) => (word === ':' ? '' : ','))
    .split(',')
    .flatMap((part) => part.split(separator))
    .filter((part) => !part.includes('='))
    .map((part) => lastName(part.trim()))
    .filter((name) => name !== '')
    .map((name) => ({ kind: 'inherits', name, module: null }))
}

export const inherits = (node: NodeInText): readonly FoundReference[] => baseNames(textOf(node.node, node.source))

/** An import of a whole module, under the name that a file is likely to use for it, or `as`. */
export const importOf = (module: string, as?: string): FoundReference => ({
  kind: 'imports',
  name: moduleName(module),
  module,
  ...(as === undefined ? {} : { as }),
  whole: true,
})

/** An import of one name. */
export const importName = (module: string, name: string, as: string = name): FoundReference => ({ kind: 'imports', name, module, as })

const MAX_MODULE_CHARS = 500

export function moduleName(module: string): string {
  const tail =
    module
      .slice(-MAX_MODULE_CHARS)
      .replace(/[/\\]+$/, '')
      .split(/[/\\]|::/)
      .at(-1) ?? module
  return (
    tail
      .replace(/\.(?:[cm]?[jt]sx?|h|hpp|py|rb|php|sh|css|json)$/, '')
      .split('.')
      .at(-1) || module
  )
}

/**
 * Both names of `a as b`, or one without renaming. White space is collapsed first, because the pattern would try long runs from each
 * character.
 */
export const renamed = (text: string): readonly string[] => text.trim().replace(/\s+/g, ' ').split(/ as /i)

export const unquote = (text: string): string => text.trim().replace(/^["'`<]|["'`>]$/g, '')
