import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A part of a search index that is loaded, caught up and evicted as a whole. */
interface IndexShard {
  readonly memoryBytes: number
  /** Releases shared memory; the shard must not be used afterwards. */
  release(): void
}

export interface ShardLimits {
  /** Memory limit; unused shards are evicted in LRU order above it. */
  readonly bytes: number
  /** A shard unused for this time is evicted. */
  readonly idleMs: number
}

export const DEFAULT_LIMITS: ShardLimits = { bytes: 512 * 2 ** 20, idleMs: 15 * 60_000 }

/** Process memory per counted byte: texts, engine tables and fragmentation. Measured, see docs/scale.md. */
const HELD_PER_BYTE = 1.4

/** Memory besides shards within the same limit: database caches, compiled code, space for the garbage collector. */
const RESERVE_BYTES = 48 * 2 ** 20

/** Evicted memory is collected once it reaches this share of the limit; the engine alone would keep it for long. */
const LEFT_SHARE = 1 / 8

/** Maximum delay of a timer. */
const MAX_TIMER = 2 ** 31

interface CachedShard<U extends IndexShard> {
  readonly key: string
  readonly shard: U
  /** Number of current users. */
  users: number
  usedAt: number
  /** The store version it has caught up to. */
  mark: number
  /** The running catch-up. */
  following: Promise<void> | undefined
}

/** Shards of one kind, by key. */
interface ShardPool<U extends IndexShard> {
  get(key: string): CachedShard<U> | undefined
  keys(): readonly string[]
  /** Registers a use of a shard, which is created if needed; every acquire needs a release. */
  acquire(key: string): CachedShard<U>
  release(entered: readonly CachedShard<U>[]): void
  /** Evicts a shard whose rows were deleted, unless it is in use. */
  evict(key: string): void
}

/** All shards of a process, under one limit. */
export interface ShardCache {
  shelf<U extends IndexShard>(create: (key: string) => U): ShardPool<U>
  memoryBytes(): number
  close(): void
}

/** Catches up a shard to a store version. A caller that arrives during a run waits for it, and runs again if that one started too early. */
export async function catchUpTo(cached: CachedShard<IndexShard>, mark: number, follow: () => Promise<void>): Promise<void> {
  while (cached.following !== undefined) await cached.following.catch(() => undefined)
  if (cached.mark >= mark) return
  cached.following = follow().finally(() => {
    cached.following = undefined
  })
  await cached.following
  cached.mark = mark
}

/**
 * Creates the shard cache. `emptied` is called when no shard is held and no query has run for a while, so that copies of read data can be
 * released.
 */
export function createShardCache(limits: ShardLimits = DEFAULT_LIMITS, emptied: () => unknown = () => undefined): ShardCache {
  const shelves: Map<string, CachedShard<IndexShard>>[] = []
  const max = limits.bytes - Math.min(RESERVE_BYTES, limits.bytes / 2)
  let timer: NodeJS.Timeout | undefined
  let left = 0
  let collecting: NodeJS.Immediate | undefined

  /** Collects after the call that evicted. */
  const collectLater = (): void => {
    if (left < limits.bytes * LEFT_SHARE) return
    left = 0
    collecting ??= setImmediate(() => {
      collecting = undefined
      collectGarbage()
    })
  }

  const held = (): readonly { readonly shelf: Map<string, CachedShard<IndexShard>>; readonly cached: CachedShard<IndexShard> }[] =>
    shelves.flatMap((shelf) => [...shelf.values()].map((cached) => ({ shelf, cached })))

  const total = (): number =>
    HELD_PER_BYTE * shelves.reduce((sum, shelf) => [...shelf.values()].reduce((bytes, { shard }) => bytes + shard.memoryBytes, sum), 0)

  const evictNow = (shelf: Map<string, CachedShard<IndexShard>>, cached: CachedShard<IndexShard>): void => {
    left += HELD_PER_BYTE * cached.shard.memoryBytes
    cached.shard.release()
    shelf.delete(cached.key)
  }

  const shrink = (): void => {
    let bytes = total()
    if (bytes <= max) return
    for (const { shelf, cached } of [...held()].sort((a, b) => a.cached.usedAt - b.cached.usedAt)) {
      if (bytes <= max) break
      if (cached.users > 0) continue
      bytes -= HELD_PER_BYTE * cached.shard.memoryBytes
      evictNow(shelf, cached)
    }
    collectLater()
  }

  const releaseIdle = (): void => {
    timer = undefined
    const before = held()
    for (const { shelf, cached } of before)
      if (cached.users === 0 && performance.now() - cached.usedAt >= limits.idleMs) evictNow(shelf, cached)
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
        shard: create(key),
        users: 0,
        usedAt: performance.now(),
        mark: -1,
        following: undefined,
      })
      return {
        get: (key) => own.get(key),
        keys: () => [...own.keys()],
        acquire(key) {
          const cached = own.get(key) ?? make(key)
          cached.users++
          own.set(key, cached)
          return cached
        },
        release(entered) {
          for (const cached of entered) {
            cached.users--
            cached.usedAt = performance.now()
          }
          shrink()
          watchIdle()
        },
        evict(key) {
          const cached = own.get(key)
          if (cached?.users === 0) evictNow(own, cached)
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

/** A process without memory pressure collects little, and would keep evicted memory. */
function collectGarbage(): void {
  collect ??= collector()
  collect()
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('gc')
  return typeof found === 'function' ? () => void found() : () => undefined
}
