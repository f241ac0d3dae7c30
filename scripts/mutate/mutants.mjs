// Finds the mutable places of a source file and compiles all mutants in, each behind its number.
import { parseSync } from 'vite'

/** Each operator, its replacement, and the function that implements both. */
const OPERATORS = {
  '<': ['<=', '__lt'],
  '<=': ['<', '__le'],
  '>': ['>=', '__gt'],
  '>=': ['>', '__ge'],
  '===': ['!==', '__eq'],
  '!==': ['===', '__ne'],
  '+': ['-', '__add'],
  '-': ['+', '__sub'],
  '*': ['/', '__mul'],
  '/': ['*', '__div'],
}
const CONNECTIVES = { '&&': '||', '||': '&&' }
/** Type nodes that contain an evaluated expression. */
const TYPED_EXPRESSION = /^TS(?:As|NonNull|Satisfies|TypeAssertion|Instantiation)/
const TYPES = new Set(['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeArguments', 'implements'])

const isNode = (value) => typeof value === 'object' && value !== null && typeof value.type === 'string' && typeof value.start === 'number'

function childrenOf(node) {
  if (node.type.startsWith('TS')) return TYPED_EXPRESSION.test(node.type) ? [node.expression] : []
  const found = Object.entries(node).flatMap(([key, value]) =>
    TYPES.has(key) ? [] : (Array.isArray(value) ? value : [value]).filter(isNode),
  )
  // In `{ a = 1 }` key and value start at the same position: the longer one contains the other.
  return found.sort((a, b) => a.start - b.start || b.end - a.end).filter((one, i, all) => i === 0 || one.start >= all[i - 1].end)
}

const bare = (node) => (node.type === 'ParenthesizedExpression' ? bare(node.expression) : node)

/** A condition without a mutable operator. */
const isPlainTest = (node) => {
  const { type, operator } = bare(node)
  return type !== 'LogicalExpression' && type !== 'Literal' && !(type === 'BinaryExpression' && operator in OPERATORS)
}

/** The text with all mutants, and their list. Numbers start at `first`. */
export function mutate(file, text, first) {
  const { program, errors } = parseSync(file, text, { lang: 'ts', preserveParens: true })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const mutants = []
  const lines = text.split('\n')
  const add = (node, from, to) => {
    // The position of an operator is the end of its left operand, because nested expressions share their start.
    const at = node.left === undefined ? node.start : node.left.end
    const before = text.slice(0, at).split('\n')
    const id = first + mutants.length
    const whole = lines[before.length - 1]
    const column = before.at(-1).length - (whole.length - whole.trimStart().length) + 1
    mutants.push({ id, file, line: before.length, column, from, to, source: whole.trim() })
    return id
  }

  function render(node, parent) {
    const children = childrenOf(node)
    const rendered = (child) => render(child, node)
    const between = () => {
      let at = node.start
      let out = ''
      for (const child of children) {
        out += text.slice(at, child.start) + rendered(child)
        at = child.end
      }
      return out + text.slice(at, node.end)
    }
    if (node.type === 'BinaryExpression' && node.operator in OPERATORS) {
      const [swap, name] = OPERATORS[node.operator]
      return `${name}(${add(node, node.operator, swap)}, ${rendered(node.left)}, ${rendered(node.right)})`
    }
    if (node.type === 'LogicalExpression' && node.operator in CONNECTIVES) {
      const id = add(node, node.operator, CONNECTIVES[node.operator])
      const same = node.operator === '&&' ? '!==' : '==='
      return `(__t = ${rendered(node.left)}, __on(${id}) ${same} !!__t ? ${rendered(node.right)} : __t)`
    }
    if (node.type === 'Literal' && typeof node.value === 'boolean')
      return `(__on(${add(node, String(node.value), String(!node.value))}) ? ${!node.value} : ${node.value})`
    if (parent !== undefined && parent.test === node && /^(?:If|Conditional)/.test(parent.type) && isPlainTest(node))
      return `(__on(${add(node, 'the condition', 'its opposite')}) !== !!(${between()}))`
    return between()
  }

  const written = `var __t: any;\n${text.slice(0, program.start)}${render(program)}${text.slice(program.end)}`
  return { text: written, mutants }
}

/** The functions called by the mutated text, for the global object. */
export const SWITCHES = `
globalThis.__on = (id) => {
  const state = globalThis.__mutation
  if (--state.left < 0) throw new Error('endless')
  if (state.hit !== undefined) state.hit(id)
  return id === state.active
}
${Object.entries(OPERATORS)
  .map(([operator, [swap, name]]) => `globalThis.${name} = (id, a, b) => (__on(id) ? a ${swap} b : a ${operator} b)`)
  .join('\n')}
`
