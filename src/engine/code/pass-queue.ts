import { MemoryError } from '../../errors.js'
import type { FilesChanged } from '../../ports/project-files.js'
import type { PassProgress, PassResult } from './index-pass.js'

export interface Ticket {
  readonly signal: AbortSignal
  progress(now: PassProgress): void
}

type PassRunner = (sourceId: string, only: FilesChanged | undefined, ticket: Ticket) => Promise<PassResult>

interface QueuedPass {
  readonly sourceId: string
  only: FilesChanged | undefined
  readonly abort: AbortController
  readonly callers: Set<Ticket>
  readonly result: Promise<PassResult>
  start(): void
}

/**
 * Runs one pass at a time. A queued pass serves every caller that requests the same project; a running one may have passed a changed file,
 * so later callers get a new pass.
 */
export function createPassQueue(run: PassRunner) {
  const queue: QueuedPass[] = []
  let running: QueuedPass | undefined
  let closed = false

  const pump = (): void => {
    if (running !== undefined) return
    running = queue.shift()
    if (running === undefined) return
    running.start()
    void running.result
      .catch(() => undefined)
      .finally(() => {
        running = undefined
        pump()
      })
  }

  const enqueue = (sourceId: string, only: FilesChanged | undefined): QueuedPass => {
    const waiting = queue.find((pass) => pass.sourceId === sourceId)
    if (waiting !== undefined) {
      waiting.only = merged(waiting.only, only)
      return waiting
    }
    const abort = new AbortController()
    const callers = new Set<Ticket>()
    let start: () => void = () => undefined
    const result = new Promise<PassResult>((resolve, reject) => {
      start = () => {
        const progress = (now: PassProgress): void => {
          for (const caller of callers) caller.progress(now)
        }
        if (abort.signal.aborted) reject(cancelled())
        else run(sourceId, made.only, { signal: abort.signal, progress }).then(resolve, reject)
      }
    })
    const made: QueuedPass = { sourceId, only, abort, callers, result, start: () => start() }
    queue.push(made)
    return made
  }

  return {
    /** Rejects with `cancelled` when the ticket's signal fires; the pass stops once no caller waits for it. */
    ask(sourceId: string, only: FilesChanged | undefined, ticket: Ticket): Promise<PassResult> {
      if (closed || ticket.signal.aborted) return Promise.reject(cancelled())
      const pass = enqueue(sourceId, only)
      pass.callers.add(ticket)
      const answer = new Promise<PassResult>((resolve, reject) => {
        const leave = (): void => {
          pass.callers.delete(ticket)
          // The last caller waits until the pass has stored that it was stopped.
          if (pass.callers.size === 0) pass.abort.abort()
          else reject(cancelled())
        }
        ticket.signal.addEventListener('abort', leave, { once: true })
        pass.result.then(resolve, reject).finally(() => ticket.signal.removeEventListener('abort', leave))
      })
      pump()
      return answer
    },
    isBusy: (sourceId: string): boolean => running?.sourceId === sourceId || queue.some((pass) => pass.sourceId === sourceId),
    /** Stops the passes of one project, or of all. */
    async stop(sourceId?: string): Promise<void> {
      const affected = [...queue, ...(running === undefined ? [] : [running])].filter(
        (pass) => sourceId === undefined || pass.sourceId === sourceId,
      )
      for (const pass of affected) pass.abort.abort()
      pump()
      await Promise.allSettled(affected.map((pass) => pass.result))
    },
    close(): void {
      closed = true
    },
  }
}

const cancelled = (): MemoryError => new MemoryError('cancelled', 'Indexing was cancelled.')

function merged(a: FilesChanged | undefined, b: FilesChanged | undefined): FilesChanged | undefined {
  if (a === undefined || b === undefined) return undefined
  if (a.rescan || b.rescan) return { rescan: true }
  return { rescan: false, changed: [...new Set([...a.changed, ...b.changed])], removed: [...new Set([...a.removed, ...b.removed])] }
}
