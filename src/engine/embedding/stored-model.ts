import { MemoryError } from '../../errors.js'
import type { EmbeddingBacklog } from '../../ports/backlog.js'
import type { EmbeddingModel } from '../../ports/embedder.js'
import type { Environment } from '../environment.js'

/** Rejects a model other than that of the stored vectors, unless `force` moves the store to it. */
export async function checkStoredModel(backlog: EmbeddingBacklog, model: EmbeddingModel, force: boolean): Promise<void> {
  const stored = await backlog.model()
  if (stored !== undefined && stored.dimensions !== model.dimensions && !force) {
    throw new MemoryError(
      'conflict',
      `Dimension mismatch: database has ${stored.dimensions}d vectors, configured model produces ${model.dimensions}d. Use --force-model or --reset-memory`,
      {
        hint: `The store was made with ${stored.id}. Configure that model again, or start once with --force-model to embed everything again, or with --reset-memory to keep a backup and start empty.`,
      },
    )
  }
  if (stored !== undefined && stored.id !== model.id && !force) {
    throw new MemoryError('conflict', `The store holds vectors of ${stored.id}, the configured model is ${model.id}.`, {
      hint: 'Configure that model again, or start once with --force-model to embed everything again.',
    })
  }
}

/** Rejects a store whose vectors have another dimension than the configured model. */
export async function checkStoredDimensions({ backlog, embedder }: Environment): Promise<void> {
  const stored = await backlog.model()
  const { dimensions } = embedder.model
  if (stored === undefined || embedder.disabled === true || stored.dimensions === dimensions) return
  throw new MemoryError('unprocessable', `vec_facts dimensionality mismatch: stored=${stored.dimensions} configured=${dimensions}`, {
    reason: 'embed_dimensionality_mismatch',
    hint: 'Configure the model the store was made with, or run `mneme reindex --vectors` to embed everything again with this one.',
  })
}
