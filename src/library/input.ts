import { z } from 'zod'
import { describeIssues, unknownKeysHint } from '../contracts/input-errors.js'
import type { Fact, NewFact } from '../core/facts/fact.js'
import { parseInstant } from '../core/input/input.js'
import { newFactSchema } from '../engine/facts/fact-schema.js'
import { MemoryError } from '../errors.js'

/** A Date, ISO 8601 text or microseconds since 1970, as microseconds. */
const instant = z.union([
  z.int(),
  z.date().transform((date) => date.getTime() * 1000),
  z.string().transform((text) => parseInstant(text, 'Invalid asOf: use a Date, ISO 8601 text or microseconds')),
])
const text = z.string()

const recallQuery = z.strictObject({
  text,
  limit: z.int().min(1).max(1000).default(10),
  owner: text.optional(),
  asOf: instant.optional(),
  effort: z.enum(['fast', 'best']).optional(),
  documents: z.boolean().optional(),
  signal: z.instanceof(AbortSignal).default(() => new AbortController().signal),
})

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new MemoryError('invalid_input', describeIssues(parsed.error), {
    hint: 'Times are a Date, ISO 8601 text or microseconds since 1970.',
    ...unknownKeysHint(schema, parsed.error),
  })
}

/** Programs call the engine without a contract that validates arguments, so this checks them. */
export const toNewFact = (input: unknown): NewFact => parse(newFactSchema, typeof input === 'string' ? { text: input } : input)

const update = z.strictObject({
  text: text.min(1).optional(),
  kind: text.min(1).optional(),
  title: text.nullable().optional(),
  importance: z.number().min(0).max(10).optional(),
  metadata: z.record(text, z.json()).optional(),
})

export function toFactUpdate(input: unknown): Partial<Fact> {
  const checked: Partial<Fact> = {}
  return Object.assign(checked, Object.fromEntries(Object.entries(parse(update, input)).filter(([, value]) => value !== undefined)))
}

export const toRecallQuery = (query: unknown, options: unknown): z.output<typeof recallQuery> =>
  parse(recallQuery, typeof options === 'object' && options !== null ? { ...options, text: query } : { text: query })
