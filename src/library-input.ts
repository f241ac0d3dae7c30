import { z } from 'zod'
import { describeIssues } from './contracts/operation.js'
import { FACT_STATUSES } from './core/fact.js'
import type { NewFact } from './engine/facts/remember.js'
import { MemoryError } from './errors.js'

const instant = z.int()
const text = z.string()

/** A program has no contract that reads its arguments before the engine does, and a file keeps what it is given. */
const newFact: z.ZodType<NewFact> = z.strictObject({
  text,
  owner: text.optional(),
  kind: text.optional(),
  metadata: z.record(z.string(), z.json()).optional(),
  title: text.optional(),
  author: text.optional(),
  session: text.optional(),
  date: text.optional(),
  subject: text.optional(),
  predicate: text.optional(),
  value: z.json().optional(),
  scope: z.enum(['local', 'team', 'company', 'public']).optional(),
  status: z.enum(FACT_STATUSES).optional(),
  confidence: z.number().min(0).max(1).optional(),
  importance: z.number().min(0).max(10).optional(),
  source: text.optional(),
  reason: text.optional(),
  eventAt: instant.optional(),
  validFrom: instant.optional(),
  validUntil: instant.optional(),
  expiresAt: instant.optional(),
  ttlDays: z.number().positive().optional(),
  derivedFrom: z.array(text).optional(),
  autoLink: z.boolean().optional(),
})

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
  throw new MemoryError('invalid_input', describeIssues(parsed.error), { hint: 'Times are microseconds since 1970.' })
}

export const toNewFact = (given: unknown): NewFact => parse(newFact, typeof given === 'string' ? { text: given } : given)

export const toQuestion = (asked: unknown, options: unknown): z.output<typeof question> =>
  parse(question, typeof options === 'object' && options !== null ? { ...options, text: asked } : { text: asked })
