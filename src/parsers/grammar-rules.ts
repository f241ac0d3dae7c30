import type { Node } from 'web-tree-sitter'
import type { ChunkKind, OutlineReference } from '../core/code/outline.js'

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
  /** Scope that the name itself carries, as in `Type::method`. */
  readonly scope?: readonly string[]
  /** Where the signature ends. */
  readonly body?: Node | null
}

/**
 * What a grammar's node types mean. Everything is looked up in one pass over the types named here, so a rule sees a
 * single node and must decide from it alone.
 */
export interface GrammarRules {
  readonly definitions: Readonly<Record<string, (at: NodeInText) => FoundDefinition | null>>
  readonly references: Readonly<Record<string, (at: NodeInText) => readonly FoundReference[]>>
  /** Types that carry a definition and start before it, such as `export`; the text between must match. */
  readonly wrappers?: Readonly<Record<string, RegExp>>
  readonly comments: readonly string[]
  /** Types that stand before a definition as siblings and belong to it. */
  readonly attributes?: readonly string[]
  /** For languages that document inside the body. */
  docstring?(body: Node, source: string): string
}

export const textOf = (node: Node, source: string): string => source.slice(node.startIndex, node.endIndex)

const field = (node: Node, name: string, source: string): string => {
  const child = node.childForFieldName(name)
  return child === null ? '' : textOf(child, source)
}

/** A definition whose name and body are fields of the node, which is how most grammars say it. */
export function named(
  kind: ChunkKind,
  options: { name?: string; bodyRequired?: boolean } = {},
): (at: NodeInText) => FoundDefinition | null {
  return ({ node, source }) => {
    const name = field(node, options.name ?? 'name', source)
    const body = node.childForFieldName('body')
    if (name === '' || (options.bodyRequired === true && body === null)) return null
    // An operator is named by its signs, so only quotes go.
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

/** `a.b?.c` and `x::y::<T>` are called by their last name; anything that is no name gives nothing. */
export function lastName(expression: string): string {
  const tail = expression.slice(-200).trimEnd()
  const bare = tail.endsWith('>') ? tail.replace(/(?:::)?<[\s\S]*>$/, '') : tail
  return LAST_NAME.exec(bare)?.[1] ?? ''
}

const RECEIVER = /^(?:::)?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:::)?$/u
const MAX_RECEIVER_CHARS = 100

/** What stands before a called name; anything that is no chain of names cannot be told. A path keeps its `::`. */
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

/** A call: the callee with whatever it is asked of, or the name alone where the grammar has another field for the rest. */
export function calls(fieldName: string, receiverField?: string): (at: NodeInText) => readonly FoundReference[] {
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

/** The base types named in a heritage clause, without arguments and access words. */
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

export const inherits = (at: NodeInText): readonly FoundReference[] => baseNames(textOf(at.node, at.source))

/** A module as a whole, by what a file that imports it is likely to call it; `as` where the file says so itself. */
export const importOf = (module: string, as?: string): FoundReference => ({
  kind: 'imports',
  name: moduleName(module),
  module,
  ...(as === undefined ? {} : { as }),
  whole: true,
})

/** One name of a module. */
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

/** `a as b` as its two names; one without the other where nothing is renamed. Space is made single first: looked for as it is, long runs of it are tried from each of their characters. */
export const renamed = (text: string): readonly string[] => text.trim().replace(/\s+/g, ' ').split(/ as /i)

export const unquote = (text: string): string => text.trim().replace(/^["'`<]|["'`>]$/g, '')
