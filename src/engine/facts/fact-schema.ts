import { z } from 'zod'
import type { Json, JsonObject } from '../../core/encoding/json.js'
import {
  FACT_STATUSES,
  type Fact,
  type FactField,
  type FactKinds,
  FIELDS,
  isFact,
  isLate,
  type NewFact,
  SCOPES,
} from '../../core/facts/fact.js'

export const json: z.ZodType<Json> = z.json()
export const object: z.ZodType<JsonObject> = z.record(z.string(), json)
export const status = z.enum(FACT_STATUSES)
export const scope = z.enum(SCOPES)
export const id = z.string().min(1).max(200)

const KIND_SCHEMAS: Readonly<Record<keyof FactKinds, z.ZodType>> = {
  text: z.string(),
  note: z.string().nullable(),
  number: z.number(),
  amount: z.number().nullable(),
  instant: z.number(),
  moment: z.number().nullable(),
  flag: z.boolean(),
  names: z.array(z.string()),
  list: z.array(z.string()).nullable(),
  object,
  record: object.nullable(),
  json,
  status,
  scope,
}

/** Narrower than the type of their field. */
const FIELD_SCHEMAS: Readonly<Record<string, z.ZodType>> = { id, version: z.int().min(1) }

/** A complete fact from an export or the journal. Fields added by later versions may be missing. */
export const factSchema: z.ZodType<Fact> = z
  .strictObject(
    Object.fromEntries(
      FIELDS.map(([name, { kind }]) => {
        const schema = FIELD_SCHEMAS[name] ?? KIND_SCHEMAS[kind]
        return [name, isLate(name) ? schema.default(null) : schema]
      }),
    ),
  )
  .transform((made, context) => {
    if (isFact(made)) return made
    context.addIssue({ code: 'custom', message: 'some fields are missing' })
    return z.NEVER
  })

function inputSchema({ kind, bounds }: FactField): z.ZodType {
  if (kind === 'instant' || kind === 'moment') return z.int()
  if (kind === 'number' || kind === 'amount') {
    let schema = z.number()
    if (bounds?.least !== undefined) schema = schema.min(bounds.least)
    if (bounds?.most !== undefined) schema = schema.max(bounds.most)
    return bounds?.above === undefined ? schema : schema.gt(bounds.above)
  }
  if (kind === 'note') return z.string()
  if (kind === 'list') return z.array(z.string())
  return kind === 'record' ? object : KIND_SCHEMAS[kind]
}

const isNewFact = (made: Readonly<Record<string, unknown>>): made is NewFact => typeof made.text === 'string'

/** Input of a program for a new fact. */
export const newFactSchema: z.ZodType<NewFact> = z
  .strictObject(
    Object.fromEntries(
      FIELDS.flatMap(([name, field]) =>
        field.isInput ? [[name, name === 'text' ? inputSchema(field) : inputSchema(field).optional()]] : [],
      ),
    ),
  )
  .transform((made, context) => {
    if (isNewFact(made)) return made
    context.addIssue({ code: 'custom', message: 'text is missing' })
    return z.NEVER
  })
