import type { Environment } from './environment.js'

/** An open memory: what the contracts work with. */
export interface Engine extends Environment {
  close(): Promise<void>
}

/** Starts the background work of an environment and ends it again. */
export function createEngine(env: Environment): Engine {
  env.vectoriser.drain()
  return {
    ...env,
    async close() {
      await env.vectoriser.close()
      await env.embedder.close()
      await env.backend.close()
    },
  }
}
