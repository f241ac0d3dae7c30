import { createHttpTransport, type HttpOptions } from './http-transport.js'
import { createMemoryClient, type Defaults, type MemoryClient } from './memory-client.js'
import type { Transport } from './transport.js'

export { type ErrorCode, MemoryError } from '../errors.js'
export { type ContextOptions, recallContext, rememberTurn, type TurnOptions, withoutContext } from './conversation.js'
export { type Documents, type FoundDocument, openDocuments, type StoredDocument } from './documents.js'
export type { HttpOptions } from './http-transport.js'
export type * from './memory-client.js'
export { CLIENT_VERSION, type Tools } from './operations.js'

export interface ConnectOptions extends HttpOptions, Defaults {}

/** An engine in the same process, as `openMemory` of `mneme` returns it for settings. */
export type InProcess = Pick<Transport, 'call' | 'events'>

/** The client of a server, or of an engine in this process, which its owner closes. */
export function connect(target: string | URL | InProcess, options: ConnectOptions = {}): MemoryClient {
  const inProcess = typeof target === 'object' && 'call' in target
  return createMemoryClient(inProcess ? withoutClose(target) : createHttpTransport(String(target), options), options)
}

function withoutClose(engine: InProcess): InProcess {
  const events = engine.events?.bind(engine)
  return { call: engine.call.bind(engine), ...(events === undefined ? {} : { events }) }
}
