import type { Answer, Call, Contract, Operation } from '../contracts/operation.js'
import { MemoryError, toMemoryError } from '../errors.js'
import type { Log } from './log.js'

/** What every surface serves. */
export interface Host {
  readonly version: string
  /** Static lists in profile order: available before any database is open. */
  readonly contracts: readonly Contract[]
  /** Opens on first need. Rejects with a `MemoryError` when the store cannot be used; the next call tries again. */
  engine(): Promise<Call['engine']>
  close(): Promise<void>
}

/** Operations for the person at the machine: commands only, never listed over MCP or HTTP. */
export const LOCAL_CONTRACT = 'admin'

export type Outcome = { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly error: MemoryError }

export interface Invocation extends Omit<Call, 'engine'> {
  readonly operation: Operation
  readonly input: unknown
}

/** The one way from a surface to an operation. */
export interface Dispatch {
  /** Never rejects; a failure nobody foresaw is logged here, once. */
  invoke(invocation: Invocation): Promise<Outcome>
  /** From here on no call begins; those that have begun may finish. */
  stop(): void
  /** Resolves once no call is running. */
  settled(): Promise<void>
}

export function createDispatch(host: Host, log: Log): Dispatch {
  const running = new Set<Promise<Outcome>>()
  let stopped = false

  function checkWanted(signal: AbortSignal): void {
    signal.throwIfAborted()
    if (stopped)
      throw new MemoryError('unavailable', 'The server is stopping: this call was not begun, nothing was changed.', {
        hint: 'Call again once the server runs again.',
      })
  }

  async function perform({ operation, input, ...call }: Invocation): Promise<Outcome> {
    try {
      checkWanted(call.signal)
      const engine = await host.engine()
      // Opening the store takes a while, in which the caller may have changed their mind.
      checkWanted(call.signal)
      return { ok: true, answer: await operation.call({ ...call, engine }, input) }
    } catch (failure) {
      const error = call.signal.aborted && !(failure instanceof MemoryError) ? cancelled(failure) : toMemoryError(failure)
      if (error.code === 'internal') log.error('An operation failed unexpectedly', { operation: operation.name, cause: error.cause })
      return { ok: false, error }
    }
  }

  return {
    async invoke(invocation) {
      const call = perform(invocation)
      running.add(call)
      try {
        return await call
      } finally {
        running.delete(call)
      }
    },
    stop() {
      stopped = true
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

function cancelled(cause: unknown): MemoryError {
  return new MemoryError('cancelled', 'The call was cancelled.', { cause })
}
