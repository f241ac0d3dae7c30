import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import type { Outcome } from './metrics.js'
import type { EvalMemory } from './sets.js'

export const stored = z.object({ id: z.string() })
const hit = z.object({
  id: z.string(),
  content: z.string(),
  score: z.number(),
  vector_score: z.number().nullish(),
  bm25_score: z.number().nullish(),
  relevance: z.number().optional(),
  /** The same text stored again, shown as one result. */
  repeats: z.array(z.object({ id: z.string() })).optional(),
})
export const answered = z.object({ results: z.array(hit), confidence: z.number().optional(), notice: z.string().optional() })

export type Hit = z.infer<typeof hit>

/** Busy machines let models miss their deadline; asked again they mostly do not. */
const ATTEMPTS = 6

/** The answer, asked for again where a model had no part in it that should have. */
export async function whole(ask: () => Promise<unknown>): Promise<z.infer<typeof answered> & { readonly incomplete: boolean }> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = answered.parse(await ask())
    const incomplete = /not by meaning|not reranked/.test(answer.notice ?? '')
    if (!incomplete || attempt === ATTEMPTS) return { ...answer, incomplete }
    await delay(200 * attempt)
  }
}

/** Until no text waits for its vector. */
export async function untilEmbedded(status: () => Promise<unknown>): Promise<void> {
  const waiting = z.object({ embedding: z.object({ pending: z.number() }) })
  while (waiting.parse(await status()).embedding.pending > 0) await delay(200)
}

/** `fast` is recall without the reranker. */
export type Mode = 'lexical' | 'vector' | 'hybrid' | 'fast' | 'recall'

export interface Answer {
  readonly hits: readonly Hit[]
  readonly confidence: number | null
  readonly incomplete: boolean
  readonly milliseconds: number
}

export interface ServerUnderTest {
  store(memory: EvalMemory): Promise<string>
  settle(): Promise<void>
  ask(mode: Mode, query: string, pool: string, limit: number): Promise<Answer>
  close(): Promise<void>
}

export interface ServerSettings {
  readonly command: readonly string[]
  /** Overrides of the recall recipe, as the server reads them from its environment. */
  readonly recipe: Readonly<Record<string, unknown>> | null
}

export function argumentsFor(mode: Mode, query: string, pool: string, limit: number): { name: string; arguments: Record<string, unknown> } {
  const base = { query, limit, user_id: pool }
  switch (mode) {
    case 'lexical':
      return { name: 'search_text', arguments: base }
    case 'vector':
      return { name: 'search', arguments: base }
    case 'hybrid':
      return { name: 'recall', arguments: { ...base, vector_weight: 0.65, bm25_weight: 0.35, ppr_weight: 0, min_relevance: 0 } }
    case 'fast':
      return { name: 'recall', arguments: { ...base, min_relevance: 0, effort: 'fast' } }
    case 'recall':
      return { name: 'recall', arguments: { ...base, min_relevance: 0 } }
  }
}

/** A response in the ids of the set; a result that represents several memories takes one position. */
export function rankedBy(
  answer: Pick<Answer, 'hits' | 'confidence' | 'incomplete'>,
  ids: ReadonlyMap<string, readonly string[]>,
): Pick<Outcome, 'ranked' | 'lengths' | 'confidence' | 'relevances' | 'incomplete'> {
  const shown = answer.hits.slice(0, 10)
  return {
    ranked: answer.hits.flatMap((one) => [one, ...(one.repeats ?? [])].flatMap(({ id }) => ids.get(id) ?? [])),
    lengths: shown.map((one) => one.content.length),
    confidence: answer.confidence,
    relevances: shown.map((one) => one.relevance ?? 1),
    incomplete: answer.incomplete,
  }
}

export function metadataOf(memory: EvalMemory): Record<string, string> {
  const fields = { session: memory.session, author: memory.author, title: memory.title, date: memory.date }
  return Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => (value === null ? [] : [[key, value]])))
}

/** Starts one server over stdio and speaks to it as an agent would: through its tools only. */
export async function startServer(settings: ServerSettings): Promise<ServerUnderTest> {
  const [command = process.execPath, ...args] = settings.command
  const env = getDefaultEnvironment()
  if (settings.recipe !== null) env.MNEME_RECIPE = JSON.stringify(settings.recipe)
  const client = new Client({ name: 'quality-bench', version: '1' })
  await client.connect(new StdioClientTransport({ command, args, env: { ...env, MNEME_LOG_LEVEL: 'error', MNEME_SHARED: 'off' } }))

  const call = async (name: string, input: Record<string, unknown>): Promise<unknown> => {
    const result = await client.callTool({ name, arguments: input }, { timeout: 300_000 })
    const [block] = result.content
    const text = block?.type === 'text' ? block.text : ''
    if (result.isError) throw new Error(`${name}: ${text}`)
    return result.structuredContent ?? JSON.parse(text)
  }

  /** The first questions may meet a model that is still loading; that answer is documented and worth a retry. */
  const patiently = async (name: string, input: Record<string, unknown>): Promise<unknown> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call(name, input)
      } catch (error) {
        if (attempt >= 60 || !(error instanceof Error) || !error.message.includes('not ready')) throw error
        await delay(500)
      }
    }
  }

  return {
    async store(memory) {
      const value = await call('store_memory', { content: memory.content, user_id: memory.pool, metadata: metadataOf(memory) })
      return stored.parse(value).id
    },
    settle: () => untilEmbedded(() => call('get_status', {})),
    async ask(mode, query, pool, limit) {
      const request = argumentsFor(mode, query, pool, limit)
      let milliseconds = 0
      const { results, confidence, incomplete } = await whole(async () => {
        const start = performance.now()
        const value = await patiently(request.name, request.arguments)
        milliseconds = performance.now() - start
        return value
      })
      return { hits: results, confidence: confidence ?? null, incomplete, milliseconds }
    },
    close: () => client.close(),
  }
}
