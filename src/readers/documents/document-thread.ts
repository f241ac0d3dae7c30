import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { CapturedChunk } from '../../core/evidence/capture.js'
import { MemoryError } from '../../errors.js'
import type { DocumentReply, DocumentRequest, MadeDocument } from './document-messages.js'

export interface DocumentThreads {
  /** Rejects with `timeout` if no page completes within the limit; the thread is then ended. */
  make(request: DocumentRequest, signal: AbortSignal): Promise<MadeDocument>
  close(): Promise<void>
}

export interface ThreadOptions {
  /** Between progress reports. */
  readonly limitMs: number
  readonly idleMs?: number
  readonly workerUrl?: URL
}

/** A page that needs more memory is hostile. */
const MAX_MEMORY_MB = 1024
const IDLE_MS = 5_000
/** Buffers are not counted by the limit of a thread: it is ended when the process has grown by this while it reads. */
const MAX_GROWTH_BYTES = 768 * 1024 * 1024
const WATCH_MS = 50
/** Each may need as much memory as one document takes. */
const MAX_THREADS = 2

async function makeHere(request: DocumentRequest): Promise<MadeDocument> {
  const { makeDocument } = await import('./make-document.js')
  return makeDocument(request, () => undefined).catch((failure: unknown) => {
    if (failure instanceof MemoryError) throw failure
    throw new MemoryError('invalid_input', `Reading failed: ${failure instanceof Error ? failure.message : String(failure)}`, {
      cause: failure,
    })
  })
}

/** The running job of a thread. */
interface Job {
  take(reply: DocumentReply): void
  fail(failure: MemoryError): void
}

interface Thread {
  readonly worker: Worker
  job: Job | undefined
}

/** Processes one document at a time in a thread, which is kept for the next one. */
export function createDocumentThreads(options: ThreadOptions): DocumentThreads {
  const workerUrl = options.workerUrl ?? new URL('./document-worker.js', import.meta.url)
  let idle: Thread | undefined
  let timer: NodeJS.Timeout | undefined
  const threads = new Set<Thread>()

  const open = (): Thread => {
    const worker = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } })
    const thread: Thread = { worker, job: undefined }
    threads.add(thread)
    worker.on('message', (reply: DocumentReply) => thread.job?.take(reply))
    worker.on('error', (failure) =>
      thread.job?.fail(new MemoryError('invalid_input', `Reading failed: ${failure.message}`, { cause: failure })),
    )
    worker.on('exit', () => {
      threads.delete(thread)
      if (idle === thread) idle = undefined
      thread.job?.fail(new MemoryError('invalid_input', 'Reading ended without a result.'))
    })
    return thread
  }

  const waiting: (() => void)[] = []
  let running = 0
  const enter = async (): Promise<void> => {
    if (running >= MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
  }
  /** The place goes to the next that waits. */
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }

  const end = (thread: Thread): void => {
    thread.job = undefined
    void thread.worker.terminate()
  }

  const giveBack = (thread: Thread): void => {
    thread.job = undefined
    thread.worker.unref()
    if (idle !== undefined) end(thread)
    else {
      idle = thread
      timer = setTimeout(() => {
        idle = undefined
        end(thread)
      }, options.idleMs ?? IDLE_MS).unref()
    }
  }

  const take = (): Thread => {
    clearTimeout(timer)
    const thread = idle ?? open()
    idle = undefined
    thread.worker.ref()
    return thread
  }

  return {
    async make(request, signal) {
      signal.throwIfAborted()
      await enter()
      return read(request, signal).finally(leave)
    },
    async close() {
      clearTimeout(timer)
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }

  async function read(request: DocumentRequest, signal: AbortSignal): Promise<MadeDocument> {
    signal.throwIfAborted()
    // When run from sources there is no compiled worker.
    if (!existsSync(fileURLToPath(workerUrl))) return makeHere(request)
    // Processing text is linear in its length; the limit allows for a busy machine.
    const limitMs = (request.form === 'html' || request.form === 'pdf' ? 1 : 10) * options.limitMs
    const thread = take()
    const chunks: CapturedChunk[] = []
    return new Promise((resolve, reject) => {
      let alarm: NodeJS.Timeout | undefined
      const before = process.memoryUsage.rss()
      const watch = setInterval(() => {
        if (process.memoryUsage.rss() - before > MAX_GROWTH_BYTES) fail(new MemoryError('too_large', 'Reading it takes too much memory.'))
      }, WATCH_MS)
      const finish = (settle: () => void, keep: boolean): void => {
        clearTimeout(alarm)
        clearInterval(watch)
        signal.removeEventListener('abort', stop)
        if (keep) giveBack(thread)
        else end(thread)
        settle()
      }
      const fail = (failure: MemoryError): void => finish(() => reject(failure), false)
      const stop = (): void => fail(new MemoryError('cancelled', 'Reading was cancelled.'))
      const wind = (): void => {
        clearTimeout(alarm)
        alarm = setTimeout(() => fail(new MemoryError('timeout', `Reading took longer than ${limitMs / 1000} s.`)), limitMs)
      }
      thread.job = {
        fail,
        take(reply) {
          if ('failure' in reply) return fail(new MemoryError(reply.tooLarge ? 'too_large' : 'invalid_input', reply.failure))
          if ('made' in reply) {
            const { made } = reply
            return finish(() => resolve({ ...made, captured: { ...made.captured, chunks } }), true)
          }
          wind()
          if (!('chunks' in reply)) return
          for (const chunk of reply.chunks) chunks.push(chunk)
          setImmediate(() => thread.worker.postMessage('next'))
        },
      }
      signal.addEventListener('abort', stop, { once: true })
      wind()
      thread.worker.postMessage(request)
    })
  }
}
