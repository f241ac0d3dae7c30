import type { ChunkKind } from '../core/code/chunks/outline.js'
import {
  baseNames,
  calls,
  type FoundDefinition,
  type FoundReference,
  type GrammarRules,
  importName,
  importOf,
  lastName,
  moduleName,
  type NodeInText,
  named,
  renamed,
  textOf,
  unquote,
} from './grammar-rules.js'

/** `a::{b, c::{d as e, self}}` imports b, d and c; the module is the path before the name. */
function expandUse(use: string, prefix = ''): readonly FoundReference[] {
  const open = use.indexOf('{')
  if (open < 0) {
    const [text = '', as] = renamed(use)
    const path = `${prefix}${text}`.replace(/\s+/g, '')
    const segments = path.split('::').filter((segment) => segment !== '')
    const last = segments.at(-1)
    const name = last === 'self' || last === '*' ? segments.at(-2) : last
    return name === undefined || !/^\w+$/.test(name) ? [] : [importName(path, name, as)]
  }
  const inner = use.slice(open + 1, use.lastIndexOf('}') < open ? undefined : use.lastIndexOf('}'))
  const base = `${prefix}${use.slice(0, open)}`
  return splitTop(inner).flatMap((part) => (part.trim() === '' ? [] : expandUse(part.trim(), base)))
}

function splitTop(list: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let offset = 0; offset < list.length; offset++) {
    const char = list[offset]
    if (char === '{') depth++
    else if (char === '}') depth--
    else if (char === ',' && depth === 0) {
      parts.push(list.slice(from, offset))
      from = offset + 1
    }
  }
  return [...parts, list.slice(from)]
}

function useDeclaration({ node, source }: NodeInText): readonly FoundReference[] {
  const argument = node.childForFieldName('argument')
  if (argument === null) return []
  const text = textOf(argument, source)
  const found = text.length > 5_000 ? [] : expandUse(text)
  const isPublic = /^pub\b/.test(source.slice(node.startIndex, argument.startIndex))
  return isPublic
    ? found.flatMap((reference) => [reference, { ...reference, kind: 'exports' as const, as: reference.as ?? reference.name }])
    : found
}

function impl({ node, source }: NodeInText): FoundDefinition | null {
  const type = node.childForFieldName('type')
  const name = type === null ? '' : lastName(textOf(type, source))
  return name === '' ? null : { name, kind: 'impl', body: node.childForFieldName('body') }
}

function implemented({ node, source }: NodeInText): readonly FoundReference[] {
  const trait = node.childForFieldName('trait')
  const name = trait === null ? '' : lastName(textOf(trait, source))
  return name === '' ? [] : [{ kind: 'inherits', name, module: null }]
}

/** Constants inside functions are locals. */
const outside = (rule: (node: NodeInText) => FoundDefinition | null) => (node: NodeInText) =>
  node.enclosing === 'function' ? null : rule(node)

export const RUST: GrammarRules = {
  definitions: {
    function_item: named('function'),
    function_signature_item: named('function'),
    struct_item: named('struct'),
    enum_item: named('struct'),
    union_item: named('struct'),
    trait_item: named('class'),
    impl_item: impl,
    mod_item: named('module', { bodyRequired: true }),
    macro_definition: named('function'),
    type_item: outside(named('other')),
    const_item: outside(named('other')),
    static_item: outside(named('other')),
  },
  references: {
    use_declaration: useDeclaration,
    call_expression: calls('function'),
    macro_invocation: calls('macro'),
    impl_item: implemented,
    trait_bounds: ({ node, source, enclosing }) => (enclosing === 'class' ? baseNames(textOf(node, source), /\+/) : []),
  },
  comments: ['line_comment', 'block_comment'],
  attributes: ['attribute_item'],
}

function goType({ node, source }: NodeInText): FoundDefinition | null {
  const name = node.childForFieldName('name')
  const type = node.childForFieldName('type')
  if (name === null) return null
  const kinds: Readonly<Record<string, ChunkKind>> = { struct_type: 'struct', interface_type: 'class' }
  return { name: textOf(name, source), kind: kinds[type?.type ?? ''] ?? 'other' }
}

const MAX_RECEIVER_CHARS = 500

function goMethod({ node, source }: NodeInText): FoundDefinition | null {
  const name = node.childForFieldName('name')
  const receiver = node.childForFieldName('receiver')
  if (name === null) return null
  const type =
    receiver === null
      ? ''
      : lastName(
          textOf(receiver, source)
            .slice(-MAX_RECEIVER_CHARS)
            .replace(/^\(|\)$/g, '')
            .replace(/\[[^\]]*\]\s*$/, ''),
        )
  return { name: textOf(name, source), kind: 'function', scope: type === '' ? [] : [type], body: node.childForFieldName('body') }
}

/** A field without a name embeds its type. */
function embedded({ node, source }: NodeInText): readonly FoundReference[] {
  if (node.childForFieldName('name') !== null) return []
  const type = node.childForFieldName('type')
  const name = type === null ? '' : lastName(textOf(type, source))
  return name === '' ? [] : [{ kind: 'inherits', name, module: null }]
}

export const GO: GrammarRules = {
  definitions: {
    function_declaration: named('function'),
    method_declaration: goMethod,
    type_spec: goType,
    type_alias: named('other'),
  },
  references: {
    import_spec: ({ node, source }) => {
      const path = node.childForFieldName('path')
      if (path === null) return []
      const module = unquote(textOf(path, source))
      const as = node.childForFieldName('name')
      return [importOf(module, as === null ? moduleName(module) : textOf(as, source))]
    },
    call_expression: calls('function'),
    field_declaration: embedded,
  },
  // A grouped declaration contains several types, each with its own lines.
  wrappers: { type_declaration: /^type[ \t]+$/ },
  comments: ['comment'],
}
