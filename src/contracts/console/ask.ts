import { z } from 'zod'
import { type DocumentPassage, headingPathOf } from '../../core/evidence/passage-fact.js'
import { cutTail, LOW_CONFIDENCE } from '../../core/recall/relevance.js'
import { terms } from '../../core/text/text.js'
import { listOwners } from '../../engine/console/looked-through.js'
import { recallWithCode } from '../../engine/recall/recall-with-code.js'
import { operation } from '../operation.js'
import { contributionShape, contributionsOf } from './contributions.js'
import { id, instantIn } from './shapes.js'

const output = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      source: z.enum(['memory', 'document', 'code']),
      owner: z.string(),
      text: z.string(),
      place: z.string().optional(),
      score: z.number(),
      relevance: z.number(),
      /** False for what an agent is not given, because it is too unlikely to be wanted. */
      told: z.boolean(),
      contributions: z.array(contributionShape),
      matched: z.array(z.string()),
      path: z.array(z.string()).optional(),
      superseded: z.string().optional(),
    }),
  ),
  owners: z.array(z.string()),
  confidence: z.number().nullable(),
  reranking: z.string(),
  notice: z.string().optional(),
  read_as: z.string().optional(),
  ms: z.number(),
})
export type AskAnswer = z.output<typeof output>

/** The delivery log does not record results on this page, because no agent receives them. */
export const ask = operation({
  name: 'ask',
  title: 'Ask',
  description: 'A question as an agent would ask it, with what made each score',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({
    question: z.string().min(1),
    owner: id.optional(),
    effort: z.enum(['fast', 'best']).default('best'),
    as_of: z.string().optional(),
    code: z.boolean().default(false),
    limit: z.int().min(1).max(50).default(10),
  }),
  output,
  async run({ context }, input) {
    const began = performance.now()
    const found = await recallWithCode(context, {
      text: input.question,
      limit: input.limit,
      owner: input.owner ?? context.settings.askedOwner,
      asOf: input.as_of === undefined ? undefined : instantIn(input.as_of, 'as_of'),
      recipe: context.settings.recipe,
      effort: input.effort,
      memories: true,
      documents: context.settings.recallDocuments,
      code: input.code ? {} : undefined,
      signal: context.signal,
    })
    const ms = performance.now() - began
    const asked = new Set(found.terms)
    const aboveCut = new Set(cutTail(found.results, context.settings.recipe.weights === null ? undefined : 0))
    return {
      results: found.results.map((result) => {
        const { memory, code, score, relevance } = result
        return memory === undefined
          ? {
              ...{ id: code.passage.id, source: 'code' as const, owner: code.passage.owner, text: code.passage.text, score, relevance },
              told: aboveCut.has(result),
              ...{ place: `${code.passage.path}:${code.passage.startLine}`, contributions: [{ name: 'score', value: score }], matched: [] },
            }
          : {
              ...{
                id: memory.fact.id,
                source: memory.passage === null ? ('memory' as const) : ('document' as const),
                owner: memory.fact.owner,
                score,
                relevance,
              },
              ...(memory.passage === null ? {} : { place: placeOf(memory.passage) }),
              told: aboveCut.has(result),
              text: memory.excerpt === null ? memory.fact.text : memory.fact.text.slice(memory.excerpt.start, memory.excerpt.end),
              contributions: contributionsOf(memory),
              matched: matchedWords(memory.fact.text, asked),
              ...(memory.via === null ? {} : { path: [memory.via.seed, memory.via.name, memory.fact.id] }),
              ...(memory.supersededBy === null ? {} : { superseded: memory.supersededBy.id }),
            }
      }),
      owners: [...(await listOwners(context))],
      confidence: found.confidence,
      reranking: found.rerank.state,
      ...noticeOf(found.degraded, found.confidence),
      ...(found.readAs === null ? {} : { read_as: found.readAs }),
      ms,
    }
  },
})

/** The title of a document, then headings, or the lines where there are none. */
function placeOf({ passage, source }: DocumentPassage): string {
  const headings = headingPathOf(passage)
  const page = typeof passage.locator?.page === 'number' ? `page ${passage.locator.page}` : `lines ${passage.startLine}-${passage.endLine}`
  return [source.title, ...(headings.length === 0 ? [page] : headings)].join(' > ')
}

const WORDS = /[\p{L}\p{N}_-]+/gu

/** The words of a text that match query terms, as written. */
const matchedWords = (text: string, asked: ReadonlySet<string>): string[] => [
  ...new Set((text.slice(0, 20_000).match(WORDS) ?? []).filter((word) => terms(word).some((term) => asked.has(term)))),
]

function noticeOf(degraded: string | null, confidence: number | null): { readonly notice?: string } {
  if (degraded !== null) return { notice: degraded }
  return confidence !== null && confidence < LOW_CONFIDENCE ? { notice: 'Nothing stands out as an answer.' } : {}
}
