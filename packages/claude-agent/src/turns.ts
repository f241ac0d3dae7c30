import { type ContextOptions, type MemoryClient, recallContext, rememberTurn } from 'mneme/client'

export interface TurnsOptions extends ContextOptions {
  /** Receives failures of the memory; the agent answers without it. */
  readonly onFailure?: (failure: unknown) => void
}

/** Prompts of open turns: a session that never stops must not keep them all. */
const MAX_OPEN = 1000

/** Turns of the conversations of an agent: recall when one begins, capture when it ends. */
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
    /** What is remembered about a prompt. */
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
