import { type ContextOptions, type MemoryClient, recallContext, rememberTurn } from 'mneme/client'

export interface ProcessorOptions extends Pick<ContextOptions, 'owner' | 'limit' | 'maxChars' | 'minRelevance' | 'effort'> {
  readonly session?: string
  /** Whether turns are kept; they are unless this is false. */
  readonly remember?: boolean
  /** Hears of memories that could not be reached; the agent answers all the same. */
  onError?(failure: unknown): void
}

export interface Message {
  readonly role: string
  readonly content: unknown
}

type Row = Readonly<Record<string, unknown>>
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** Messages hold text, or parts with text. */
function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  const parts = isRow(content) && Array.isArray(content.parts) ? content.parts : Array.isArray(content) ? content : []
  return parts
    .flatMap((part: unknown) => (isRow(part) && part.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('\n')
}

const lastOf = (messages: readonly Message[], role: string): string => {
  const last = messages.findLast((message) => message.role === role)
  return last === undefined ? '' : textOf(last)
}

/** Recalls before a call and keeps the turn after it. A memory that cannot be reached does not stop the agent. */
export function createProcessor(memory: MemoryClient, options: ProcessorOptions = {}) {
  const { session, remember = true, onError, ...asked } = options
  const place = { ...(asked.owner === undefined ? {} : { owner: asked.owner }), ...(session === undefined ? {} : { session }) }
  return {
    id: 'mneme' as const,
    async processInput<M extends Message, S>({ messages, systemMessages }: { messages: M[]; systemMessages: S[] }) {
      try {
        const block = await recallContext(memory, lastOf(messages, 'user'), asked)
        const system = block === undefined ? [] : [{ role: 'system' as const, content: block }]
        return { messages, systemMessages: [...systemMessages, ...system] }
      } catch (failure) {
        onError?.(failure)
        return { messages, systemMessages }
      }
    },
    async processOutputResult<M extends Message>({
      messages,
      messageList,
    }: {
      messages: M[]
      messageList?: { get: { all: { db(): M[] } } }
    }): Promise<M[]> {
      try {
        const all = messageList?.get.all.db() ?? messages
        if (remember) await rememberTurn(memory, lastOf(all, 'user'), lastOf(messages, 'assistant'), place)
      } catch (failure) {
        onError?.(failure)
      }
      return messages
    },
  }
}
