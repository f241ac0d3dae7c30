import type { EventStream } from '../contracts/event-stream.js'
import { authorise, type Principal } from '../contracts/operation.js'
import { toMemoryError } from '../errors.js'
import type { Host } from './host.js'
import type { Log } from './log.js'

/** A periodic comment line, so that proxies keep the stream open. */
const HEARTBEAT_MS = 15_000
/** A busy stream asks this often whether its client may still read it. */
const CHECK_MS = 1000

interface StreamRequest {
  readonly host: Host
  readonly log: Log
  readonly stream: EventStream
  readonly principal: Principal
  /** Id of the last event that the client received. */
  readonly after: string | undefined
  readonly signal: AbortSignal
  /** Rejects once the client loses access. */
  stillAllowed(): Promise<unknown>
  /** Ends the stream when the server stops. */
  readonly stopping: AbortSignal
}

/** Server-sent events of a contract, read at the speed of the client, so that a slow client uses no memory. */
export async function serveEvents(request: StreamRequest): Promise<Response> {
  const { host, stream, principal, after, log } = request
  const allowed = authorise(principal, stream, {})
  const ended = new AbortController()
  const end = (): void => ended.abort()
  // No listener on `stopping`, which outlives every stream.
  const stop = AbortSignal.any([request.signal, request.stopping, ended.signal])
  const engine = await host.engine()
  const context = engine.context({ principal: allowed, signal: stop })
  const events = stream.open(context, after)[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let heartbeat: NodeJS.Timeout | undefined
  let checkedAt = Date.now()
  /** The next events, unless the client has lost its access while they were on their way. */
  const allowedNext = async () => {
    const next = await events.next()
    if (next.done === true || Date.now() - checkedAt < CHECK_MS) return next
    checkedAt = Date.now()
    const isAllowed = await request.stillAllowed().then(
      () => true,
      () => false,
    )
    if (isAllowed) return next
    end()
    return { done: true as const, value: undefined }
  }
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode('retry: 2000\n\n'))
      heartbeat = setInterval(() => {
        request.stillAllowed().then(
          () => !stop.aborted && controller.enqueue(encoder.encode(': alive\n\n')),
          (failure: unknown) => {
            if (stop.aborted) return
            controller.enqueue(encoder.encode(`event: ended\ndata: ${JSON.stringify({ message: toMemoryError(failure).message })}\n\n`))
            end()
          },
        )
      }, HEARTBEAT_MS)
    },
    async pull(controller) {
      const next = await allowedNext().catch((failure: unknown) => {
        if (!stop.aborted) log.warn('An event stream has failed', { failure: toMemoryError(failure).message })
        return { done: true as const, value: undefined }
      })
      if (next.done !== true) return controller.enqueue(encoder.encode(next.value.map(toMessage).join('')))
      clearInterval(heartbeat)
      controller.close()
    },
    async cancel() {
      clearInterval(heartbeat)
      end()
      await events.return?.(undefined)
    },
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

const toMessage = ({ id, data }: { readonly id: string; readonly data: unknown }): string => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`
