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
  /** Owner of the memories of a user; `app/user` by default. */
  readonly ownerOf?: (appName: string, userId: string) => string
  readonly limit?: number
}

/** Without a slash, so that no two pairs of app and user have the same owner. */
const encode = (app: string): string => app.replaceAll('%', '%25').replaceAll('/', '%2F')

const textOf = ({ content }: SessionEvent): string =>
  (content?.parts ?? [])
    .flatMap(({ text }) => text ?? [])
    .join('\n')
    .trim()

/** Stores one memory per event with text. A session that is added again within 24 hours adds only new events. */
export function createMemoryService(memory: MemoryClient, options: MemoryServiceOptions = {}) {
  const { ownerOf = (app: string, user: string) => `${encode(app)}/${user}`, limit = 10 } = options
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
