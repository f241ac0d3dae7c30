import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A part of the search structures that is loaded, followed and let go as a whole. */
export interface IndexShard {
  readonly memoryBytes: number
  /** Gives shared memory back; it is not used again. */
  release(): void
}

export interface ShardLimits {
  /** Units that nobody uses are let go, least recently used first, while all together take more. */
  readonly bytes: number
  /** A unit that nobody asked for so long is let go. */
  readonly idleMs: number
}

export const DEFAULT_LIMITS: ShardLimits = { bytes: 512 * 2 ** 20, idleMs: 15 * 60_000 }

/** What the process holds for each byte that a unit counts: texts, tables of the engine, and room between them. Measured, see docs/scale.md. */
const HELD_PER_BYTE = 1.4

/** What searching takes besides units, out of the same limit: caches of the database, compiled code, room for the collector. */
const RESERVE_BYTES = 48 * 2 ** 20

/** What was let go is collected once it comes to this share of the limit: by itself the engine would keep it for long. */
const LEFT_SHARE = 1 / 8

/** Timers run no longer than this. */
const MAX_TIMER = 2 ** 31

export interface CachedShard<U extends IndexShard> {
  readonly key: string
  readonly unit: U
  /** Whoever is using it now. */
  users: number
  usedAt: number
  /** The state of the store that it has followed to. */
  mark: number
  /** The pass that is under way. */
  following: Promise<void> | undefined
}

/** The units of one kind, by their keys. */
export interface ShardPool<U extends IndexShard> {
  get(key: string): CachedShard<U> | undefined
  keys(): readonly string[]
  /** Takes part in one use of a unit, which is made where there is none; whoever enters leaves. */
  acquire(key: string): CachedShard<U>
  release(entered: readonly CachedShard<U>[]): void
  /** Lets go of a unit whose rows are gone, unless someone uses it. */
  evict(key: string): void
}

/** All units of a process, under one limit. */
export interface ShardCache {
  shelf<U extends IndexShard>(create: (key: string) => U): ShardPool<U>
  memoryBytes(): number
  close(): void
}

/** Brings a unit to a state of the store. A caller who comes during a pass waits for it, and makes its own where that began too early. */
export async function catchUpTo(one: CachedShard<IndexShard>, mark: number, follow: () => Promise<void>): Promise<void> {
  while (one.following !== undefined) await one.following.catch(() => undefined)
  if (one.mark >= mark) return
  one.following = follow().finally(() => {
    one.following = undefined
  })
  await one.following
  one.mark = mark
}

/** @param emptied Nothing is held any more, and nobody has asked for a while: whoever keeps copies of what was read can let them go. */
export function createUnitMemory(limits: ShardLimits = DEFAULT_LIMITS, emptied: () => unknown = () => undefined): ShardCache {
  const shelves: Map<string, CachedShard<IndexShard>>[] = []
  const most = limits.bytes - Math.min(RESERVE_BYTES, limits.bytes / 2)
  let timer: NodeJS.Timeout | undefined
  let left = 0
  let collecting: NodeJS.Immediate | undefined

  /** Behind the call that made room. */
  const collectLater = (): void => {
    if (left < limits.bytes * LEFT_SHARE) return
    left = 0
    collecting ??= setImmediate(() => {
      collecting = undefined
      collectGarbage()
    })
  }

  const held = (): readonly { readonly shelf: Map<string, CachedShard<IndexShard>>; readonly one: CachedShard<IndexShard> }[] =>
    shelves.flatMap((shelf) => [...shelf.values()].map((one) => ({ shelf, one })))

  const total = (): number =>
    HELD_PER_BYTE * shelves.reduce((sum, shelf) => [...shelf.values()].reduce((bytes, { unit }) => bytes + unit.memoryBytes, sum), 0)

  const letGo = (shelf: Map<string, CachedShard<IndexShard>>, one: CachedShard<IndexShard>): void => {
    left += HELD_PER_BYTE * one.unit.memoryBytes
    one.unit.release()
    shelf.delete(one.key)
  }

  const shrink = (): void => {
    let bytes = total()
    if (bytes <= most) return
    for (const { shelf, one } of [...held()].sort((a, b) => a.one.usedAt - b.one.usedAt)) {
      if (bytes <= most) break
      if (one.users > 0) continue
      bytes -= HELD_PER_BYTE * one.unit.memoryBytes
      letGo(shelf, one)
    }
    collectLater()
  }

  const releaseIdle = (): void => {
    timer = undefined
    const before = held()
    for (const { shelf, one } of before) if (one.users === 0 && performance.now() - one.usedAt >= limits.idleMs) letGo(shelf, one)
    if (shelves.some((shelf) => shelf.size > 0)) watchIdle()
    else if (before.length > 0) {
      emptied()
      collectGarbage()
    }
  }

  const watchIdle = (): void => {
    if (limits.idleMs < MAX_TIMER) timer ??= setTimeout(releaseIdle, Math.max(10, limits.idleMs / 4)).unref()
  }

  return {
    shelf<U extends IndexShard>(create: (key: string) => U): ShardPool<U> {
      const own = new Map<string, CachedShard<U>>()
      shelves.push(own)
      const make = (key: string): CachedShard<U> => ({
        key,
        unit: create(key),
        users: 0,
        usedAt: performance.now(),
        mark: -1,
        following: undefined,
      })
      return {
        get: (key) => own.get(key),
        keys: () => [...own.keys()],
        acquire(key) {
          const one = own.get(key) ?? make(key)
          one.users++
          own.set(key, one)
          return one
        },
        release(entered) {
          for (const one of entered) {
            one.users--
            one.usedAt = performance.now()
          }
          shrink()
          watchIdle()
        },
        evict(key) {
          const one = own.get(key)
          if (one?.users === 0) letGo(own, one)
        },
      }
    },
    memoryBytes: total,
    close() {
      clearTimeout(timer)
      clearImmediate(collecting)
      timer = undefined
    },
  }
}

let collect: (() => void) | undefined

/** A process collects little by itself while nothing needs the room, and what it let go would stay with it. */
function collectGarbage(): void {
  collect ??= collector()
  collect()
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('gc')
  return typeof found === 'function' ? () => void found() : () => undefined
}
