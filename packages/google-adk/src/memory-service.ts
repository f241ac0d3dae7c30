import type { MemoryClient } from 'mneme/client'

interface Part {
  readonly text?: string | undefined
}

interface SessionEvent {
  readonly id?: string
  readonly author?: string | undefined
  readonly timestamp?: number
  readonly content?: { readonly role?: string | undefined; readonly parts?: readonly Part[] | undefined } | undefined
}

interface Conversation {
  readonly id: string
  readonly appName: string
  readonly userId: string
  readonly events: readonly SessionEvent[]
}

export interface MemoryServiceOptions {
  /** Whose memories a user of an app has; `app/user` unless given. */
  readonly ownerOf?: (appName: string, userId: string) => string
  readonly limit?: number
}

const textOf = ({ content }: SessionEvent): string =>
  (content?.parts ?? [])
    .flatMap(({ text }) => text ?? [])
    .join('\n')
    .trim()

/** Sessions as memories, one per event with words; a session that is added again adds only what is new. */
export function createMemoryService(memory: MemoryClient, options: MemoryServiceOptions = {}) {
  const { ownerOf = (app: string, user: string) => `${app}/${user}`, limit = 10 } = options
  return {
    async addSessionToMemory({ id, appName, userId, events }: Conversation): Promise<void> {
      const owner = ownerOf(appName, userId)
      for (const [index, event] of events.entries()) {
        const text = textOf(event)
        if (text === '') continue
        const author = event.author ?? event.content?.role ?? 'user'
        await memory.add([{ role: event.content?.role ?? 'user', content: text, name: author }], {
          owner,
          session: id,
          idempotencyKey: `adk:${id}:${event.id ?? index}`.slice(0, 240),
          ...(event.timestamp === undefined ? {} : { eventTime: new Date(event.timestamp) }),
        })
      }
    },
    async searchMemory({ appName, userId, query }: { appName: string; userId: string; query: string }) {
      if (query.trim() === '') return { memories: [] }
      const { results } = await memory.recall(query, { owner: ownerOf(appName, userId), limit })
      return {
        memories: results.map(({ text, author, date }) => ({
          content: { role: author === 'model' ? 'model' : 'user', parts: [{ text }] },
          ...(author === null ? {} : { author }),
          ...(date === null ? {} : { timestamp: date }),
        })),
      }
    },
  }
}
