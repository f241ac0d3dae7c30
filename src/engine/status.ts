import type { EmbedderStatus } from '../ports/embedder.js'
import type { Counts } from '../ports/store.js'
import type { Environment } from './environment.js'

export interface Status {
  readonly version: string
  readonly location: string
  readonly counts: Counts
  readonly searchMemoryBytes: number
  readonly embedding: {
    readonly state: 'loading' | 'ready' | 'error'
    readonly model: string
    readonly dimensions: number
    /** The model whose vectors the store holds. */
    readonly stored: { readonly id: string; readonly dimensions: number } | null
    readonly pending: number
    readonly problem: string | null
    readonly cache: EmbedderStatus['cache']
  }
}

export async function status(env: Environment): Promise<Status> {
  const embedder = env.embedder.status()
  const stored = await env.backend.backlog.model()
  const { model } = env.embedder
  const foreign = stored !== undefined && !env.embedder.disabled && (stored.id !== model.id || stored.dimensions !== model.dimensions)
  return {
    version: env.version,
    location: env.backend.location,
    counts: await env.backend.store.counts(undefined),
    searchMemoryBytes: env.backend.memoryBytes(),
    embedding: {
      // A model that was unloaded for want of use comes back on the next call: to a caller it is ready.
      state: foreign ? 'error' : embedder.state === 'idle' ? 'ready' : embedder.state,
      model: model.id,
      dimensions: model.dimensions,
      stored: stored ?? null,
      pending: (await env.backend.backlog.pending('facts')) + (await env.backend.backlog.pending('passages')),
      problem: foreign ? `The store holds vectors of ${stored.id}, the configured model is ${model.id}.` : embedder.problem,
      cache: embedder.cache,
    },
  }
}
