import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { CapturedChunk } from '../../core/evidence/capture.js'
import { MemoryError } from '../../errors.js'
import type { DocumentReply, DocumentRequest, MadeDocument } from './document-messages.js'

export interface DocumentThreads {
  /** Rejects with `timeout` when no page is done within the limit: the thread is ended then. */
  make(request: DocumentRequest, signal: AbortSignal): Promise<MadeDocument>
  close(): Promise<void>
}

export interface ThreadOptions {
  /** Between two signs of life. */
  readonly limitMs: number
  readonly idleMs?: number
  readonly workerUrl?: URL
}

/** A page that wants more memory is a bomb. */
const MOST_MEMORY_MB = 1024
const IDLE_MS = 5_000

async function makeHere(request: DocumentRequest): Promise<MadeDocument> {
  const { makeDocument } = await import('./make-document.js')
  return makeDocument(request, () => undefined).catch((failure: unknown) => {
    throw new MemoryError('invalid_input', `Reading failed: ${failure instanceof Error ? failure.message : String(failure)}`, {
      cause: failure,
    })
  })
}

/** One document at a time in a thread, which is kept for a while for the next. */
export function createDocumentThreads(options: ThreadOptions): DocumentThreads {
  const workerUrl = options.workerUrl ?? new URL('./document-worker.js', import.meta.url)
  let idle: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  const busy = new Set<Worker>()

  const take = (): Worker => {
    clearTimeout(timer)
    const worker = idle ?? new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB } })
    idle = undefined
    busy.add(worker)
    worker.ref()
    return worker
  }

  const giveBack = (worker: Worker): void => {
    busy.delete(worker)
    worker.removeAllListeners()
    worker.unref()
    if (idle !== undefined) return void worker.terminate()
    idle = worker
    worker.on('exit', () => {
      if (idle === worker) idle = undefined
    })
    timer = setTimeout(() => {
      idle = undefined
      void worker.terminate()
    }, options.idleMs ?? IDLE_MS).unref()
  }

  const end = (worker: Worker): void => {
    busy.delete(worker)
    worker.removeAllListeners()
    worker.on('error', () => undefined)
    void worker.terminate()
  }

  return {
    async make(request, signal) {
      signal.throwIfAborted()
      // Run from sources there is no compiled worker to start.
      if (!existsSync(fileURLToPath(workerUrl))) return makeHere(request)
      return new Promise((resolve, reject) => {
        const worker = take()
        const chunks: CapturedChunk[] = []
        // The words of a page take no time worth speaking of: this is for a busy machine.
        const limitMs = (request.form === 'plain_html' ? 10 : 1) * options.limitMs
        let alarm: NodeJS.Timeout | undefined
        const finish = (settle: () => void, keep: boolean): void => {
          clearTimeout(alarm)
          signal.removeEventListener('abort', stop)
          if (keep) giveBack(worker)
          else end(worker)
          settle()
        }
        const stop = (): void => finish(() => reject(new MemoryError('cancelled', 'Reading was cancelled.')), false)
        const wind = (): void => {
          clearTimeout(alarm)
          alarm = setTimeout(
            () => finish(() => reject(new MemoryError('timeout', `Reading took longer than ${limitMs / 1000} s.`)), false),
            limitMs,
          )
        }
        worker.on('message', (reply: DocumentReply) => {
          if ('page' in reply) wind()
          else if ('chunks' in reply) for (const chunk of reply.chunks) chunks.push(chunk)
          else if ('made' in reply) finish(() => resolve({ ...reply.made, captured: { ...reply.made.captured, chunks } }), true)
          else finish(() => reject(new MemoryError('invalid_input', reply.failure)), false)
        })
        worker.on('error', (failure) =>
          finish(() => reject(new MemoryError('invalid_input', `Reading failed: ${failure.message}`, { cause: failure })), false),
        )
        worker.on('exit', () => finish(() => reject(new MemoryError('invalid_input', 'Reading ended without a result.')), false))
        signal.addEventListener('abort', stop, { once: true })
        wind()
        worker.postMessage(request)
      })
    },
    async close() {
      clearTimeout(timer)
      await Promise.all([...busy, ...(idle === undefined ? [] : [idle])].map((worker) => worker.terminate()))
    },
  }
}
