import { MemoryError } from '../errors.js'
import type { Counts } from '../ports/store.js'
import type { Environment } from './environment.js'

export interface EraseAll {
  /** Null for everyone. */
  readonly owner: string | null
  readonly actor: string
  readonly reason: string
  /** Copies the whole store beside itself first. */
  readonly keepCopy: boolean
}

export interface AllErased {
  /** What there was. */
  readonly counts: Counts
  /** The file that still holds what was erased; null without one. */
  readonly copy: string | null
}

/** Erases everything of one owner, or of all. This cannot be taken back, so the store is copied first and nothing is erased without that. */
export async function eraseAll(
  { backend }: Pick<Environment, 'backend'>,
  { owner, actor, reason, keepCopy }: EraseAll,
): Promise<AllErased> {
  const counts = await backend.store.counts(owner ?? undefined)
  const isEmpty = counts.facts + counts.entities + counts.edges + counts.sources + counts.passages === 0
  const copy = keepCopy && !isEmpty ? await copyFirst(backend) : null
  await backend.store.commit(actor, () => [{ op: 'reset', owner, reason }])
  return { counts, copy }
}

async function copyFirst(backend: Environment['backend']): Promise<string | null> {
  try {
    return await backend.upkeep.keepCopy()
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    throw new MemoryError(error.code, `Nothing was erased, because no copy could be made first. ${error.message}`, {
      hint: 'Make room in the data directory, or erase without a copy: --reset-copy false.',
      cause: error,
    })
  }
}
