import type { Node } from 'web-tree-sitter'
import {
  calls,
  type FoundDefinition,
  type FoundReference,
  type GrammarRules,
  importName,
  importOf,
  inherits,
  lastName,
  type NodeInText,
  named,
  textOf,
} from './grammar-rules.js'

const FUNCTION_VALUES = new Set(['arrow_function', 'function_expression', 'generator_function'])
/** Values at module level that are indexed by the name they are bound to. */
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

function boundValue(nameNode: Node | null, value: Node | null, node: NodeInText): FoundDefinition | null {
  if (nameNode === null || value === null) return null
  const name = lastName(textOf(nameNode, node.source))
  if (name === '') return null
  if (FUNCTION_VALUES.has(value.type)) return { name, kind: 'function', body: value.childForFieldName('body') }
  if (value.type === 'class') return { name, kind: 'class', body: value.childForFieldName('body') }
  return null
}

function declarator(node: NodeInText): FoundDefinition | null {
  const nameNode = node.node.childForFieldName('name')
  const value = node.node.childForFieldName('value')
  const bound = boundValue(nameNode, value, node)
  if (bound !== null || nameNode === null || nameNode.type !== 'identifier') return bound
  // Indented declarations outside of a namespace are locals of an anonymous callback.
  const topLevel = node.enclosing === 'module' || (node.enclosing === null && !/[ \t]/.test(node.source[lineStart(node)] ?? ''))
  // A declaration without a value is indexed only if it has a type, as in declaration files.
  const worthy = value === null ? node.node.childForFieldName('type') !== null : NAMED_VALUES.has(value.type)
  return topLevel && worthy ? { name: textOf(nameNode, node.source), kind: 'other', body: value } : null
}

const lineStart = ({ node, source }: NodeInText): number => source.lastIndexOf('\n', node.startIndex - 1) + 1

const field = (node: NodeInText): FoundDefinition | null =>
  boundValue(node.node.childForFieldName('name') ?? node.node.childForFieldName('property'), node.node.childForFieldName('value'), node)

const pair = (node: NodeInText): FoundDefinition | null =>
  boundValue(node.node.childForFieldName('key'), node.node.childForFieldName('value'), node)

function assignment(node: NodeInText): FoundDefinition | null {
  const left = node.node.childForFieldName('left')
  return left?.type === 'member_expression' ? boundValue(left, node.node.childForFieldName('right'), node) : null
}

