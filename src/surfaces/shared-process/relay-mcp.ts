import type { Readable, Writable } from 'node:stream'

const NEWLINE = 0x0a
/** Longer lines are forwarded but not kept for a repeat. */
const MAX_KEPT_BYTES = 256 * 1024
const MAX_KEPT_TOTAL_BYTES = 8 * 1024 * 1024
/** Longer lines are forwarded in pieces. */
const MAX_HELD_BYTES = 8 * 1024 * 1024

type Member = Readonly<Record<string, unknown>>

/** A connection to a server: the shared process, or a server in this process. */
export interface Upstream {
  readonly output: Writable
  readonly input: Readable
  /** Read-only tools. */
  readonly reads: ReadonlySet<string>
}

interface RelayOptions {
  readonly input: Readable
  readonly output: Writable
  readonly first: Upstream
  /** Another upstream after a loss; never fails, because this process can serve by itself. */
  next(): Promise<Upstream>
}

interface PendingRequest {
  readonly line: Buffer | undefined
  readonly canRepeat: boolean
}

/**
 * Forwards the lines of an MCP client. When the server is lost, the handshake is repeated with the next one, and so are calls that only
 * read or have an idempotency key; other calls return an unknown outcome. Resolves when the client has disconnected and its calls are
 * answered.
 */
export function relayMcp({ input, output, first, next }: RelayOptions): Promise<void> {
  const pending = new Map<unknown, PendingRequest>()
  const handshake: Buffer[] = []
  /** Ids whose responses the client already has. */
  const swallowed = new Set<unknown>()
  let keptBytes = 0
  let upstream = first
  let isChanging = false
  let hasEnded = false
  let lossesAfterEnd = 0

  return new Promise((resolve) => {
    const fromClient = splitLines((line) => {
      note(line)
      if (!isChanging && !upstream.output.write(line)) {
        input.pause()
        upstream.output.once('drain', () => input.resume())
      }
    })
    input.on('data', fromClient.take)
    for (const event of ['end', 'close', 'error'])
      input.once(event, () => {
        if (hasEnded) return
        hasEnded = true
        fromClient.finish()
        if (!isChanging) upstream.output.end()
      })
    for (const event of ['close', 'error']) output.once(event, () => resolve())
    attach(first)

    function attach(to: Upstream): void {
      let isLost = false
      const lines = splitLines((line) => {
        if (settle(line) && !output.write(line)) {
          to.input.pause()
          output.once('drain', () => to.input.resume())
        }
      })
      const lost = (): void => {
        if (isLost) return
        isLost = true
        // After the client has closed its end, its calls are repeated only once.
        if (hasEnded && (pending.size === 0 || ++lossesAfterEnd > 1)) resolve()
        else void change()
      }
      to.input.on('data', lines.take)
      for (const event of ['end', 'close', 'error']) to.input.once(event, lost)
      to.output.on('error', lost)
      to.input.resume()
    }

    async function change(): Promise<void> {
      isChanging = true
      input.pause()
      upstream = await next()
      isChanging = false
      attach(upstream)
      for (const line of handshake) {
        const { id } = memberOf(parsed(line))
        if (id !== undefined && !pending.has(id)) swallowed.add(id)
        upstream.output.write(line)
      }
      for (const id of [...pending.keys()]) repeat(id)
      if (hasEnded) upstream.output.end()
      else input.resume()
    }
  })

  function note(line: Buffer): void {
    const message = parsed(line)
    // The calls of a batch have one response: they are tracked, but not repeated.
    if (Array.isArray(message)) for (const member of message) track(memberOf(member), undefined)
    else if (message !== undefined) track(message, line)
  }

  function track(message: Member, line: Buffer | undefined): void {
    const { id, method } = message
    if (method === 'notifications/initialized' && line !== undefined) handshake.push(line)
    if (method === 'notifications/cancelled') drop(memberOf(message.params).requestId)
    // A subscription stays open with the connection, so no response is due.
    if (id === undefined || id === null || typeof method !== 'string' || method === 'subscriptions/listen') return
    if (method === 'initialize' && line !== undefined) handshake.splice(0, handshake.length, line)
    const keeps = line !== undefined && line.length <= MAX_KEPT_BYTES && keptBytes + line.length <= MAX_KEPT_TOTAL_BYTES
    if (keeps) keptBytes += line.length
    pending.set(id, { line: keeps ? line : undefined, canRepeat: keeps && isRepeatable(message, upstream.reads) })
  }

  /** False for a response that the client already has. */
  function settle(line: Buffer): boolean {
    const message = parsed(line)
    if (Array.isArray(message)) for (const member of message) drop(memberOf(member).id)
    if (message === undefined || Array.isArray(message) || message.method !== undefined || message.id === undefined) return true
    const isPending = pending.has(message.id)
    drop(message.id)
    return isPending || !swallowed.delete(message.id)
  }

  function drop(id: unknown): void {
    keptBytes -= pending.get(id)?.line?.length ?? 0
    pending.delete(id)
  }

  function repeat(id: unknown): void {
    const call = pending.get(id)
    if (call === undefined) return
    const isHandshake = handshake.some((line) => line === call.line)
    if (isHandshake) return
    if (call.line !== undefined && call.canRepeat) {
      upstream.output.write(call.line)
      return
    }
    drop(id)
    output.write(`${JSON.stringify(toUnknownOutcome(id))}\n`)
  }
}

const UNKNOWN_OUTCOME =
  'The shared process ended during this call: whether it took effect is unknown.\nRead what is stored before you repeat it, or repeat it with the same idempotency_key if it had one.'

const toUnknownOutcome = (id: unknown): Member => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: UNKNOWN_OUTCOME }], isError: true },
})

function isRepeatable({ method, params }: Member, reads: ReadonlySet<string>): boolean {
  if (method !== 'tools/call') return true
  const { name, arguments: args } = memberOf(params)
  return (typeof name === 'string' && reads.has(name)) || typeof memberOf(args).idempotency_key === 'string'
}

const memberOf = (value: unknown): Member => (typeof value === 'object' && value !== null ? { ...value } : {})

function parsed(line: Buffer): Member | unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    if (Array.isArray(value)) return value
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    // The server reports the invalid line.
    return undefined
  }
}

/** Complete lines with their ends; very long ones in pieces. */
function splitLines(receive: (line: Buffer) => void): { take(chunk: Buffer): void; finish(): void } {
  let parts: Buffer[] = []
  let size = 0
  const flush = (): void => {
    if (parts.length > 0) receive(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts))
    parts = []
    size = 0
  }
  const hold = (part: Buffer): void => {
    parts.push(part)
    size += part.length
  }
  return {
    take(chunk) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        hold(chunk.subarray(from, at + 1))
        flush()
        from = at + 1
      }
      if (from < chunk.length) hold(chunk.subarray(from))
      if (size > MAX_HELD_BYTES) flush()
    },
    finish: flush,
  }
}
