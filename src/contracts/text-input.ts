import { exceededLimit } from '../core/encoding/json-values.js'
import { MemoryError } from '../errors.js'
import { readPlain } from './wire-schema.js'

export type Schema = Readonly<Record<string, unknown>>

/**
 * Converts text from a shell, path or query to the type in the schema; text that does not fit stays as it is, so that the operation rejects
 * it.
 */
export function fromText(schema: Schema, texts: string | readonly string[]): unknown {
  const types = typesOf(schema)
  if (typeof texts !== 'string') {
    const only = texts.length === 1 ? texts[0] : undefined
    if (only?.trimStart().startsWith('[')) return parseJson(only)
    return texts.map((item) => fromText(itemsOf(schema), item))
  }
  const plain = readPlain(schema, texts)
  if (plain !== texts) return plain
  const opening = texts.trimStart()[0]
  if ((types.includes('object') || types.length === 0) && opening === '{') return parseJson(texts)
  if ((types.includes('array') || types.length === 0) && opening === '[') return parseJson(texts)
  if (types.length === 1 && types[0] === 'array') return [fromText(itemsOf(schema), texts)]
  return texts
}

export function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const properties: Record<string, Schema> = {}
  if (!isSchema(schema.properties)) return properties
  for (const [name, value] of Object.entries(schema.properties)) properties[name] = isSchema(value) ? value : {}
  return properties
}

/** Limit of the values in one request, because each costs memory and time many times its length. */
const MAX_JSON_VALUES = 250_000
/** Limit of the members of one object. No tool takes as many, and different names take the longest to parse. */
const MAX_JSON_MEMBERS = 20_000

/** What a request holds too much of, as a sentence continues; undefined if it holds no more than is read. */
export function findJsonExcess(json: Uint8Array): string | undefined {
  const exceeded = exceededLimit(json, { values: MAX_JSON_VALUES, members: MAX_JSON_MEMBERS })
  if (exceeded === undefined) return undefined
  return exceeded === 'values'
    ? `more than ${MAX_JSON_VALUES.toLocaleString('en')} values`
    : `an object of more than ${MAX_JSON_MEMBERS.toLocaleString('en')} members`
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

export function typesOf(schema: Schema): readonly string[] {
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

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
