import type { Mode } from '../../contracts/operation.js'

type Sequence = <T>(mode: Mode, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/**
 * Calls of one connection take effect in the order in which they were sent: reads run concurrently; a write waits for all calls before it
 * and delays all calls after it. Long operations are excluded.
 */
export function createSequence(): Sequence {
  let writes: Promise<unknown> = Promise.resolve()
  let reads: Promise<unknown>[] = []
  return (mode, signal, work) => {
    if (mode.longRunning) return work()
    const before = mode.effect === 'read' ? writes : Promise.all([writes, ...reads])
    const running = before.then(() => {
      // A waiting call may have been cancelled.
      signal.throwIfAborted()
      return work()
    })
    // A cancelled call resolves at once; later calls still wait for earlier ones.
    const cancelled = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    const finished = running.then(
      () => undefined,
      () => undefined,
    )
    const settled = before.then(() => Promise.race([finished, cancelled]))
    if (mode.effect === 'read') {
      reads.push(settled)
      void settled.then(() => {
        reads = reads.filter((read) => read !== settled)
      })
    } else {
      writes = settled
      reads = []
    }
    return running
  }
}
