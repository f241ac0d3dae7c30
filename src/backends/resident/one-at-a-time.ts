/**
 * Runs one pass at a time. A caller who comes during a pass waits for it and then makes its own: what it must see may
 * have been written after that one began.
 */
export function oneAtATime(pass: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return async () => {
    while (running !== undefined) await running.catch(() => undefined)
    running = pass().finally(() => {
      running = undefined
    })
    await running
  }
}
