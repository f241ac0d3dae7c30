import type { Mode } from '../contracts/operation.js'
import { MemoryError } from '../errors.js'

/** Time limits of calls, in milliseconds; 0 is no limit. */
export interface CallLimits {
  readonly callMs: number
  /** For operations that take minutes by nature. */
  readonly longCallMs: number
}

interface Deadline {
  /** Aborts when the caller cancels or the time is over. */
  readonly signal: AbortSignal
  /** Rejects when the time is over, even if the work ignores its signal. */
  readonly over: Promise<never>
  /** From here on, a write may have taken effect when the time is over. */
  begin(): void
  end(): void
}

/** The call and its effect. */
type CallDeadline = Mode & { readonly name: string }

export function startDeadline(operation: CallDeadline, caller: AbortSignal, limits: CallLimits | undefined): Deadline {
  const limitMs = limits === undefined ? 0 : operation.longRunning ? limits.longCallMs : limits.callMs
  const late = new AbortController()
  let begun = false
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    if (limitMs === 0) return
    timer = setTimeout(() => {
      const error = overdue(operation, limitMs, begun)
      late.abort(error)
      reject(error)
    }, limitMs)
    timer.unref()
  })
  // Prevents an unhandled rejection if the call finishes in time.
  over.catch(() => undefined)
  return {
    signal: limitMs === 0 ? caller : AbortSignal.any([caller, late.signal]),
    over,
    begin() {
      begun = true
    },
    end: () => clearTimeout(timer),
  }
}

function overdue(operation: CallDeadline, limitMs: number, begun: boolean): MemoryError {
  const flag = operation.longRunning ? '--long-call-timeout-ms' : '--call-timeout-ms'
  const took = `${operation.name} took longer than ${limitMs} ms and was given up`
  if (!begun)
    return new MemoryError('timeout', `${took} before it began: nothing was changed.`, {
      hint: `The store could not be opened in time. Call again, or raise ${flag}.`,
    })
  if (operation.effect === 'read')
    return new MemoryError('timeout', `${took}: nothing was changed.`, { hint: `Ask for less, or raise ${flag}.` })
  return new MemoryError('timeout', `${took}: whether it took effect is unknown.`, {
    hint: `Read what is stored before you repeat it. The limit is set by ${flag}.`,
    details: { outcome: 'unknown' },
  })
}
