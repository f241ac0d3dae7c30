import { z } from 'zod'

/** A JSON schema, or a part of one. */
export type WireSchema = Readonly<Record<string, unknown>>

/**
 * Listings cost tokens in every session, so they omit `$schema`, unused definitions, long patterns and default integer bounds. Each input
 * has one plain type, because some clients cannot send a union; null always means absent. A schema with `meta({ wire })` is listed as that
 * type, whatever else it accepts.
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): WireSchema {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const wire = jsonSchema.wire
      if (wire !== undefined) {
        const items = wire === 'array' ? { items: { type: itemTypeOf(jsonSchema) } } : {}
        keepDescription(jsonSchema)
        Object.assign(jsonSchema, { type: wire, ...items })
        return
      }
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.propertyNames !== undefined) delete jsonSchema.propertyNames
      if (jsonSchema.type === 'object' && typeof jsonSchema.additionalProperties === 'object') delete jsonSchema.additionalProperties
      withoutNull(jsonSchema, io)
      if (io === 'output') {
        delete jsonSchema.additionalProperties
        delete jsonSchema.required
      }
    },
  })
  return JSON.stringify(json).includes('"$ref"') ? { ...json, $defs } : json
}

/** The complete schema, for programs that generate types from it. */
export const toExactSchema = (schema: z.ZodType, io: 'input' | 'output'): WireSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' })

/** Strict clients reject an array without an item type; items read from text are strings. */
function itemTypeOf({ items, anyOf }: Record<string, unknown>): string {
  const union: readonly unknown[] = Array.isArray(anyOf) ? anyOf : []
  const own = items ?? union.find((alternative) => isRecord(alternative) && alternative.type === 'array')
  const inner = isRecord(own) && own.type === 'array' ? own.items : own
  return isRecord(inner) && typeof inner.type === 'string' ? inner.type : 'string'
}

function keepDescription(jsonSchema: Record<string, unknown>): void {
  for (const key of Object.keys(jsonSchema)) if (key !== 'description') delete jsonSchema[key]
}

/** A nullable result is listed without a type, because clients validate results and a plain type would reject null. */
function withoutNull(jsonSchema: Record<string, unknown>, io: 'input' | 'output'): void {
  const union = jsonSchema.anyOf
  if (!Array.isArray(union) || union.length !== 2) return
  const [first, second]: readonly unknown[] = union
  if (!isRecord(first) || !isRecord(second) || second.type !== 'null') return
  if (io === 'output') keepDescription(jsonSchema)
  else {
    delete jsonSchema.anyOf
    Object.assign(jsonSchema, { ...first, ...jsonSchema })
  }
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu
const TRUTH = /^(?:true|false)$/iu

/** Arguments that confirm or widen a call: only the boolean sets them, never text. */
const CONSENTS: ReadonlySet<string> = new Set(['confirm', 'force', 'apply', 'all', 'forever', 'accept_loss', 'yes'])

export const isConsent = (name: string): boolean => CONSENTS.has(name)

/**
 * Converts numbers and booleans sent as text by shells, forms and some models. Text that does not fit stays as it is, so that the operation
 * rejects it.
 */
export function readPlain(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value
  if (typeof value === 'string') {
    const trimmed = value.trim()
    if (schema.type === 'boolean' && TRUTH.test(trimmed)) return trimmed.toLowerCase() === 'true'
    if ((schema.type === 'number' || schema.type === 'integer') && NUMBER.test(trimmed)) return Number(trimmed)
    return value
  }
  if (Array.isArray(value)) return schema.items === undefined ? value : value.map((item) => readPlain(schema.items, item))
  const { properties } = schema
  if (!isRecord(value) || !isRecord(properties)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isConsent(name) ? member : readPlain(properties[name], member)]),
  )
}

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
