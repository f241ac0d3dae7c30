import type { Node } from 'web-tree-sitter'
import {
  calls,
  type FoundDefinition,
  type FoundReference,
  type GrammarRules,
  importOf,
  inherits,
  lastName,
  type NodeInText,
  named,
  textOf,
} from './grammar-rules.js'

const FUNCTION_VALUES = new Set(['arrow_function', 'function_expression', 'generator_function'])
/** Values that are worth finding by the name they are bound to, when at module level. */
const NAMED_VALUES = new Set([
  'object',
  'array',
  'call_expression',
  'new_expression',
  'await_expression',
  'as_expression',
  'satisfies_expression',
  'template_string',
])

function boundValue(nameNode: Node | null, value: Node | null, at: NodeInText): FoundDefinition | null {
  if (nameNode === null || value === null) return null
  const name = lastName(textOf(nameNode, at.source))
  if (name === '') return null
  if (FUNCTION_VALUES.has(value.type)) return { name, kind: 'function', body: value.childForFieldName('body') }
  if (value.type === 'class') return { name, kind: 'class', body: value.childForFieldName('body') }
  return null
}

function declarator(at: NodeInText): FoundDefinition | null {
  const nameNode = at.node.childForFieldName('name')
  const value = at.node.childForFieldName('value')
  const bound = boundValue(nameNode, value, at)
  if (bound !== null || nameNode === null || nameNode.type !== 'identifier') return bound
  // Indented declarations outside a namespace are locals of a callback, which has no name to hang them on.
  const topLevel = at.enclosing === 'module' || (at.enclosing === null && !/[ \t]/.test(at.source[lineStart(at)] ?? ''))
  // Without a value it is worth a name only where a declaration file gives it a type.
  const worthy = value === null ? at.node.childForFieldName('type') !== null : NAMED_VALUES.has(value.type)
  return topLevel && worthy ? { name: textOf(nameNode, at.source), kind: 'other', body: value } : null
}

const lineStart = ({ node, source }: NodeInText): number => source.lastIndexOf('\n', node.startIndex - 1) + 1

const field = (at: NodeInText): FoundDefinition | null =>
  boundValue(at.node.childForFieldName('name') ?? at.node.childForFieldName('property'), at.node.childForFieldName('value'), at)

const pair = (at: NodeInText): FoundDefinition | null =>
  boundValue(at.node.childForFieldName('key'), at.node.childForFieldName('value'), at)

function assignment(at: NodeInText): FoundDefinition | null {
  const left = at.node.childForFieldName('left')
  return left?.type === 'member_expression' ? boundValue(left, at.node.childForFieldName('right'), at) : null
}

function specifierOf(node: Node, source: string): string {
  return /^['"`]([^'"`\n]{1,500})['"`]$/.exec(textOf(node, source))?.[1] ?? ''
}

const CLAUSE_NAME = /(?:^|[{,])\s*(?:type\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/gu

function importStatement({ node, source }: NodeInText): readonly FoundReference[] {
  const from = node.childForFieldName('source')
  if (from === null) return []
  const module = specifierOf(from, source)
  if (module === '') return []
  const clause = source
    .slice(node.startIndex, from.startIndex)
    .replace(/^(?:import|export)\s+(?:type\s+(?!from\b))?/, '')
    .replace(/\bfrom\s*$/, '')
  const names = [...clause.slice(0, 5_000).matchAll(CLAUSE_NAME)].flatMap((match) => match[1] ?? [])
  return names.length === 0 ? [importOf(module)] : names.map((name) => importOf(module, name))
}

const plainCall = calls('function')

function call(at: NodeInText): readonly FoundReference[] {
  const callee = at.node.childForFieldName('function')
  if (callee === null) return []
  const length = callee.endIndex - callee.startIndex
  if (length === 6 || length === 7) {
    const word = textOf(callee, at.source)
    if (word === 'import' || word === 'require') {
      const argument = at.node.childForFieldName('arguments')?.namedChild(0)
      const module = argument === null || argument === undefined ? '' : specifierOf(argument, at.source)
      return module === '' ? [] : [importOf(module)]
    }
  }
  return plainCall(at)
}

/** Lower-case tags are elements of the page, not components of the project. */
const component = (at: NodeInText): readonly FoundReference[] => calls('name')(at).filter((found) => /^\p{Lu}/u.test(found.name))

const KEYWORDS_ONLY = /^[\s\w]*$|^@/

export const JAVASCRIPT: GrammarRules = {
  definitions: {
    function_declaration: named('function'),
    generator_function_declaration: named('function'),
    class_declaration: named('class'),
    method_definition: named('function'),
    variable_declarator: declarator,
    field_definition: field,
    pair,
    assignment_expression: assignment,
  },
  references: {
    import_statement: importStatement,
    export_statement: importStatement,
    call_expression: call,
    new_expression: calls('constructor'),
    class_heritage: inherits,
    jsx_opening_element: component,
    jsx_self_closing_element: component,
  },
  wrappers: { export_statement: KEYWORDS_ONLY, lexical_declaration: KEYWORDS_ONLY, variable_declaration: KEYWORDS_ONLY },
  comments: ['comment'],
  attributes: ['decorator'],
}

export const TYPESCRIPT: GrammarRules = {
  definitions: {
    function_declaration: named('function'),
    generator_function_declaration: named('function'),
    function_signature: named('function'),
    class_declaration: named('class'),
    abstract_class_declaration: named('class'),
    interface_declaration: named('class'),
    enum_declaration: named('class'),
    type_alias_declaration: named('other'),
    internal_module: named('module'),
    module: named('module'),
    method_definition: named('function'),
    method_signature: named('function'),
    abstract_method_signature: named('function'),
    variable_declarator: declarator,
    public_field_definition: field,
    pair,
    assignment_expression: assignment,
  },
  references: { ...JAVASCRIPT.references, extends_type_clause: inherits },
  wrappers: { ...JAVASCRIPT.wrappers, ambient_declaration: KEYWORDS_ONLY },
  comments: ['comment'],
  attributes: ['decorator'],
}

const { jsx_opening_element: _opening, jsx_self_closing_element: _closing, ...withoutJsx } = TYPESCRIPT.references
/** The grammar without JSX does not know its node types. */
export const PLAIN_TYPESCRIPT: GrammarRules = { ...TYPESCRIPT, references: withoutJsx }
