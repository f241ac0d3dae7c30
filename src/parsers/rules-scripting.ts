import type { Node } from 'web-tree-sitter'
import {
  baseNames,
  calls,
  type FoundDefinition,
  type FoundReference,
  type GrammarRules,
  importName,
  importOf,
  inherits,
  lastName,
  moduleName,
  type NodeInText,
  named,
  renamed,
  textOf,
  unquote,
} from './grammar-rules.js'

function pythonImport({ node, source }: NodeInText): readonly FoundReference[] {
  return textOf(node, source)
    .replace(/^import\s+/, '')
    .split(',')
    .map(renamed)
    .filter(([module]) => module !== undefined && /^[\w.]+$/.test(module))
    .map(([module = '', as]) => importOf(module, as ?? module))
}

function pythonFromImport({ node, source }: NodeInText): readonly FoundReference[] {
  const from = node.childForFieldName('module_name')
  if (from === null) return []
  const module = textOf(from, source)
  const list = source
    .slice(from.endIndex, node.endIndex)
    .replace(/^\s*import\s*/, '')
    .replace(/#[^\n]*/g, '')
    .replace(/[()\\]/g, ' ')
  const names = list
    .split(',')
    .map(renamed)
    .filter(([name]) => name !== undefined && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
  return names.length === 0 ? [importOf(module)] : names.map(([name = '', as]) => importName(module, name, as))
}

function docstring(body: Node, source: string): string {
  const first = body.firstNamedChild
  const string = first?.type === 'expression_statement' ? first.firstNamedChild : first
  if (string?.type !== 'string') return ''
  return textOf(string, source)
    .replace(/^[a-zA-Z]*("""|'''|"|')/, '')
    .replace(/("""|'''|"|')$/, '')
}

export const PYTHON: GrammarRules = {
  definitions: { function_definition: named('function'), class_definition: named('class') },
  references: {
    import_statement: pythonImport,
    import_from_statement: pythonFromImport,
    call: calls('function'),
    class_definition: ({ node, source }) => {
      const bases = node.childForFieldName('superclasses')
      return bases === null ? [] : baseNames(source.slice(bases.startIndex + 1, bases.endIndex - 1))
    },
  },
  wrappers: { decorated_definition: /^@/ },
  comments: ['comment'],
  docstring,
}

function rubyCall(node: NodeInText): readonly FoundReference[] {
  const name = node.node.childForFieldName('method')
  if (name === null) return []
  const method = textOf(name, node.source)
  if (node.node.childForFieldName('receiver') !== null)
    return method === 'new' ? calls('receiver')(node) : calls('method', 'receiver')(node)
  const list = node.node.childForFieldName('arguments')
  if (list === null) return calls('method')(node)
  const text = textOf(list, node.source)
    .slice(0, 500)
    .replace(/^\(|\)$/g, '')
  if (method === 'require' || method === 'require_relative' || method === 'load') {
    return /^\s*(["'])[^"'#]+\1\s*$/.test(text) ? [importOf(unquote(text))] : []
  }
  if (method === 'include' || method === 'extend' || method === 'prepend') return baseNames(text)
  return calls('method')(node)
}

/** Comments may precede the body, so the signature is the first line. */
const headLine =
  (rule: (node: NodeInText) => FoundDefinition | null) =>
  (node: NodeInText): FoundDefinition | null => {
    const found = rule(node)
    return found === null ? null : { ...found, body: null }
  }

export const RUBY: GrammarRules = {
  definitions: {
    method: headLine(named('function')),
    singleton_method: headLine(named('function')),
    class: headLine(named('class')),
    module: headLine(named('module')),
  },
  references: { call: rubyCall, superclass: ({ node, source }) => baseNames(textOf(node, source).replace(/^<\s*/, '')) },
  comments: ['comment'],
}

function phpUse({ node, source }: NodeInText): readonly FoundReference[] {
  const text = textOf(node, source)
    .slice(0, 5_000)
    .replace(/^use\s+(?:function\s+|const\s+)?/, '')
    .replace(/;\s*$/, '')
  const open = text.indexOf('{')
  const close = open < 0 ? -1 : text.indexOf('}', open)
  const base = text.slice(0, open).trim().replace(/\\$/, '')
  const paths =
    close < 0
      ? text.split(',')
      : text
          .slice(open + 1, close)
          .split(',')
          .map((part) => `${base}\\${part.trim()}`)
  return paths
    .map(renamed)
    .filter(([path]) => path !== undefined && /^[\w\\]+$/.test(path) && !path.endsWith('\\'))
    .map(([path = '', as]) => importName(path, moduleName(path), as))
}

const phpInclude = ({ node, source }: NodeInText): readonly FoundReference[] => {
  const path = /["']([^"'$]+)["']\)?$/.exec(textOf(node, source).slice(0, 500))?.[1]
  return path === undefined ? [] : [importOf(path)]
}

export const PHP: GrammarRules = {
  definitions: {
    function_definition: named('function'),
    method_declaration: named('function'),
    class_declaration: named('class'),
    interface_declaration: named('class'),
    trait_declaration: named('class'),
    enum_declaration: named('class'),
    namespace_definition: named('module', { bodyRequired: true }),
  },
  references: {
    namespace_use_declaration: phpUse,
    include_expression: phpInclude,
    include_once_expression: phpInclude,
    require_expression: phpInclude,
    require_once_expression: phpInclude,
    function_call_expression: calls('function'),
    member_call_expression: calls('name', 'object'),
    nullsafe_member_call_expression: calls('name', 'object'),
    scoped_call_expression: calls('name', 'scope'),
    object_creation_expression: ({ node, source }) => {
      const type = node.firstNamedChild
      const name = type === null ? '' : lastName(textOf(type, source))
      return name === '' ? [] : [{ kind: 'calls', name, module: null }]
    },
    base_clause: inherits,
    class_interface_clause: inherits,
    use_declaration: ({ node, source }) =>
      baseNames(
        textOf(node, source)
          .replace(/^use\s+/, '')
          .replace(/[;{][\s\S]*$/, ''),
      ),
  },
  comments: ['comment'],
}

function bashCommand({ node, source }: NodeInText): readonly FoundReference[] {
  const name = node.childForFieldName('name')
  if (name === null) return []
  const command = textOf(name, source)
  if (command === 'source' || command === '.') {
    const path = unquote(textOf(node, source).slice(command.length).trim().split(/\s/)[0] ?? '')
    return path === '' ? [] : [importOf(path)]
  }
  return /^[A-Za-z_][\w-]*$/.test(command) ? [{ kind: 'calls', name: command, module: null }] : []
}

export const BASH: GrammarRules = {
  definitions: { function_definition: named('function') },
  references: { command: bashCommand },
  comments: ['comment'],
}

/** Style rules are named by their selector, the text up to the block. */
function cssBlock({ node, source }: NodeInText): FoundDefinition | null {
  const name = (textOf(node, source).slice(0, 400).split('{')[0] ?? '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return name === '' ? null : { name: name.slice(0, 120), kind: 'other' }
}

export const CSS: GrammarRules = {
  definitions: {
    rule_set: cssBlock,
    media_statement: cssBlock,
    keyframes_statement: cssBlock,
    supports_statement: cssBlock,
    at_rule: cssBlock,
  },
  references: {
    import_statement: ({ node, source }) => {
      const path = /["'(]([^"'()]+)["')]/.exec(textOf(node, source).slice(0, 500))?.[1]
      return path === undefined ? [] : [importOf(path)]
    },
  },
  comments: ['comment'],
}
