import type { Environment } from './environment.js'
import { createLinker, type Linker } from './links/similar.js'
import { withoutSecrets } from './masking.js'
import { createSearchCache, type SearchCache } from './search/search-cache.js'

/** An open memory: what the contracts work with. */
export interface Engine extends Environment {
  readonly linker: Linker
  readonly searchCache: SearchCache
  close(): Promise<void>
}

/** Starts the background work of an environment and ends it again. */
export function createEngine(given: Environment): Engine {
  const { backend, settings } = given
  const env = settings.maskSecrets ? { ...given, backend: { ...backend, store: withoutSecrets(backend.store) } } : given
  const linker = createLinker(env)
  env.vectoriser.drain()
  return {
    ...env,
    linker,
    searchCache: createSearchCache(env.settings.graph.searchCache, env.clock),
    async close() {
      await linker.close()
      await env.code.close()
      await env.vectoriser.close()
      await env.secondLook.close()
      await env.embedder.close()
      await env.backend.close()
    },
  }
}
