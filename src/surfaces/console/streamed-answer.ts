import type { Dispatch, Invocation } from '../host.js'
import { failureBody } from '../http/failures.js'

/** Lines of JSON: `{"progress"}` during the work, `{"text"}` for its output, then `{"answer"}` or `{"error"}`. */
const LINES_TYPE = 'application/x-ndjson'

export const wantsStream = (headers: Headers): boolean => headers.get('accept') === LINES_TYPE

export function answerAsStream(dispatch: Dispatch, call: Omit<Invocation, 'progress'>): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  const send = (line: unknown): Promise<void> => writer.write(encoder.encode(`${JSON.stringify(line)}\n`)).catch(() => undefined)
  void dispatch
    .invoke({
      ...call,
      progress: (done, total, message) => void send({ progress: { done, total, message } }),
      pipe: { write: (text) => send({ text }), lines: nothing },
    })
    .then(async (outcome) => {
      await send(outcome.ok ? { answer: outcome.answer } : failureBody(outcome.error))
      await writer.close().catch(() => undefined)
    })
  return new Response(readable, { headers: { 'Content-Type': LINES_TYPE, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' } })
}

async function* nothing(): AsyncGenerator<string> {}
