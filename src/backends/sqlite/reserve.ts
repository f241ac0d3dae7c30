import { closeSync, constants, existsSync, ftruncateSync, lstatSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Change } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Store } from '../../ports/store.js'
import { hasUnknownOutcome, isFull } from './failure.js'

/** Space in the log for one deletion: its pages, and those of indexes and journal. */
const RESERVE_BYTES = 1024 * 1024

/** Space to open a store: the index and the beginning of the log. */
const LENT_BYTES = 128 * 1024

const RESERVE_SUFFIX = '-reserve'

/**
 * A deletion needs space in the log first, so on a full disk no space could ever be freed. A store therefore keeps a file of zeros, which
 * is removed when a deletion finds no space. Opening needs a part of it, too.
 */
interface Reserve {
  /** Creates it if there is space. */
  fill(): void
  /** Releases the space; false if there was none. */
  spend(): boolean
  /** Releases a part of it, so that the store can be opened; false if there is none. */
  releasePart(): boolean
}

export function createReserve(file: string): Reserve {
  const path = `${file}${RESERVE_SUFFIX}`
  return {
    fill() {
      const there = sizeOf(path)
      if (there !== undefined && there >= RESERVE_BYTES) return
      try {
        const handle = openSync(path, there === undefined ? 'wx' : constants.O_RDWR | constants.O_NOFOLLOW, 0o600)
        try {
          writeSync(handle, Buffer.alloc(RESERVE_BYTES - (there ?? 0)), 0, undefined, there ?? 0)
        } finally {
          closeSync(handle)
        }
      } catch {
        // No space, or another process created it. A remainder left over from opening is smaller and stays.
        const left = sizeOf(path) ?? 0
        if (there === undefined && left !== RESERVE_BYTES) rmSync(path, { force: true })
      }
    },
    spend() {
      if (!existsSync(path)) return false
      rmSync(path, { force: true })
      return true
    },
    releasePart() {
      const there = sizeOf(path)
      if (there === undefined || there < LENT_BYTES) return false
      const handle = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW)
      try {
        ftruncateSync(handle, there - LENT_BYTES)
      } finally {
        closeSync(handle)
      }
      return true
    },
  }
}

const sizeOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.size

const DELETIONS: ReadonlySet<Change['op']> = new Set(['fact.delete', 'entity.delete', 'edge.delete', 'source.delete', 'reset'])

const causeOf = (error: unknown): unknown => (error instanceof MemoryError ? error.cause : undefined)

/** The disk was full before any part of the commit was complete. */
const isUnwritten = (cause: unknown): boolean => isFull(cause) && !hasUnknownOutcome(cause)

/** Opens a store, with a part of the reserve if the disk is full. */
export function openWithReserve<T>(reserve: Reserve, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (!isFull(causeOf(error)) || !reserve.releasePart()) throw error
    return open()
  }
}

/** Retries a commit that only deletes and finds the disk full, using the reserve. */
export function withReserve(store: Store, reserve: Reserve): Store {
  return {
    ...store,
    async commit(context, decide) {
      let deletes = false
      try {
        return await store.commit(context, (now) => {
          const changes = decide(now)
          deletes = changes.length > 0 && changes.every(({ op }) => DELETIONS.has(op))
          return changes
        })
      } catch (error) {
        if (!deletes || !isUnwritten(causeOf(error)) || !reserve.spend()) throw error
        return await store.commit(context, decide)
      }
    },
  }
}
