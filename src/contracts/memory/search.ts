import { z } from 'zod'
import { type Found, searchByMeaning, searchByWords } from '../../engine/recall.js'
import { operation } from '../operation.js'
import { given, limitOf, round, userId } from './shapes.js'

const input = z.strictObject({ query: z.string().min(1, { error: 'must not be empty' }), limit: limitOf(10, 50), user_id: userId })

const output = z.object({
  results: z.array(z.object({ id: z.string(), content: z.string(), memory_type: z.string(), score: z.number() })),
  count: z.int(),
  query: z.string(),
})

const answer = (query: string, found: readonly Found[]): z.input<typeof output> => ({
  results: found.map(({ fact, score }) => ({ id: fact.id, content: fact.text, memory_type: fact.kind, score: round(score) })),
  count: found.length,
  query,
})

export const search = operation({
  name: 'search',
  title: 'Search by meaning',
  description: 'Current memories closest in meaning (cosine).',
  effect: 'read',
  idempotent: true,
  positionals: ['query'],
  input,
  output,
  run: async ({ engine, signal }, { query, limit, user_id }) => answer(query, await searchByMeaning(engine, { text: query, limit, owner: given(user_id), signal })),
})

export const searchText = operation({
  name: 'search_text',
  title: 'Search by words',
  description: 'Current memories that hold the words (BM25). Needs no model.',
  effect: 'read',
  idempotent: true,
  positionals: ['query'],
  input,
  output,
  run: async ({ engine, signal }, { query, limit, user_id }) => answer(query, await searchByWords(engine, { text: query, limit, owner: given(user_id), signal })),
})
