import { type ContextOptions, type MemoryClient, recallContext, rememberTurn } from 'mneme/client'

export interface MiddlewareOptions extends Pick<ContextOptions, 'owner' | 'limit' | 'maxChars' | 'minRelevance' | 'effort'> {
  readonly session?: string
  /** False stores no turns; they are stored by default. */
  readonly remember?: boolean
  /** Receives errors of the memory; the model answers without it. */
  onError?(failure: unknown): void
}

type Part = { readonly type: string; readonly text?: unknown }
type Message = { readonly role: string; readonly content: string | readonly Part[] }
type System<M> = M & { role: 'system'; content: string }

interface Chunk {
  readonly type: string
  readonly delta?: unknown
}

const textOf = (parts: string | readonly Part[]): string =>
  typeof parts === 'string'
    ? parts
    : parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n')

function lastQuestion(prompt: readonly Message[]): string {
  const last = prompt.findLast(({ role }) => role === 'user')
  return last === undefined ? '' : textOf(last.content)
}

/** The last question, unless an earlier step of the same turn has answered it and stored both. */
function unansweredQuestion(prompt: readonly Message[]): string {
  const index = prompt.findLastIndex(({ role }) => role === 'user')
  const isAnswered = prompt.slice(index + 1).some(({ role, content }) => role === 'assistant' && textOf(content).trim() !== '')
  return isAnswered ? '' : lastQuestion(prompt)
}

/** True for the first step of a turn, false for steps after tool results. */
const isTurn = (prompt: readonly Message[]): boolean => prompt.at(-1)?.role === 'user'

/** Recalls before a call and stores the turn after it. If the memory fails, the model answers without it. */
export function createMiddleware(memory: MemoryClient, options: MiddlewareOptions = {}) {
  const { session, remember = true, onError, ...asked } = options
  const guarded = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (failure) {
      onError?.(failure)
      return undefined
    }
  }
  const keep = (prompt: readonly Message[], answer: string): Promise<void> | Promise<undefined> => {
    if (!remember || answer.trim() === '') return Promise.resolve(undefined)
    const place = { ...(asked.owner === undefined ? {} : { owner: asked.owner }), ...(session === undefined ? {} : { session }) }
    return guarded(() => rememberTurn(memory, unansweredQuestion(prompt), answer, place)).then(() => undefined)
  }
  return {
    async transformParams<P extends { prompt: M[]; abortSignal?: AbortSignal | undefined }, M extends Message>({
      params,
    }: {
      params: P & { prompt: M[] }
    }): Promise<P> {
      if (!isTurn(params.prompt)) return params
      const signal = params.abortSignal === undefined ? {} : { signal: params.abortSignal }
      const block = await guarded(() => recallContext(memory, lastQuestion(params.prompt), { ...asked, ...signal }))
      if (block === undefined) return params
      const system = { role: 'system', content: block } as System<M>
      return { ...params, prompt: [system, ...params.prompt] }
    },
    async wrapGenerate<R extends { content: readonly Part[] }>({
      doGenerate,
      params,
    }: {
      doGenerate: () => PromiseLike<R>
      params: { prompt: readonly Message[] }
    }): Promise<R> {
      const result = await doGenerate()
      await keep(params.prompt, textOf(result.content))
      return result
    },
    async wrapStream<C extends Chunk, R extends { stream: ReadableStream<C> }>({
      doStream,
      params,
    }: {
      doStream: () => PromiseLike<R & { stream: ReadableStream<C> }>
      params: { prompt: readonly Message[] }
    }): Promise<R> {
      const result = await doStream()
      let answer = ''
      const stream = result.stream.pipeThrough(
        new TransformStream<C, C>({
          transform(chunk, controller) {
            if (chunk.type === 'text-delta' && typeof chunk.delta === 'string') answer += chunk.delta
            controller.enqueue(chunk)
          },
          flush: () => keep(params.prompt, answer),
        }),
      )
      return { ...result, stream }
    },
  }
}
