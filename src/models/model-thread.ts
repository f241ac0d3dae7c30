import { env } from 'node:process'
import { MemoryError } from '../errors.js'
import type { ModelState } from '../ports/embedder.js'
import { cancelled } from './cache.js'
import { commonThread, type ModelThreadHost, ownThread, type TakePlace, type ThreadFiles } from './model-thread-host.js'
import { createNativeGate, holdExit, type NativeGate, releaseExit, shutGate } from './native-gate.js'
import { isPackagedRuntime, type RuntimeKind } from './onnx-runtime.js'
import { createWorkQueue, type Lane } from './work-queue.js'

export type ThreadRequest<Input> = { readonly type: 'run'; readonly id: number; readonly input: Input } | { readonly type: 'close' }

export type ThreadReply<Output> =
  | { readonly type: 'ready'; readonly notice?: string | null }
  | { readonly type: 'failed'; readonly problem: string }
  | { readonly type: 'done'; readonly id: number; readonly output: Output }
  | { readonly type: 'rejected'; readonly id: number; readonly problem: string }

export interface ThreadOptions {
  /** Subject of a sentence: `The embedding model x in y`. */
  readonly name: string
  /** What to do if it cannot be used. */
  readonly hint: string
  /** Unloads the model after this time without work; 0 keeps it. */
  readonly idleMs: number
  /** Evaluated at each start; a string says why there is nothing to start. */
  locate(): ThreadFiles | string
  /** Evaluated at each start; by default a thread of its own. */
  place?(): TakePlace
}

interface StartedThread {
  readonly place: ModelThreadHost
  readonly gate: NativeGate
  readonly ended: Promise<void>
}

/** A model in a worker thread: loaded on first use, one batch at a time, unloaded when idle. */
export interface ModelThread<Input, Output> {
  status(): { readonly state: ModelState; readonly problem: string | null; readonly notice?: string }
  /** Starts loading in the background; never throws. */
  warm(): void
  /** Outputs in the order of the inputs. Rejects with `unavailable` if the model cannot be loaded; the next call retries. */
  run(inputs: readonly Input[], lane: Lane, signal: AbortSignal | undefined): Promise<readonly Output[]>
  close(): Promise<void>
}

/** True if the runtime supports one thread per process, which all models share. */
export const sharesThread = (runtime?: RuntimeKind): boolean => runtime !== 'wasm' && isPackagedRuntime()

/** The thread for an ONNX model. */
export const placeOf = (runtime?: RuntimeKind): TakePlace => (sharesThread(runtime) ? commonThread : ownThread)

const SHUTDOWN_MS = 1000

export function openModelThread<Input, Output>(options: ThreadOptions): ModelThread<Input, Output> {
  const { name, hint, idleMs } = options
  const queue = createWorkQueue<Input, Output>()
  let state: ModelState = 'idle'
  let problem: string | null = null
  let notice: string | null = null
  let worker: StartedThread | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let nextId = 0
  let runningId: number | null = null
  let closed = false

  const unavailable = (message: string): MemoryError => new MemoryError('unavailable', message, { hint })

  const fail = (reason: string): void => {
    const message = `${name} cannot be used: ${reason}`
    problem = `${message} ${hint}`
    state = 'error'
    retire(worker)
    queue.rejectAll(unavailable(message))
  }

  const retire = (retired: StartedThread | null): void => {
    clearTimeout(idleTimer)
    if (retired === null || worker !== retired) return
    worker = null
    runningId = null
  }

  const start = (): void => {
    if (worker !== null || closed) return
    const files = options.locate()
    if (typeof files === 'string') {
      fail(files)
      return
    }
    state = 'loading'
    problem = null
    const gate = createNativeGate()
    forbidTelemetry()
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const isCurrent = (): boolean => worker?.gate === gate
    const takePlace = options.place?.() ?? ownThread
    const place = takePlace<ThreadReply<Output>>(
      { ...files, setup: { ...files.setup, gate } },
      {
        reply: (reply) => {
          if (isCurrent()) receive(reply)
        },
        failed: (failure) => {
          if (isCurrent()) fail(`its worker thread failed: ${failure.message}`)
        },
        ended: (code) => {
          releaseExit(gate)
          if (isCurrent()) fail(`its worker thread ended unexpectedly (code ${code}).`)
          end()
        },
      },
    )
    worker = { place, gate, ended }
    holdExit(gate)
    place.letGo()
  }

  const receive = (reply: ThreadReply<Output>): void => {
    if (reply.type === 'failed') fail(reply.problem)
    else if (reply.type === 'ready') {
      state = 'ready'
      notice = reply.notice ?? null
    } else if (reply.id === runningId) {
      runningId = null
      if (reply.type === 'done') queue.complete(reply.output)
      else queue.fail(unavailable(`${name} failed: ${reply.problem}`))
    }
    advance()
  }

  const advance = (): void => {
    if (worker === null || state !== 'ready' || runningId !== null) return
    const input = queue.take()
    if (input === undefined) {
      rest(worker)
      return
    }
    clearTimeout(idleTimer)
    runningId = nextId++
    const request: ThreadRequest<Input> = { type: 'run', id: runningId, input }
    worker.place.hold()
    worker.place.post(request)
  }

  const rest = (idle: StartedThread): void => {
    idle.place.letGo()
    clearTimeout(idleTimer)
    if (idleMs <= 0) return
    idleTimer = setTimeout(() => {
      if (worker !== idle || runningId !== null) return
      retire(idle)
      state = 'idle'
      void shutDown(idle)
    }, idleMs).unref()
  }

  return {
    status: () => ({ state, problem, ...(notice === null ? {} : { notice: `${name}: ${notice}.` }) }),
    warm: start,
    async run(inputs, lane, signal) {
      if (closed) throw unavailable(`${name} is closed.`)
      if (signal?.aborted === true) throw cancelled()
      if (inputs.length === 0) return []
      const outputs = queue.add(inputs, lane, signal)
      start()
      // Only a waiting caller keeps the process alive; loading in the background does not.
      worker?.place.hold()
      advance()
      return outputs
    },
    async close() {
      closed = true
      const last = worker
      retire(last)
      state = 'idle'
      queue.rejectAll(unavailable(`${name} was closed.`))
      if (last !== null) await shutDown(last)
    },
  }
}

/**
 * The native runtime writes a device id to the home directory and reports its use to its vendor, unless an environment variable of the
 * process forbids it. A worker has only a copy of the environment, and JavaScript has no other switch.
 */
function forbidTelemetry(): void {
  env.ORT_DISABLE_TELEMETRY = '1'
}

/** Lets the worker release its memory. One that does not respond is ended, or left running while it computes. */
async function shutDown({ place, gate, ended }: StartedThread): Promise<void> {
  const request: ThreadRequest<never> = { type: 'close' }
  await new Promise<void>((resolve) => {
    const deadline = setTimeout(() => {
      if (shutGate(gate) && place.end()) return
      place.letGo()
      resolve()
    }, SHUTDOWN_MS)
    void ended.then(() => {
      clearTimeout(deadline)
      resolve()
    })
    place.post(request)
    place.hold()
  })
}
