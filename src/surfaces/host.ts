import { randomUUID } from 'node:crypto'
import type { Contract } from '../contracts/contract.js'
import {
  type Answer,
  authorise,
  type Call,
  type Engine,
  LOCAL_WITHOUT_GARDENS,
  type Operation,
  type Principal,
  showsGardens,
} from '../contracts/operation.js'
import { MemoryError, toMemoryError } from '../errors.js'
import { type CallLimits, startDeadline } from './deadline.js'
import type { Log } from './log.js'

/** What every surface serves. */
export interface Host {
  readonly version: string
  /** Static lists in profile order, available before any database is open. */
  readonly contracts: readonly Contract[]
  /** None at a terminal, where Ctrl-C ends a command. */
  readonly limits?: CallLimits
  /** The working directory of the caller, if it is another process. */
  readonly cwd?: string
  /** Opens on first use. Rejects with a `MemoryError` if the store cannot be used; the next call tries again. */
  engine(): Promise<Engine>
  close(): Promise<void>
}

export type Outcome = { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly error: MemoryError }

export interface Invocation extends Omit<Call, 'context'> {
  readonly principal: Principal
  readonly signal: AbortSignal
  readonly operation: Operation
  readonly input: unknown
}

/** The only path from a surface to an operation. */
export interface Dispatch {
  /** Never rejects; unexpected failures are logged here, once. */
  invoke(invocation: Invocation): Promise<Outcome>
  /** Rejects new calls; running ones may finish. */
  stop(): void
  /** Resolves once no call is running. */
  whenIdle(): Promise<void>
}

export function createDispatch(host: Host, log: Log): Dispatch {
  const running = new Set<Promise<unknown>>()
  let stopped = false

  function checkWanted(signal: AbortSignal): void {
    signal.throwIfAborted()
    if (stopped)
      throw new MemoryError('unavailable', 'The server is stopping: this call was not begun, nothing was changed.', {
        hint: 'Call again once the server runs again.',
      })
  }

  async function perform(
    { operation, input, principal: caller, signal, ...call }: Invocation,
    callId: string,
    begin: () => void,
  ): Promise<Answer> {
    checkWanted(signal)
    const allowed = authorise(caller, operation, input)
    const opened = await host.engine()
    const principal = showsGardens(allowed, operation, input) && (await opened.keyRing.hasGardens()) ? LOCAL_WITHOUT_GARDENS : allowed
    // The caller may have cancelled while the store was opened.
    checkWanted(signal)
    begin()
    return operation.call(
      { ...call, ...(host.cwd === undefined ? {} : { cwd: host.cwd }), context: opened.context({ principal, callId, signal }) },
      input,
    )
  }

  function explain(failure: unknown, invocation: Invocation, callId: string): MemoryError {
    const { operation, signal } = invocation
    const error = signal.aborted && !(failure instanceof MemoryError) ? cancelled(failure) : toMemoryError(failure)
    if (error.code === 'internal') log.error('An operation failed unexpectedly', { operation: operation.name, callId, cause: error.cause })
    if (error.code === 'forbidden') noteDenial(invocation, error)
    return error
  }

  function noteDenial({ operation, principal }: Invocation, { reason }: MemoryError): void {
    if (principal.proof === 'none') return
    const denial = { who: principal.name, owner: principal.owner, what: `${operation.name}: ${reason}` }
    host.engine().then(
      (engine) => engine.denials.note(denial),
      () => undefined,
    )
  }

  return {
    async invoke(invocation) {
      const deadline = startDeadline(
        { name: invocation.operation.name, ...invocation.operation.modeOf(invocation.input) },
        invocation.signal,
        host.limits,
      )
      const callId = randomUUID()
      const call = perform({ ...invocation, signal: deadline.signal }, callId, deadline.begin)
      // A cancelled call may still be running, and the store stays open until it ends.
      const ended: Promise<unknown> = call.then(
        () => running.delete(ended),
        () => running.delete(ended),
      )
      running.add(ended)
      try {
        return { ok: true, answer: await Promise.race([call, deadline.over]) }
      } catch (failure) {
        return { ok: false, error: explain(failure, { ...invocation, signal: deadline.signal }, callId) }
      } finally {
        deadline.end()
      }
    },
    stop() {
      stopped = true
    },
    async whenIdle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** The actor in the journal: the caller and the surface. */
export const journalName = ({ proof, name }: Principal, way: string): string => (proof === 'none' ? way : `${name} ${way}`)

function cancelled(cause: unknown): MemoryError {
  return new MemoryError('cancelled', 'The call was cancelled.', { cause })
}
