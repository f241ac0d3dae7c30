import type { MemoryEvent } from './event-stream.js'

/** Where calls of tools go: a server, or an engine in the same process. */
export interface Transport {
  call(contract: string, tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal | undefined): Promise<unknown>
  /** Changes as they are committed, after the event with that id or from now on. */
  events?(after: string | undefined, signal: AbortSignal | undefined): AsyncIterableIterator<MemoryEvent>
  serverVersion?(): Promise<string>
  close?(): Promise<void>
}
