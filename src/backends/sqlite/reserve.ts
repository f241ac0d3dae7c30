import { closeSync, constants, existsSync, ftruncateSync, lstatSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Change } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Store } from '../../ports/store.js'
import { isFull, isUnsettled } from './failure.js'

/** What the log needs to take a deletion: its pages, those of the indexes and of the journal. */
const RESERVE_BYTES = 1024 * 1024

/** What opening needs: the index of the log, and the beginning of the log. */
const LENT_BYTES = 128 * 1024

export const RESERVE_SUFFIX = '-reserve'

/**
 * Deleting needs room first, for the log: on a full disk nobody could make any. So a store keeps a little for that
 * beside it, as a file of zeros that is removed when a deletion finds no room. Opening needs a little of it, too.
 */
export interface Reserve {
  /** Makes it, where there is room. */
  fill(): void
  /** Gives the room back to the disk; false when there was none. */
  spend(): boolean
  /** Gives a part of it back, so that the store can be opened; false when there is none. */
  lend(): boolean
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
        // Without room, or made by another process meanwhile. What was lent before the disk was full is less than a whole one, and stays.
        const left = sizeOf(path) ?? 0
        if (there === undefined && left !== RESERVE_BYTES) rmSync(path, { force: true })
      }
    },
    spend() {
      if (!existsSync(path)) return false
      rmSync(path, { force: true })
      return true
    },
    lend() {
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

/** Full before anything of the commit was complete. */
const isUnwritten = (cause: unknown): boolean => isFull(cause) && !isUnsettled(cause)

/** What opens a store, with a part of the reserve where the disk is full: whoever wants to delete has to open it first. */
export function openWithReserve<T>(reserve: Reserve, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (!isFull(causeOf(error)) || !reserve.lend()) throw error
    return open()
  }
}

/** The same store; a commit that only deletes and finds the disk full is tried again with what was kept for it. */
export function withReserve(store: Store, reserve: Reserve): Store {
  return {
    ...store,
    async commit(by, decide) {
      let deletes = false
      try {
        return await store.commit(by, (at) => {
          const changes = decide(at)
          deletes = changes.length > 0 && changes.every(({ op }) => DELETIONS.has(op))
          return changes
        })
      } catch (error) {
        if (!deletes || !isUnwritten(causeOf(error)) || !reserve.spend()) throw error
        return await store.commit(by, decide)
      }
    },
  }
}
