import { z } from 'zod'
import { describeIssues, unknownKeysHint } from './contracts/input-errors.js'
import type { NewFact } from './core/facts/fact.js'
import { newFactSchema } from './engine/facts/fact-schema.js'
import { MemoryError } from './errors.js'

const instant = z.int()
const text = z.string()

const question = z.strictObject({
  text,
  limit: z.int().min(1).max(1000).default(10),
  owner: text.optional(),
  asOf: instant.optional(),
  effort: z.enum(['fast', 'best']).optional(),
  signal: z.instanceof(AbortSignal).default(() => new AbortController().signal),
})

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new MemoryError('invalid_input', describeIssues(parsed.error), {
    hint: 'Times are microseconds since 1970.',
    ...unknownKeysHint(schema, parsed.error),
  })
}

/** A program has no contract that reads its arguments before the engine does, and a file keeps what it is given. */
export const toNewFact = (given: unknown): NewFact => parse(newFactSchema, typeof given === 'string' ? { text: given } : given)

export const toRecallQuery = (asked: unknown, options: unknown): z.output<typeof question> =>
  parse(question, typeof options === 'object' && options !== null ? { ...options, text: asked } : { text: asked })
