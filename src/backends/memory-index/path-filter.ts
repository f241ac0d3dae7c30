import { setImmediate } from 'node:timers/promises'

/** A pattern may take milliseconds per path; yield after this time. */
const TURN_MS = 5

/** Evaluates a path pattern once per path before the search, which does not yield. */
export async function pathFilter(paths: Iterable<string>, takes: (path: string) => boolean): Promise<(path: string) => boolean> {
  const known = new Map<string, boolean>()
  const check = (path: string): boolean => {
    const answer = takes(path)
    known.set(path, answer)
    return answer
  }
  let since = performance.now()
  for (const path of paths) {
    if (!known.has(path)) check(path)
    if (performance.now() - since < TURN_MS) continue
    await setImmediate()
    since = performance.now()
  }
  return (path) => known.get(path) ?? check(path)
}
