import { setImmediate } from 'node:timers/promises'

const TURN_MS = 5

/** Returns a function for long loops: once a time slice is used, it yields to other calls. */
export function createYieldPoint(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < TURN_MS) return
    await setImmediate()
    since = performance.now()
  }
}
