import { resolve } from 'node:path'
import type { Config } from '../src/config.js'
import type { CodeMemory } from '../src/engine/code/code-memory.js'
import { createEngine, type Engine } from '../src/engine/engine.js'
import type { Environment } from '../src/engine/environment.js'
import { type OpenOptions, openParts } from '../src/open.js'
import type { Backend } from '../src/ports/backend.js'

/** An engine and its backend, which only tests may access. */
export interface Opened {
  readonly engine: Engine
  readonly environment: Environment
  readonly backend: Backend
  readonly code: CodeMemory
}

const QUIET = { warn: () => undefined }

/** In tests on a server (vitest.postgres.config.ts), a database replaces the file of each data folder. */
async function onServer(config: Config): Promise<Config> {
  const server = process.env.TEST_POSTGRES_SERVER
  if (server === undefined || config.database !== undefined) return config
  const { databaseOf } = await import('./postgres/everywhere/folder-database.mjs')
  return { ...config, database: await databaseOf(server, resolve(config.dataDir)) }
}

export async function openBoth(config: Config, options: OpenOptions = {}): Promise<Opened> {
  const { environment, backend, code } = await openParts(await onServer(config), { log: QUIET, ...options })
  // Methods are looked up with every call, so that a test may replace one of them.
  const store = new Proxy(backend.store, {
    get: (target, name) =>
      Reflect.get(target, name) === undefined
        ? undefined
        : (...values: unknown[]) => Reflect.apply(Reflect.get(target, name), target, values),
  })
  const engine = createEngine({ ...environment, store, view: (owner, reach) => backend.view(owner, reach) }, backend, code)
  return { engine, environment, backend, code }
}
