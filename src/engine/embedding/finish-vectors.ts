import type { Environment } from '../environment.js'

/** Waits until every stored text has a vector. */
export const finishVectors = (env: Environment, progress: (done: number, total: number) => void, signal: AbortSignal): Promise<number> =>
  env.embedding.finish(progress, signal)
