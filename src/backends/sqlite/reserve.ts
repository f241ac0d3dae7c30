import { closeSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import type { Change } from '../../core/change.js'
import { MemoryError } from '../../errors.js'
import type { Store } from '../../ports/store.js'
import { codeOf } from './failure.js'

/** What the log needs to take a deletion: its pages, those of the indexes and of the journal. */
const RESERVE_BYTES = 1024 * 1024

export const RESERVE_SUFFIX = '-reserve'

/**
 * Deleting needs room first, for the log: on a full disk nobody could make any. So a store keeps a little for that
 * beside it, as a file of zeros that is removed when a deletion finds no room.
 */
export interface Reserve {
  /** Makes it, where there is room. */
  fill(): void
  /** Gives the room back to the disk; false when there was none. */
  spend(): boolean
}

export function createReserve(file: string): Reserve {
  const path = `${file}${RESERVE_SUFFIX}`
  return {
    fill() {
      if (existsSync(path)) return
      try {
        const handle = openSync(path, 'wx', 0o600)
        try {
          writeSync(handle, Buffer.alloc(RESERVE_BYTES))
        } finally {
          closeSync(handle)
        }
      } catch {
        // Without room, or made by another process meanwhile: half of it would be taken for whole.
        if (statSync(path, { throwIfNoEntry: false })?.size !== RESERVE_BYTES) rmSync(path, { force: true })
      }
    },
    spend() {
      if (!existsSync(path)) return false
      rmSync(path, { force: true })
      return true
    },
  }
}

const DELETIONS: ReadonlySet<Change['op']> = new Set(['fact.delete', 'entity.delete', 'edge.delete', 'source.delete', 'reset'])

const isFull = (error: unknown): boolean => error instanceof MemoryError && codeOf(error.cause).startsWith('SQLITE_FULL')

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
        if (!deletes || !isFull(error) || !reserve.spend()) throw error
        return await store.commit(by, decide)
      }
    },
  }
}
