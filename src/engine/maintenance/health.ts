import { resolveAsOf } from '../as-of.js'
import type { Environment } from '../environment.js'
import { withView } from '../with-view.js'

/** State of each component. */
export interface Health {
  readonly store: boolean
  readonly embeddings: boolean
  readonly vectors: boolean
}

export async function healthOf(env: Environment, signal: AbortSignal): Promise<Health> {
  return {
    store: await answers(() => pingStore(env)),
    embeddings: await answers(() => env.embedding.query('health', signal)),
    vectors: await answers(() => searchVectors(env)),
  }
}

/** Rejects if the store does not respond. */
export async function pingStore(env: Environment): Promise<void> {
  await env.store.journal({ newestFirst: true, limit: 1 })
}

const answers = async (part: () => Promise<unknown>): Promise<boolean> => {
  try {
    await part()
    return true
  } catch {
    return false
  }
}

/** Searches with an arbitrary vector. Before the first model is known, there is nothing to search. */
async function searchVectors(env: Environment): Promise<void> {
  const vector = new Float32Array(env.embedder.model.dimensions)
  vector[0] = 1
  await withView(env, env.settings.defaultOwner, (view) => view.vectors.search(vector, resolveAsOf(env.clock), 1))
}
