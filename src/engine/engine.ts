import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { LOCAL_PRINCIPAL, type Principal } from '../core/access/access-filter.js'
import type { Backend } from '../ports/backend.js'
import { createDenials, type Denials } from './access/denials.js'
import { createKeyRing, type KeyRing } from './access/keys.js'
import { restrictProjects } from './access-filter/restricted-code.js'
import { restrictPorts } from './access-filter/restricted-ports.js'
import type { CodeMemory } from './code/code-memory.js'
import { createConcurrencyLimit } from './concurrency-limit.js'
import type { CallIdentity, Context } from './context.js'
import { createDeliveryLog } from './deliveries/delivery-log.js'
import type { EngineServices } from './engine-services.js'
import type { Environment } from './environment.js'
import { createLazyPeerSync } from './federation/lazy-peer-sync.js'
import { createSearchCache, partitionSearchCache } from './graph/search-cache.js'
import { createLinker } from './links/similar.js'
import { createMaskingStore } from './masking.js'
import { createAccessLog } from './stigmem/access-log.js'
import { createCards } from './stigmem/cards.js'
import { createLazyIndexSync } from './substrate/lazy-index-sync.js'
import { createSyncingStore } from './substrate/projections/followed-store.js'
import { listTrash } from './trash/trash.js'

/** An open memory: creates the context of each call, and owns the background work behind them. */
export interface Engine extends Pick<Environment, 'version' | 'clock' | 'ids' | 'settings' | 'log'> {
  readonly keyRing: KeyRing
  readonly denials: Denials
  /** The principal of a peer's signed token; undefined when it is not a known peer. */
  verifyPeer(header: string, addresses: readonly string[]): Promise<Principal | undefined>
  /** The context of one call, restricted to its principal: the local process unless given. */
  context(call?: Partial<CallIdentity>): Context
  /** True after a commit with unknown outcome: refuses writes until reopened. */
  needsReopen(): boolean
  /** For a long-running process: loads what searches need and resumes unfinished work. */
  startBackgroundWork(): void
  close(): Promise<void>
}

/** Further recalls wait: more at once finish no sooner and delay every other call. */
const MAX_CONCURRENT_RECALLS = 4

/** Memory that shards of owners without a query may take. */
const WARM_BYTES = 16 * 2 ** 20
/** A process without a call for this long is idle. */
const IDLE_MS = 2000

/** Resolves to true when the process is idle, to false when it is closed. */
async function untilIdle(lastUseAt: () => number, closed: AbortSignal): Promise<boolean> {
  for (;;) {
    const rest = IDLE_MS - (performance.now() - lastUseAt())
    if (closed.aborted || rest <= 0) return !closed.aborted
    await delay(rest, undefined, { signal: closed, ref: false }).catch(() => undefined)
  }
}

/** Creates the services of an environment, which share its background work until the engine is closed. */
export function createEngine(ports: Environment, backend: Pick<Backend, 'needsReopen' | 'warm' | 'close'>, code: CodeMemory): Engine {
  const derived = createLazyIndexSync(ports)
  const synced = createSyncingStore(ports.store, ports.projections, derived)
  const env = { ...ports, store: ports.settings.maskSecrets ? createMaskingStore(synced) : synced }
  const { version, clock, ids, settings, log } = env
  env.embedding.drain()
  const lastCall = { at: Number.NEGATIVE_INFINITY }
  const startedAt = performance.now()
  const stop = new AbortController()
  const services: EngineServices = {
    lastCall,
    linker: createLinker(env, lastCall),
    cards: createCards(env),
    accesses: createAccessLog(env),
    trust: new Map(),
    totals: new Map(),
    recalls: createConcurrencyLimit(MAX_CONCURRENT_RECALLS),
    deliveryLog: createDeliveryLog(env),
    searchCache: createSearchCache(settings.graph.searchCache, clock),
    code,
    keyRing: createKeyRing(env),
    denials: createDenials(env),
    derived,
  }
  const peerSync = createLazyPeerSync(env)
  return {
    ...{ version, clock, ids, settings, log },
    keyRing: services.keyRing,
    denials: services.denials,
    verifyPeer: async (header, addresses) => (await import('./federation/verify.js')).verifyPeer(env, header, addresses),
    context({ principal = LOCAL_PRINCIPAL, callId = randomUUID(), signal = new AbortController().signal } = {}) {
      lastCall.at = performance.now()
      const call = { principal, callId, signal }
      if (principal === LOCAL_PRINCIPAL) return { ...env, ...call, services }
      return { ...restrictEnvironment(env, principal), ...call, services: restrictServices(services, principal) }
    },
    needsReopen: () => backend.needsReopen(),
    startBackgroundWork() {
      services.code.resume()
      services.cards.wake()
      env.projections.wake([settings.defaultOwner])
      env.embedder.warm()
      void listTrash(env).catch((error: unknown) => log.warn('the trash could not be emptied', { failure: String(error) }))
      peerSync.start()
      void backend
        .warm({
          first: settings.defaultOwner,
          maxBytes: WARM_BYTES,
          untilIdle: () => untilIdle(() => Math.max(startedAt, lastCall.at), stop.signal),
        })
        .catch((error: unknown) => log.warn('index shards could not be loaded', { failure: String(error) }))
    },
    async close() {
      stop.abort()
      await services.denials.close()
      await services.deliveryLog.close()
      await peerSync.close()
      await services.linker.close()
      await services.cards.close()
      await services.accesses.close()
      await services.code.close()
      await services.derived.close()
      await env.embedding.close()
      await env.rerankStage.close()
      await env.documents.close()
      await env.projections.close()
      await env.derived?.close()
      await env.embedder.close()
      await backend.close()
    },
  }
}

/** The default owner of a principal is its own. */
function restrictEnvironment(env: Environment, principal: Principal): Environment {
  const own = principal.owner === null ? {} : { defaultOwner: principal.owner, askedOwner: principal.owner }
  return { ...restrictPorts(env, principal), settings: { ...env.settings, ...own } }
}

/** Projects belong to owners; cached results are shared among principals with equal access. */
const restrictServices = (services: EngineServices, principal: Principal): EngineServices => ({
  ...services,
  code: restrictProjects(services.code, principal),
  searchCache: partitionSearchCache(services.searchCache, JSON.stringify(principal.reach)),
})
