import { Option } from 'commander'
import type { Operation } from '../../contracts/operation.js'
import { propertiesOf, type Schema, typesOf } from '../../contracts/text-input.js'

/** An input property of an operation as a flag. */
export interface Flag {
  readonly property: string
  readonly schema: Schema
  readonly option: Option
}

const SHORT_FLAGS: Readonly<Record<string, string>> = { limit: '-n, ' }
/** Names of the owner in the contracts; commands have one flag for it and accept the others. */
const OWNER_PROPERTIES = new Set(['user_id', 'owner_id'])

export function toFlags(operation: Operation): readonly Flag[] {
  const required = Array.isArray(operation.schemas.input.required) ? operation.schemas.input.required : []
  return Object.entries(propertiesOf(operation.schemas.input))
    .filter(([property]) => !property.startsWith('no_'))
    .flatMap(([property, schema]) => {
      const option = new Option(
        `${SHORT_FLAGS[property] ?? ''}--${property.replaceAll('_', '-')} <${placeholder(schema)}>`,
        describe(schema, required.includes(property)),
      )
      if (typesOf(schema).includes('array'))
        option.argParser((value: string, previous: unknown) => [...(Array.isArray(previous) ? previous : []), value])
      if (!OWNER_PROPERTIES.has(property)) return [{ property, schema, option }]
      return [
        { property, schema, option: new Option(`--owner <${placeholder(schema)}>`, option.description) },
        { property, schema, option: option.hideHelp() },
      ]
    })
}

export function isToggle(schema: Schema): boolean {
  return typesOf(schema).includes('boolean')
}

/** Expands toggles to `--flag` and `--no-flag`, so that a bare flag does not consume the next argument. */
export function spellOutToggles(argv: readonly string[], toggles: ReadonlySet<string>): string[] {
  const end = argv.indexOf('--')
  return argv.flatMap((word, index) => {
    // Text after `--` is never a flag.
    if (end >= 0 && index >= end) return [word]
    const next = argv[index + 1]
    if (toggles.has(word)) return next === 'true' || next === 'false' ? [word] : [`${word}=true`]
    const positive = word.startsWith('--no-') ? `--${word.slice('--no-'.length)}` : ''
    return toggles.has(positive) ? [`${positive}=false`] : [word]
  })
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
