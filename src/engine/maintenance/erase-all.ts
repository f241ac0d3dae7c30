import { MemoryError } from '../../errors.js'
import type { Backend } from '../../ports/backend.js'
import type { EmbeddingModel } from '../../ports/embedder.js'
import type { Counts } from '../../ports/store.js'
import type { Context } from '../context.js'
import type { EngineLog, Environment } from '../environment.js'

interface EraseAll {
  /** Null for all owners. */
  readonly owner: string | null
  readonly actor: string
  readonly reason: string
  /** Copies the whole store first. */
  readonly keepCopy: boolean
}

interface EraseResult {
  /** Counts before the deletion. */
  readonly counts: Counts
  /** The file that still contains the erased data; null without a copy. */
  readonly copy: string | null
}

/** Erases all data of one owner or of all. The store is copied first; if that fails, nothing is erased. */
export async function eraseAll(
  { store, maintenance }: Pick<Environment, 'store' | 'maintenance'>,
  { owner, actor, reason, keepCopy }: EraseAll,
): Promise<EraseResult> {
  const counts = await store.counts(owner ?? undefined)
  const isEmpty = counts.facts + counts.entities + counts.edges + counts.sources + counts.passages === 0
  const copy = keepCopy && !isEmpty ? await copyFirst(maintenance) : null
  await store.commit({ actor, owners: owner === null ? 'everyone' : [owner] }, () => [{ op: 'reset', owner, reason }])
  return { counts, copy }
}

async function copyFirst(maintenance: Environment['maintenance']): Promise<string | null> {
  try {
    return await maintenance.keepCopy()
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    throw new MemoryError(error.code, `Nothing was erased, because no copy could be made first. ${error.message}`, {
      hint: 'Make room in the data directory, or erase without a copy: --reset-copy false.',
      cause: error,
    })
  }
}

/** Erases one owner, or all (null), with a copy if configured. */
export const eraseMemory = (context: Context, actor: string, input: { readonly owner: string | null; readonly reason: string }) =>
  eraseAll(context, { ...input, actor, keepCopy: context.settings.resetCopy })

/** Empties a store with vectors of another model after copying it. A matching store stays unchanged. */
export async function resetForModel(backend: Backend, model: EmbeddingModel, log: EngineLog): Promise<void> {
  const stored = await backend.backlog.model()
  if (stored === undefined || (stored.id === model.id && stored.dimensions === model.dimensions)) return
  const { copy } = await eraseAll(backend, { owner: null, actor: 'mneme', reason: '--reset-memory', keepCopy: true })
  await backend.backlog.discard(model)
  log.warn('the memory was emptied for another embedding model', { before: stored.id, now: model.id, copy })
}
