import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { isJSONRPCNotification, isJSONRPCRequest, parseJSONRPCMessage } from '@modelcontextprotocol/server'
import { BAD_HANDSHAKE, isBadHandshake, tolerateNullArguments } from './server.js'

const MAX_LINE_BYTES = 64 * 1024 * 1024
/** Limit of concurrent requests; further ones stay unread. */
const MAX_PENDING = 64
/** Limit of unread input. Reading continues up to this limit, because only a reader notices that the client has closed its end. */
const MAX_HELD = 4 * 1024 * 1024
const NEWLINE = 0x0a

/** A batch has one response, sent when all its requests are done. */
interface Batch {
  readonly awaited: Set<RequestId>
  readonly answers: unknown[]
}

/**
 * JSON lines over two streams. Unlike the SDK's stdio transport, it responds to invalid or oversized lines, finishes received requests at
 * the end of input, and applies backpressure to fast clients.
 */
export class LineTransport implements Transport {
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  onmessage: (<T extends JSONRPCMessage>(message: T) => void) | undefined
  private readonly pending = new Set<RequestId>()
  private readonly batches = new Set<Batch>()
  private readonly waiting: (() => void)[] = []
  private held: Buffer[] = []
  private heldBytes = 0
  private chunks: Buffer[] = []
  private size = 0
  private writing = 0
  private skipping = false
  private ended = false
  private stopped = false
  private closed = false

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly largestLine: number = MAX_LINE_BYTES,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', this.receive)
    this.input.once('end', () => {
      this.ended = true
      this.advance()
    })
  }

  /** Reads no further input; requests already read may still be answered. */
  stop(): void {
    this.stopped = true
    this.input.off('data', this.receive)
    this.input.pause()
    this.held = []
    this.heldBytes = 0
  }

  /** Resolves once every received request has been answered and written. */
  async whenAnswered(): Promise<void> {
    while (!this.closed && this.pending.size + this.writing + this.held.length > 0)
      await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const id = 'id' in message && !('method' in message) ? message.id : undefined
    const batch = id === undefined ? undefined : [...this.batches].find((candidate) => candidate.awaited.has(id))
    if (id !== undefined) this.pending.delete(id)
    if (id === undefined || batch === undefined) return this.write(message)
    batch.awaited.delete(id)
    batch.answers.push(message)
    return this.finishBatch(batch)
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    this.stop()
    this.wake()
    this.onclose?.()
  }

  private readonly receive = (chunk: Buffer): void => {
    this.held.push(chunk)
    this.heldBytes += chunk.length
    this.advance()
    if (this.heldBytes > MAX_HELD) this.input.pause()
  }

  /** Reads lines while their responses can be written; every written response continues it. */
  private advance(): void {
    while (this.pending.size < MAX_PENDING && !this.output.writableNeedDrain) {
      const chunk = this.held.shift()
      if (chunk === undefined) break
      const end = chunk.indexOf(NEWLINE)
      const taken = end < 0 ? chunk.length : end + 1
      this.heldBytes -= taken
      if (taken < chunk.length) this.held.unshift(chunk.subarray(taken))
      this.append(end < 0 ? chunk : chunk.subarray(0, end))
      if (end >= 0) this.takeLine()
    }
    if (this.held.length > 0) return
    // The last line may lack its newline.
    if (this.ended) this.takeLine()
    else if (!this.stopped && this.input.isPaused()) this.input.resume()
  }

  private append(part: Buffer): void {
    this.size += part.length
    if (this.size > this.largestLine) {
      this.skipping = true
      this.chunks = []
    }
    if (!this.skipping && part.length > 0) this.chunks.push(part)
  }

  private takeLine(): void {
    const line = textOf(Buffer.concat(this.chunks))?.trim()
    const skipped = this.skipping
    this.chunks = []
    this.size = 0
    this.skipping = false
    if (skipped) this.refuse(-32600, `Message refused: a line may hold at most ${this.largestLine} bytes`)
    else if (line === undefined) this.refuse(-32700, 'Parse error: the line is not valid UTF-8')
    else if (line !== '') this.takeText(line)
  }

  private takeText(line: string): void {
    const value = parse(line)
    if (value === undefined) this.refuse(-32700, 'Parse error: the line is not valid JSON')
    else if (!Array.isArray(value)) this.accept(value)
    else if (value.length === 0) this.refuse(-32600, 'Invalid request: empty batch')
    else {
      const batch: Batch = { awaited: new Set(), answers: [] }
      this.batches.add(batch)
      for (const part of value) this.accept(part, batch)
      void this.finishBatch(batch)
    }
  }

  private accept(value: unknown, batch?: Batch): void {
    const message = parseMessage(value)
    if (message === undefined) {
      this.refuse(-32600, 'Invalid request: not a JSON-RPC 2.0 message', { id: idOf(value), batch })
      return
    }
    if (isBadHandshake(message)) {
      this.refuse(-32602, BAD_HANDSHAKE, { id: idOf(message), batch })
      return
    }
    // A subscription stays open with the connection, so no response is awaited.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') {
      this.pending.add(message.id)
      batch?.awaited.add(message.id)
    }
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') this.forget(message.params?.requestId)
    this.onmessage?.(message)
  }

  /** A cancelled request is never answered. */
  private forget(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    this.pending.delete(id)
    for (const batch of this.batches) {
      if (batch.awaited.delete(id)) void this.finishBatch(batch)
    }
    this.wake()
  }

  private refuse(code: number, message: string, from: { readonly id?: RequestId | null; readonly batch?: Batch | undefined } = {}): void {
    const answer = { jsonrpc: '2.0', id: from.id ?? null, error: { code, message } }
    if (from.batch === undefined) void this.write(answer)
    else from.batch.answers.push(answer)
  }

  private async finishBatch(batch: Batch): Promise<void> {
    if (batch.awaited.size > 0 || !this.batches.delete(batch)) return
    if (batch.answers.length > 0) await this.write(batch.answers)
  }

  private write(value: unknown): Promise<void> {
    if (this.closed) return Promise.resolve()
    this.writing++
    return new Promise((resolve) => {
      this.output.write(`${JSON.stringify(value)}\n`, () => {
        this.writing--
        this.advance()
        this.wake()
        resolve()
      })
    })
  }

  private wake(): void {
    for (const resume of this.waiting.splice(0)) resume()
  }
}

/** `undefined` for invalid UTF-8, which must not be stored with replacement characters. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** `undefined`, which is no JSON value, for invalid JSON. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function parseMessage(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(tolerateNullArguments(value))
  } catch {
    return undefined
  }
}

function idOf(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null
}
