import { z } from 'zod'
import type { SearchHit } from '../../engine/recall/single-index-search.js'
import { searchByMeaning, searchByWords } from '../../engine/recall/single-index-search.js'
import { operation } from '../operation.js'
import { resultsText } from './plain-text.js'
import { limitOf, ownerToSearch, query, round, toMemoryType, userId } from './shapes.js'

const input = z.strictObject({ query, limit: limitOf(10, 50), user_id: userId })

const output = z.object({
  results: z.array(z.object({ id: z.string(), content: z.string(), memory_type: z.string(), score: z.number() }).meta({ wire: 'object' })),
  count: z.int(),
  query: z.string(),
})

const answer = (args: string, found: readonly SearchHit[]): z.input<typeof output> => ({
  results: found.map(({ fact, score }) => ({ id: fact.id, content: fact.text, memory_type: toMemoryType(fact.kind), score: round(score) })),
  count: found.length,
  query: args,
})

export const search = operation({
  name: 'search',
  title: 'Search by meaning',
  description: 'Rank current memories by meaning only (cosine). To answer a question use recall.',
  effect: 'read',
  idempotent: true,
  positionals: ['query'],
  input,
  output,
  text: resultsText,
  run: async ({ context }, args) =>
    answer(
      args.query,
      await searchByMeaning(context, {
        text: args.query,
        limit: args.limit,
        owner: ownerToSearch(context, args.user_id),
        signal: context.signal,
      }),
    ),
})

export const searchText = operation({
  name: 'search_text',
  title: 'Search by words',
  description: 'Rank current memories by exact words, names or codes (BM25). Needs no model.',
  effect: 'read',
  idempotent: true,
  positionals: ['query'],
  input,
  output,
  text: resultsText,
  run: async ({ context }, args) =>
    answer(
      args.query,
      await searchByWords(context, {
        text: args.query,
        limit: args.limit,
        owner: ownerToSearch(context, args.user_id),
        signal: context.signal,
      }),
    ),
})
