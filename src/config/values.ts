import { homedir } from 'node:os'
import type { z } from 'zod'

const MAX_SHOWN_CHARS = 80

/** Describes the allowed values for messages and the reference: "a whole number from 0 to 65535". */
export function wordsFor(schema: z.core.JSONSchema.BaseSchema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`
  if (schema.const !== undefined) return String(schema.const)
  if (schema.anyOf !== undefined) return schema.anyOf.map(wordsFor).join(' or ')
  switch (schema.type) {
    case 'integer':
      return `a whole number${rangeOf(schema)}`
    case 'number':
      return `a number${rangeOf(schema)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `${(schema.minItems ?? 0) > 0 ? 'one or more ' : ''}names separated by commas`
    case 'object':
      return 'a JSON object of numbers'
    case 'string':
      return 'text'
    default:
      // Paths are made absolute, which a JSON schema cannot express.
      return 'a path'
  }
}

function rangeOf({ minimum, maximum = Number.MAX_SAFE_INTEGER }: z.core.JSONSchema.BaseSchema): string {
  if (maximum < Number.MAX_SAFE_INTEGER) return ` from ${minimum ?? 0} to ${maximum}`
  return minimum === undefined ? '' : ` of at least ${minimum}`
}

/** A value in the form of a command line. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value)
  if (text === '') return 'none'
  const home = homedir()
  const short = text.startsWith(home) ? `~${text.slice(home.length)}` : text
  return short.length > MAX_SHOWN_CHARS ? `${short.slice(0, MAX_SHOWN_CHARS)}...` : short
}
