import { MemoryError } from '../errors.js'

/** A change of the memory by any process. */
export interface MemoryEvent {
  /** Pass it as `after` to resume after a disconnect. */
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
}

const MAX_EVENT_CHARS = 16 * 1024 * 1024

/** Parses a `text/event-stream`. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<MemoryEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      if (text.length > MAX_EVENT_CHARS) throw new MemoryError('too_large', `An event is larger than ${MAX_EVENT_CHARS} characters.`)
      for (const message of messages) {
        const event = toEvent(message)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Undefined for comments and retry intervals. An `ended` event is an error. */
function toEvent(message: string): MemoryEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of message.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon), `${fields.get(line.slice(0, colon)) ?? ''}${line.slice(colon + 1).trimStart()}`)
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  const parsed: unknown = JSON.parse(data)
  const row = typeof parsed === 'object' && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : {}
  if (fields.get('event') === 'ended')
    throw new MemoryError('unavailable', typeof row.message === 'string' ? row.message : 'The stream has ended.')
  return { id: fields.get('id') ?? '', data: row }
}
