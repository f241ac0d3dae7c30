import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { type Config, loadConfig } from '../../src/config.js'
import { LOCAL_PRINCIPAL } from '../../src/contracts/operation.js'
import { createKey, type NewKey, revokeKey } from '../../src/engine/access/keys.js'
import { createEmbeddingPipeline } from '../../src/engine/embedding/embedding-pipeline.js'
import { createEngine, type Engine } from '../../src/engine/engine.js'
import { CONTRACT_NAMES, loadContracts, openParts } from '../../src/open.js'
import type { Clock } from '../../src/ports/clock.js'
import type { Host } from '../../src/surfaces/host.js'
import { type App, createApp } from '../../src/surfaces/http/app.js'
import { createDoor, type DoorOptions } from '../../src/surfaces/http/authenticator.js'
import type { Log } from '../../src/surfaces/log.js'
import { openRam } from '../memory-backend/open.js'
import { type Opened, openBoth } from '../opened.js'

const QUIET: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface House {
  readonly opened: Opened
  readonly engine: Engine
  readonly app: App
  /** A request as it would come over the wire. */
  ask(
    method: string,
    path: string,
    given?: { readonly key?: string | undefined; readonly body?: unknown; readonly headers?: Record<string, string> },
  ): Promise<Answered>
  key(terms: Partial<NewKey>): Promise<{ readonly id: string; readonly key: string }>
  revoke(id: string): Promise<unknown>
  close(): Promise<void>
}

/** A whole server without a socket: the store, the contracts and the doors in front of them. */
export async function openHouse(
  options: Partial<Omit<DoorOptions, 'host'>> & {
    readonly flags?: Readonly<Record<string, unknown>>
    /** Which backend, on which clock. */
    readonly kind?: 'sqlite' | 'ram'
    readonly clock?: Clock
  } = {},
): Promise<House> {
  const { flags = {}, kind = 'sqlite', clock, ...given } = options
  const directory = mkdtempSync(join(tmpdir(), 'mneme-doors-'))
  const config = loadConfig({ flags: { dataDir: directory, embedder: 'hash', ...flags }, env: {} }).config
  const opened = kind === 'ram' ? await openOnRam(config, clock) : await openBoth(config, clock === undefined ? {} : { clock })
  const { engine } = opened
  const contracts = await loadContracts(CONTRACT_NAMES)
  const host: Host = {
    version: '1',
    contracts: contracts.filter(({ name }) => name === 'memory'),
    engine: async () => engine,
    close: async () => undefined,
  }
  const door = createDoor({ auth: undefined, rateLimit: 0, ...given, host })
  const app = createApp({ host, log: QUIET, access: { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] }, contracts, door })
  return {
    opened,
    engine,
    app,
    async ask(method, path, { key, body, headers = {} } = {}) {
      const request = new Request(`http://127.0.0.1${path}`, {
        method,
        headers: {
          host: '127.0.0.1',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...headers,
        },
      })
      const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
      const response = await app.fetch(request, bytes)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: readBody(text) }
    },
    key: (terms) =>
      createKey(engine.context(), { actor: 'test', principal: LOCAL_PRINCIPAL }, { owner: 'ann', entity: 'user:ann', ...terms }),
    revoke: (id) => revokeKey(engine.context(), { actor: 'test', principal: LOCAL_PRINCIPAL }, id),
    async close() {
      await app.close()
      await engine.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The same engine over the backend that the others are measured by. */
async function openOnRam(config: Config, given: Clock | undefined): Promise<Opened> {
  const clock = given ?? { now: () => Date.now() * 1000 }
  const { environment, backend: unused, code } = await openParts(config, { clock, log: { warn: () => undefined } })
  const backend = await openRam({ clock })
  await unused.close()
  const { embedder, log } = environment
  const timing = { holder: 'test', forceModel: false, waitMs: 5000 }
  const embedding = createEmbeddingPipeline({ backlog: backend.backlog, jobs: backend.jobs, embedder, clock, log, ...timing })
  const whole = { ...environment, ...backend, embedding }
  return { engine: createEngine(whole, backend, code), environment: whole, backend, code }
}

const bodySchema = z.record(z.string(), z.unknown())

function readBody(text: string): Readonly<Record<string, unknown>> {
  try {
    return bodySchema.parse(JSON.parse(text))
  } catch {
    return {}
  }
}
