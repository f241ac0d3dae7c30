import { setImmediate } from 'node:timers/promises'

/** Reads pages until one is not full, and yields in between. */
export async function eachPage<T>(
  size: number,
  read: () => Promise<readonly T[]>,
  take: (page: readonly T[]) => Promise<void> | void,
): Promise<void> {
  for (;;) {
    const page = await read()
    await take(page)
    if (page.length < size) return
    await setImmediate()
  }
}
