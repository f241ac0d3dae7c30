import { Option } from 'commander'
import type { Operation } from '../../contracts/operation.js'
import { readPlain } from '../../contracts/wire-schema.js'
import { MemoryError } from '../../errors.js'

type Schema = Readonly<Record<string, unknown>>

/** One property of an operation's input as a flag. */
export interface Flag {
  readonly property: string
  readonly schema: Schema
  readonly option: Option
}

export function toFlags(operation: Operation): readonly Flag[] {
  const required = Array.isArray(operation.inputSchema.required) ? operation.inputSchema.required : []
  return Object.entries(propertiesOf(operation.inputSchema))
    .filter(([property]) => !property.startsWith('no_'))
    .map(([property, schema]) => {
      const option = new Option(
        `--${property.replaceAll('_', '-')} <${placeholder(schema)}>`,
        describe(schema, required.includes(property)),
      )
      if (typesOf(schema).includes('array'))
        option.argParser((value: string, previous: unknown) => [...(Array.isArray(previous) ? previous : []), value])
      return { property, schema, option }
    })
}

export function isToggle(schema: Schema): boolean {
  return typesOf(schema).includes('boolean')
}

/** `--flag` and `--no-flag` for yes and no, without a bare flag eating the argument after it. */
export function spellOutToggles(argv: readonly string[], toggles: ReadonlySet<string>): string[] {
  return argv.flatMap((word, index) => {
    const next = argv[index + 1]
    if (toggles.has(word)) return next === 'true' || next === 'false' ? [word] : [`${word}=true`]
    const positive = word.startsWith('--no-') ? `--${word.slice('--no-'.length)}` : ''
    return toggles.has(positive) ? [`${positive}=false`] : [word]
  })
}

/** Text from a shell to the JSON value the schema asks for; what does not fit is passed on for the operation to refuse in its own words. */
export function fromText(schema: Schema, given: string | readonly string[]): unknown {
  const types = typesOf(schema)
  if (typeof given !== 'string') {
    const only = given.length === 1 ? given[0] : undefined
    if (only?.trimStart().startsWith('[')) return parseJson(only)
    return given.map((item) => fromText(itemsOf(schema), item))
  }
  const plain = readPlain(schema, given)
  if (plain !== given) return plain
  const opening = given.trimStart()[0]
  if ((types.includes('object') || types.length === 0) && opening === '{') return parseJson(given)
  if ((types.includes('array') || types.length === 0) && opening === '[') return parseJson(given)
  if (types.length === 1 && types[0] === 'array') return [fromText(itemsOf(schema), given)]
  return given
}

export function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const properties: Record<string, Schema> = {}
  if (!isSchema(schema.properties)) return properties
  for (const [name, value] of Object.entries(schema.properties)) properties[name] = isSchema(value) ? value : {}
  return properties
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const shown = text.length > 60 ? `${text.slice(0, 60)}...` : text
    throw new MemoryError('invalid_input', `Not valid JSON: ${shown}`, {
      hint: 'Check the quoting; in a shell, put JSON in single quotes.',
      cause,
    })
  }
}

function typesOf(schema: Schema): readonly string[] {
  if (typeof schema.type === 'string') return [schema.type]
  if (Array.isArray(schema.type)) return schema.type.filter((type) => typeof type === 'string')
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : []
  const branches = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isSchema) : []))
  return [...new Set([...values.map((value) => (value === null ? 'null' : typeof value)), ...branches.flatMap(typesOf)])]
}

function itemsOf(schema: Schema): Schema {
  if (isSchema(schema.items)) return schema.items
  const branches = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isSchema) : []))
  const array = branches.find((branch) => typesOf(branch).includes('array'))
  return array === undefined ? {} : itemsOf(array)
}

function placeholder(schema: Schema): string {
  const types = typesOf(schema)
  if (types.includes('array')) return 'value, repeatable'
  if (types.includes('boolean')) return 'true|false'
  if (types.includes('integer') || types.includes('number')) return 'number'
  return types.length === 1 && types[0] === 'object' ? 'json' : 'text'
}

function describe(schema: Schema, required: boolean): string {
  const values = Array.isArray(schema.enum) ? schema.enum : []
  const choices = values.length > 0 ? `one of ${values.join(', ')}` : undefined
  const fallback = schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`
  const notes = [required ? 'required' : undefined, choices, fallback].filter((note) => note !== undefined)
  const text = typeof schema.description === 'string' ? schema.description : ''
  return [text, notes.length > 0 ? `(${notes.join('; ')})` : ''].filter(Boolean).join(' ')
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
