import { setImmediate } from 'node:timers/promises'

const TURN_MS = 5

/** To be awaited within long work: lets other calls have their turn once some time has been used. */
export function createYieldPoint(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < TURN_MS) return
    await setImmediate()
    since = performance.now()
  }
}
