import type { Node } from 'web-tree-sitter'
import type { ChunkKind } from '../core/code/chunks/outline.js'
import {
  calls,
  type FoundDefinition,
  type FoundReference,
  type GrammarRules,
  importName,
  importOf,
  inherits,
  moduleName,
  type NodeInText,
  named,
  textOf,
  unquote,
} from './grammar-rules.js'

const WRAPPING_NODES = new Set(['reference_declarator', 'parenthesized_declarator'])

/**
 * Pointers, references and parentheses may enclose the declarator with the parameters. The innermost is used: a function that returns a
 * function pointer contains two.
 */
function functionDeclarator(node: Node): Node | null {
  let found: Node | null = null
  let location = node.childForFieldName('declarator')
  for (let depth = 0; location !== null && depth < 10; depth++) {
    if (location.type === 'function_declarator') found = location
    location = location.childForFieldName('declarator') ?? (WRAPPING_NODES.has(location.type) ? location.firstNamedChild : null)
  }
  return found
}

function declaredFunction(node: NodeInText): FoundDefinition | null {
  const declared = functionDeclarator(node.node)?.childForFieldName('declarator')
  if (declared === null || declared === undefined) return null
  const parts = textOf(declared, node.source)
    .replace(/\s+/g, '')
    .replace(/<[^<>]*>/g, '')
    .split('::')
    .filter((part) => part !== '')
  const name = parts.pop()
  if (name === undefined || name.length > 200 || /^[(*]/.test(name)) return null
  return { name, kind: 'function', scope: parts, body: node.node.childForFieldName('body') }
}

/** Prototypes are indexed where interfaces are declared, not inside function bodies. */
const prototype = (node: NodeInText): FoundDefinition | null => (node.enclosing === 'function' ? null : declaredFunction(node))

/** Requires a body: `struct S *p` uses a type. */
const bodied = (kind: ChunkKind) => named(kind, { bodyRequired: true })

function typedef(node: NodeInText): FoundDefinition | null {
  const type = node.node.childForFieldName('type')
  const declared = node.node.childForFieldName('declarator')
  if (type === null || declared === null || declared.type !== 'type_identifier') return null
  const body = type.childForFieldName('body')
  // A tagged type inside has its own name.
  if (body !== null && type.childForFieldName('name') !== null) return null
  const kind = body === null ? 'other' : type.type === 'enum_specifier' ? 'class' : 'struct'
  return { name: textOf(declared, node.source), kind, body }
}

function include({ node, source }: NodeInText): readonly FoundReference[] {
  const path = node.childForFieldName('path')
  return path === null ? [] : [importOf(unquote(textOf(path, source)))]
}

export const C: GrammarRules = {
  definitions: {
    function_definition: declaredFunction,
    declaration: prototype,
    struct_specifier: bodied('struct'),
    union_specifier: bodied('struct'),
    enum_specifier: bodied('class'),
    type_definition: typedef,
    preproc_function_def: named('function'),
  },
  references: { call_expression: calls('function'), preproc_include: include },
  comments: ['comment'],
}

export const CPP: GrammarRules = {
  definitions: {
    ...C.definitions,
    field_declaration: prototype,
    class_specifier: bodied('class'),
    namespace_definition: named('module'),
    alias_declaration: named('other'),
    concept_definition: named('other'),
  },
  references: { ...C.references, new_expression: calls('type'), base_class_clause: inherits },
  wrappers: { template_declaration: /^template\b/ },
  comments: ['comment'],
}

function using({ node, source }: NodeInText): readonly FoundReference[] {
  const module = /^(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)\s*;/.exec(textOf(node, source))?.[1]
  return module === undefined ? [] : [importOf(module)]
}

/** Names of `operator +` and `operator int`. */
const operator =
  (field: string) =>
  ({ node, source }: NodeInText): FoundDefinition | null => {
    const symbol = node.childForFieldName(field)
    return symbol === null ? null : { name: `operator ${textOf(symbol, source)}`, kind: 'function', body: node.childForFieldName('body') }
  }

export const CSHARP: GrammarRules = {
  definitions: {
    namespace_declaration: named('module'),
    class_declaration: named('class'),
    interface_declaration: named('class'),
    enum_declaration: named('class'),
    record_declaration: named('class'),
    struct_declaration: named('struct'),
    method_declaration: named('function'),
    constructor_declaration: named('function'),
    local_function_statement: named('function'),
    operator_declaration: operator('operator'),
    conversion_operator_declaration: operator('type'),
    property_declaration: named('other'),
    delegate_declaration: named('other'),
  },
  references: {
    using_directive: using,
    invocation_expression: calls('function'),
    object_creation_expression: calls('type'),
    base_list: inherits,
  },
  comments: ['comment'],
}

function javaImport({ node, source }: NodeInText): readonly FoundReference[] {
  const module = /^import\s+(?:static\s+)?([\w.]+?)(?:\.\*)?\s*;/.exec(textOf(node, source))?.[1]
  return module === undefined ? [] : [importName(module, moduleName(module))]
}

export const JAVA: GrammarRules = {
  definitions: {
    class_declaration: named('class'),
    interface_declaration: named('class'),
    enum_declaration: named('class'),
    record_declaration: named('class'),
    annotation_type_declaration: named('class'),
    method_declaration: named('function'),
    constructor_declaration: named('function'),
    compact_constructor_declaration: named('function'),
  },
  references: {
    import_declaration: javaImport,
    method_invocation: calls('name', 'object'),
    object_creation_expression: calls('type'),
    superclass: inherits,
    super_interfaces: inherits,
    extends_interfaces: inherits,
  },
  comments: ['line_comment', 'block_comment'],
}