function specifierOf(node: Node, source: string): string {
  return /^['"`]([^'"`\n]{1,500})['"`]$/.exec(textOf(node, source))?.[1] ?? ''
}

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`
const NAMED_CLAUSE = new RegExp(String.raw`^(?:type\s+)?(${NAME})(?:\s+as\s+(${NAME}))?$`, 'u')
const DEFAULT_IMPORT = new RegExp(String.raw`^(${NAME})\s*,?`, 'u')
const NAMESPACE_IMPORT = new RegExp(String.raw`\*\s+as\s+(${NAME})`, 'u')

/** `{ a, b as c }` as pairs of the exported and the local name. */
function namedIn(clause: string, separator = NAMED_CLAUSE): readonly (readonly [string, string])[] {
  const list = /\{([^}]*)\}?/.exec(clause)?.[1] ?? ''
  return list
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
    .split(',')
    .flatMap((part) => {
      const [, name, as] = separator.exec(part.trim()) ?? []
      return name === undefined ? [] : [[name, as ?? name] as const]
    })
}

function importStatement({ node, source }: NodeInText): readonly FoundReference[] {
  const from = node.childForFieldName('source')
  const module = from === null ? '' : specifierOf(from, source)
  if (from === null || module === '') return []
  const clause = source
    .slice(node.startIndex, Math.min(from.startIndex, node.startIndex + 5_000))
    .replace(/^import\s+(?:type\s+(?!from\b))?/, '')
    .replace(/\bfrom\s*$/, '')
    .trim()
  const sole = DEFAULT_IMPORT.exec(clause)?.[1]
  const whole = NAMESPACE_IMPORT.exec(clause)?.[1]
  const found = [
    ...(sole === undefined ? [] : [importName(module, 'default', sole)]),
    ...(whole === undefined ? [] : [importOf(module, whole)]),
    ...namedIn(clause).map(([name, as]) => importName(module, name, as)),
  ]
  return found.length === 0 ? [importOf(module)] : found
}

/** Re-exports and renamings; a plain export is found as a definition. */
function exportStatement({ node, source }: NodeInText): readonly FoundReference[] {
  const from = node.childForFieldName('source')
  const module = from === null ? null : specifierOf(from, source)
  if (module === '') return []
  const clause = source.slice(node.startIndex, Math.min(from?.startIndex ?? node.endIndex, node.startIndex + 5_000))
  if (/^export\s+default\b/.test(clause)) {
    const value = node.childForFieldName('value')
    const name = value?.type === 'identifier' ? value : (node.childForFieldName('declaration')?.childForFieldName('name') ?? null)
    return name === null ? [] : [{ kind: 'exports', name: textOf(name, source), module: null, as: 'default' }]
  }
  const pairs = /^export\s+(?:type\s+)?\{/.test(clause) ? namedIn(clause) : []
  if (module === null) {
    return pairs.flatMap(([name, as]) => (name === as ? [] : [{ kind: 'exports' as const, name, module, as }]))
  }
  // A name for the whole module does not affect the names inside it.
  if (/^export\s+(?:type\s+)?\*\s+as\b/.test(clause)) return [importOf(module)]
  if (pairs.length === 0) return [importOf(module), { kind: 'exports', name: '*', module, as: '*' }]
  return pairs.flatMap(([name, as]) => [
    { kind: 'imports' as const, name, module },
    { kind: 'exports' as const, name, module, as },
  ])
}

/** An anonymous `export default` is named `default`. */
function namelessDefault({ node, source }: NodeInText): FoundDefinition | null {
  const value = node.childForFieldName('value')
  if (value === null || !/^export\s+default\b/.test(source.slice(node.startIndex, value.startIndex))) return null
  if (value.type !== 'class' && !FUNCTION_VALUES.has(value.type)) return null
  return { name: 'default', kind: value.type === 'class' ? 'class' : 'function', body: value.childForFieldName('body') }
}

const plainCall = calls('function')

/** The module of `require('x')` or `import('x')`, empty for other calls. */
function requiredModule(node: Node, source: string): string {
  const callee = node.type === 'call_expression' ? node.childForFieldName('function') : null
  if (callee === null || callee.endIndex - callee.startIndex > 7 || !/^(?:require|import)$/.test(textOf(callee, source))) return ''
  const argument = node.childForFieldName('arguments')?.namedChild(0)
  return argument === null || argument === undefined ? '' : specifierOf(argument, source)
}

function call(node: NodeInText): readonly FoundReference[] {
  const module = requiredModule(node.node, node.source)
  if (module === '') return plainCall(node)
  const parent = node.node.parent?.type === 'await_expression' ? node.node.parent.parent : node.node.parent
  return parent?.type === 'variable_declarator' ? [] : [importOf(module)]
}

const PROPERTY = new RegExp(String.raw`^(${NAME})(?:\s*:\s*(${NAME}))?(?:\s*=.*)?$`, 'su')

/** `const u = require('./u')` and `const { a, b: c } = require('./u')` bind names like imports. */
function required({ node, source }: NodeInText): readonly FoundReference[] {
  const name = node.childForFieldName('name')
  const value = node.childForFieldName('value')
  const made = value?.type === 'await_expression' ? value.firstNamedChild : value
  if (name === null || made === null || made === undefined) return []
  const module = requiredModule(made, source)
  if (module === '') return []
  if (name.type === 'identifier') return [importOf(module, textOf(name, source))]
  const found = namedIn(textOf(name, source).slice(0, 5_000), PROPERTY).map(([value, as]) => importName(module, value, as))
  return found.length === 0 ? [importOf(module)] : found
}

/** Lower-case tags are HTML elements, not components. */
const component = (node: NodeInText): readonly FoundReference[] => calls('name')(node).filter((found) => /^\p{Lu}/u.test(found.name))

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
    export_statement: namelessDefault,
  },
  references: {
    import_statement: importStatement,
    export_statement: exportStatement,
    variable_declarator: required,
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
    export_statement: namelessDefault,
  },
  references: { ...JAVASCRIPT.references, extends_type_clause: inherits },
  wrappers: { ...JAVASCRIPT.wrappers, ambient_declaration: KEYWORDS_ONLY },
  comments: ['comment'],
  attributes: ['decorator'],
}

const { jsx_opening_element: _opening, jsx_self_closing_element: _closing, ...withoutJsx } = TYPESCRIPT.references
/** The grammar without JSX lacks its node types. */
export const PLAIN_TYPESCRIPT: GrammarRules = { ...TYPESCRIPT, references: withoutJsx }
