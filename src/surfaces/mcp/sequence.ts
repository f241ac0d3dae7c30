import type { Mode } from '../../contracts/operation.js'

export type Sequence = <T>(mode: Mode, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/**
 * Calls of one connection take effect in the order they were sent, even when a client does not wait for answers: reads
 * run side by side, a write waits for all before it and holds back all after it. Long work stands outside.
 */
export function createSequence(): Sequence {
  let writes: Promise<unknown> = Promise.resolve()
  let reads: Promise<unknown>[] = []
  return (mode, signal, work) => {
    if (mode.longRunning) return work()
    const before = mode.effect === 'read' ? writes : Promise.all([writes, ...reads])
    const running = before.then(() => {
      // Whoever waits in line may have been called off meanwhile.
      signal.throwIfAborted()
      return work()
    })
    // Nobody waits for a call that was cancelled, but those behind it still wait for those before it.
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
