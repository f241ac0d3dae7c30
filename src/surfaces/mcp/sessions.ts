import { MemoryError } from '../../errors.js'

const IDLE_MS = 30 * 60_000
/** A session used within this time counts as active. */
const RECENT_MS = 5 * 60_000
const MAX_SESSIONS = 1000
/** One key may use a quarter of the sessions, so that it cannot exclude others. */
const KEYS_TO_FILL = 4

interface Closable {
  close(): Promise<void>
}

interface Session<T> {
  readonly transport: T
  /** The key of the session; undefined without authentication. */
  readonly holder: string | undefined
  /** Open streams and running calls. */
  busy: number
  /** True after a request other than the handshake. */
  used: boolean
  usedAt: number
}

/** The sessions of one endpoint. New sessions never end active ones. */
export interface Sessions<T> {
  add(id: string, transport: T, holder?: string): void
  get(id: string): T | undefined
  delete(id: string): void
  all(): readonly T[]
  /**
   * Marks a session as in use until the response is sent or its reader disconnects; `asks` distinguishes requests from the last message of
   * the handshake.
   */
  track(id: string, isRequest: boolean, response: Promise<Response>): Promise<Response>
  /** Ends idle sessions. Throws if all sessions, or all that a holder may have, are in use. */
  makeRoom(holder?: string): void
}

const noRoom = (whose: 'server' | 'key', retryAfterSeconds: number): MemoryError =>
  new MemoryError('unavailable', `All sessions of this ${whose} are in use.`, { hint: 'End one, or try again later.', retryAfterSeconds })

export function createSessions<T extends Closable>(most = MAX_SESSIONS, now: () => number = () => performance.now()): Sessions<T> {
  const sessions = new Map<string, Session<T>>()

  const close = (id: string, { transport }: Session<T>): void => {
    sessions.delete(id)
    void transport.close()
  }

  type Kept = readonly [string, Session<T>]

  /** Unused sessions first: a thousand of them must not end a used one. */
  const giveUpOne = (idle: readonly Kept[], whose: 'server' | 'key'): void => {
    const spare =
      idle.find(([id, session]) => sessions.has(id) && !session.used) ??
      idle.find(([id, session]) => sessions.has(id) && now() - session.usedAt > RECENT_MS)
    if (spare === undefined) {
      const oldest = idle[0]?.[1].usedAt ?? now()
      throw noRoom(whose, Math.max(1, Math.ceil((oldest + RECENT_MS - now()) / 1000)))
    }
    close(...spare)
  }

  return {
    add: (id, transport, holder) => void sessions.set(id, { transport, holder, busy: 0, used: false, usedAt: now() }),
    get: (id) => sessions.get(id)?.transport,
    delete: (id) => void sessions.delete(id),
    all: () => [...sessions.values()].map(({ transport }) => transport),
    async track(id, isRequest, response) {
      const session = sessions.get(id)
      if (session === undefined) return response
      session.busy++
      session.used ||= isRequest
      session.usedAt = now()
      const release = (): void => {
        session.busy--
        session.usedAt = now()
      }
      try {
        return untilRead(await response, release)
      } catch (error) {
        release()
        throw error
      }
    },
    makeRoom(holder) {
      const idle = [...sessions].filter(([, session]) => session.busy === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt)
      for (const [id, session] of idle) if (now() - session.usedAt > IDLE_MS) close(id, session)
      const isMine = ([, session]: Kept): boolean => holder !== undefined && session.holder === holder
      if ([...sessions].filter(isMine).length >= Math.ceil(most / KEYS_TO_FILL)) giveUpOne(idle.filter(isMine), 'key')
      if (sessions.size >= most) giveUpOne(idle, 'server')
    },
  }
}

/** The same response with a callback at its end or when its reader disconnects. */
export function untilRead(response: Response, onRead: () => void): Response {
  if (response.body === null) {
    onRead()
    return response
  }
  const reader = response.body.getReader()
  let over = false
  const end = (): void => {
    if (!over) onRead()
    over = true
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          end()
          controller.close()
        } catch (error) {
          end()
          controller.error(error)
        }
      },
      async cancel(reason) {
        end()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}
