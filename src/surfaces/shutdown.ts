export type EndReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'stdin closed' | 'stdout closed' | 'parent gone'

export const PARENT_POLL_MS = 500

/** Resolves with the first signal to stop; from then on the end is bounded. */
export function waitForSignal(): Promise<EndReason> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => resolve(name))
  })
}

/** Resolves when the parent process has ended, which some clients do not announce by closing stdin. */
export function waitForOrphaning(): Promise<EndReason> {
  const parent = process.ppid
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      resolve('parent gone')
    }, PARENT_POLL_MS)
    timer.unref()
  })
}

/** True if the work ended in time. */
export async function finishesWithin(work: Promise<unknown>, boundMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), boundMs)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
