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
    readonly pending: number
    readonly problem: string | null
    readonly cache: EmbedderStatus['cache']
  }
}

export async function status(env: Environment): Promise<Status> {
  const embedder = env.embedder.status()
  return {
    version: env.version,
    location: env.backend.location,
    counts: await env.backend.store.counts(undefined),
    searchMemoryBytes: env.backend.memoryBytes(),
    embedding: {
      // A model that was unloaded for want of use comes back on the next call: to a caller it is ready.
      state: embedder.state === 'idle' ? 'ready' : embedder.state,
      model: env.embedder.model.id,
      dimensions: env.embedder.model.dimensions,
      pending: (await env.backend.backlog.pending('facts')) + (await env.backend.backlog.pending('passages')),
      problem: embedder.problem,
      cache: embedder.cache,
    },
  }
}
