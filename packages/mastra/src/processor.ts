import { type ContextOptions, type MemoryClient, recallContext, rememberTurn } from 'mneme/client'

export interface ProcessorOptions extends Pick<ContextOptions, 'owner' | 'limit' | 'maxChars' | 'minRelevance' | 'effort'> {
  readonly session?: string
  /** False stores no turns; they are stored by default. */
  readonly remember?: boolean
  /** Receives errors of the memory; the agent answers without it. */
  onError?(failure: unknown): void
}

export interface Message {
  readonly role: string
  readonly content: unknown
}

type Row = Readonly<Record<string, unknown>>
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** Messages contain text, or parts with text. */
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

/** Recalls before a call and stores the turn after it. If the memory fails, the agent answers without it. */
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
