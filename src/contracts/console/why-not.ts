import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import { whyNot as findWhyNot, type WhyNotVerdict } from '../../engine/console/why-not.js'
import { operation } from '../operation.js'
import { contributionShape, contributionsOf } from './contributions.js'
import { id, instantIn } from './shapes.js'

const output = z.object({
  text: z.string(),
  summary: z.string(),
  dropped: z.string().nullable(),
  rank: z.int().nullable(),
  stages: z.array(z.object({ stage: z.string(), passed: z.boolean().nullable(), detail: z.string() })),
  contributions: z.array(contributionShape),
  held_at: z.string().nullable(),
})
export type WhyNotAnswer = z.output<typeof output>

export const whyNot = operation({
  name: 'why_not',
  title: 'Why not',
  description: 'At which stage a question drops a fact, and what made its score',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({
    question: z.string().min(1),
    id,
    owner: id.optional(),
    effort: z.enum(['fast', 'best']).default('best'),
    as_of: z.string().optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  output,
  async run({ context }, input) {
    const verdict = await findWhyNot(context, {
      fact: input.id,
      text: input.question,
      limit: input.limit,
      owner: input.owner ?? context.settings.askedOwner,
      asOf: input.as_of === undefined ? undefined : instantIn(input.as_of, 'as_of'),
      recipe: context.settings.recipe,
      effort: input.effort,
      signal: context.signal,
    })
    return {
      text: verdict.fact.text,
      summary: summaryOf(verdict),
      dropped: verdict.dropped,
      rank: verdict.rank,
      stages: verdict.stages.map((stage) => ({ ...stage })),
      contributions: verdict.found === undefined ? [] : contributionsOf(verdict.found),
      held_at: verdict.heldAt === null ? null : formatInstant(verdict.heldAt),
    }
  },
})

const SUMMARIES = {
  owner: 'It belongs to another owner than the one that was asked.',
  validity: 'It did not hold at the instant that was asked about.',
  candidates: 'Too little in it fits the question.',
  floor: 'Too unlikely to be wanted: the answer ends before it.',
  limit: 'Others fit better.',
} as const

const summaryOf = ({ dropped, rank }: WhyNotVerdict): string =>
  dropped === null ? `It is a result: rank ${rank ?? ''}.` : SUMMARIES[dropped]
