import { type ContextOptions, type MemoryClient, recallContext, rememberTurn } from 'mneme/client'

export interface TurnsOptions extends ContextOptions {
  /** Receives errors of the memory; the agent answers without it. */
  readonly onFailure?: (failure: unknown) => void
}

/** Prompts kept for turns that have not ended; sessions that never stop are evicted. */
const MAX_OPEN = 1000

/** Recalls when a turn of a conversation begins and captures when it ends. */
export function createTurns(memory: MemoryClient, { onFailure, ...options }: TurnsOptions = {}) {
  const prompts = new Map<string, string>()
  const guarded = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (failure) {
      onFailure?.(failure)
      return undefined
    }
  }
  return {
    /** Memories for a prompt. */
    begin(session: string, prompt: string): Promise<string | undefined> {
      prompts.delete(session)
      prompts.set(session, prompt)
      const [oldest] = prompts.keys()
      if (prompts.size > MAX_OPEN && oldest !== undefined) prompts.delete(oldest)
      return guarded(() => recallContext(memory, prompt, options))
    },
    async end(session: string, answer: string): Promise<void> {
      const prompt = prompts.get(session)
      prompts.delete(session)
      if (prompt === undefined || (prompt.trim() === '' && answer.trim() === '')) return
      await guarded(() =>
        rememberTurn(memory, prompt, answer, { ...(options.owner === undefined ? {} : { owner: options.owner }), session }),
      )
    },
  }
}
