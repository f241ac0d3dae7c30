import type { EmbedderStatus } from '../../ports/embedder.js'
import type { RerankerStatus } from '../../ports/reranker.js'
import type { Counts } from '../../ports/store.js'
import type { Environment } from '../environment.js'

export interface Status {
  readonly version: string
  /** Problems, each with its remedy; empty if healthy. */
  readonly problems: readonly string[]
  readonly location: string
  readonly counts: Counts
  readonly searchMemoryBytes: number
  readonly embedding: {
    readonly state: 'loading' | 'ready' | 'error'
    readonly model: string
    readonly dimensions: number
    /** The model of the stored vectors. */
    readonly stored: { readonly id: string; readonly dimensions: number } | null
    readonly pending: number
    readonly problem: string | null
    readonly cache: EmbedderStatus['cache']
  }
  readonly reranker: { readonly state: 'off' | RerankerStatus['state']; readonly problem: string | null }
}

/** Facts without a vector, and long ones with missing pieces. */
async function pendingTexts({ backlog }: Environment): Promise<number> {
  return (await backlog.pending('facts')) + (await backlog.pending('pieces')) + (await backlog.pending('passages'))
}

/** Cache statistics, without those that would reveal other principals' activity. */
export const cacheOf = ({ isRestricted, embedder }: Environment): EmbedderStatus['cache'] =>
  isRestricted === true ? { ...embedder.status().cache, hits: 0, misses: 0, size: 0 } : embedder.status().cache

export async function readStatus(env: Environment): Promise<Status> {
  const failure = await env.embedding.problem()
  const embedder = env.embedder.status()
  const unwritable = await env.problem()
  const stored = await env.backlog.model()
  const { model } = env.embedder
  const foreign = stored !== undefined && !env.embedder.disabled && (stored.id !== model.id || stored.dimensions !== model.dimensions)
  const problem = foreign
    ? `The store holds vectors of ${stored.id}, the configured model is ${model.id}: nothing is found by meaning. Configure that model again, or run \`mneme reindex --vectors\`.`
    : (failure ?? embedder.problem)
  const reranker = env.rerankStage.status()
  return {
    version: env.version,
    // A disabled model is not a problem.
    problems: [
      ...(unwritable === undefined ? [] : [unwritable]),
      ...[problem, reranker?.problem ?? null].flatMap((text) => (text === null || env.embedder.disabled ? [] : [text])),
    ],
    location: env.location,
    counts: await env.store.counts(undefined),
    searchMemoryBytes: env.memoryBytes(),
    embedding: {
      // A model unloaded while idle is loaded by the next call, so callers see it as ready.
      state: foreign || failure !== null ? 'error' : embedder.state === 'idle' ? 'ready' : embedder.state,
      model: model.id,
      dimensions: model.dimensions,
      stored: stored ?? null,
      pending: await pendingTexts(env),
      problem,
      cache: cacheOf(env),
    },
    reranker: reranker ?? { state: 'off', problem: null },
  }
}
