import type { MemoryClient } from 'mneme/client'

export interface ToolOptions {
  readonly memory: MemoryClient
  /** The owner of the client by default. */
  readonly owner?: string
  readonly session?: string
  readonly limit?: number
}

const call = ({ owner }: ToolOptions, signal: AbortSignal | undefined) => ({
  ...(owner === undefined ? {} : { owner }),
  ...(signal === undefined ? {} : { signal }),
})

export async function runRecall(options: ToolOptions, query: string, signal?: AbortSignal) {
  const { results, notice } = await options.memory.recall(query, { ...call(options, signal), limit: options.limit ?? 8 })
  return { results: results.map(({ id, text, date, relevance, stale }) => ({ id, text, date, relevance, stale })), notice }
}

export async function runRemember(options: ToolOptions, text: string, signal?: AbortSignal) {
  const session = options.session === undefined ? {} : { session: options.session }
  const [added] = await options.memory.add(text, { ...call(options, signal), ...session })
  return { id: added?.id ?? null }
}

export const runForget = async (options: ToolOptions, id: string, signal?: AbortSignal) => ({
  deleted: await options.memory.delete(id, call(options, signal)),
})
