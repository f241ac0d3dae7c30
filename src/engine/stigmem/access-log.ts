import { setTimeout as delay } from 'node:timers/promises'
import { toMemoryError } from '../../errors.js'
import type { AccessLog } from '../engine-services.js'
import type { Environment } from '../environment.js'

/** Maximum interval of data lost if a process is killed. */
export const FLUSH_MS = 25_000

/** Rows per write, so that other writers wait briefly. */
const PAGE_SIZE = 200

export function createAccessLog(
  { statements, readOnly, clock, log }: Pick<Environment, 'statements' | 'readOnly' | 'clock' | 'log'>,
  flushMs = FLUSH_MS,
): AccessLog {
  const stop = new AbortController()
  let waiting = new Map<string, number>()
  let timer: Promise<void> | undefined

  const flush = async (): Promise<void> => {
    const counts = waiting
    waiting = new Map()
    if (counts.size === 0 || readOnly) return
    const left = [...counts]
    try {
      while (left.length > 0) {
        await statements.noteAccess(new Map(left.slice(0, PAGE_SIZE)), clock.now())
        left.splice(0, PAGE_SIZE)
      }
    } catch (error) {
      for (const [id, count] of left) waiting.set(id, (waiting.get(id) ?? 0) + count)
      log.warn('how often facts were recalled could not be noted', { failure: toMemoryError(error).message })
    }
  }

  const later = async (): Promise<void> => {
    await delay(flushMs, undefined, { ref: false, signal: stop.signal }).catch(() => undefined)
    timer = undefined
    if (!stop.signal.aborted) await flush()
  }

  return {
    note(ids) {
      for (const id of ids) waiting.set(id, (waiting.get(id) ?? 0) + 1)
      if (ids.length > 0) timer ??= later()
    },
    flush,
    async close() {
      stop.abort()
      await timer
      await flush()
    },
  }
}
