import { LOCAL_PRINCIPAL, type Principal } from '../core/access/access-filter.js'
import type { JsonObject } from '../core/encoding/json.js'
import type { Store } from '../ports/store.js'
import { createDenials } from './access/denials.js'
import { createKeyRing } from './access/keys.js'
import { accessRoom, gardensRoom } from './access/room.js'
import { restrictBackend } from './access-filter/restricted-backend.js'
import { restrictProjects } from './access-filter/restricted-code.js'
import type { CodeMemory } from './code/code-memory.js'
import { createConcurrencyLimit } from './concurrency-limit.js'
import type { Environment } from './environment.js'
import { createFollower, federationRoom } from './federation/room.js'
import { governedRoom } from './governed/room.js'
import { createSearchCache, type SearchCache } from './graph/search-cache.js'
import { type IdempotentCall, runIdempotentCall } from './history/idempotency.js'
import { createLinker } from './links/similar.js'
import { createMaskingStore, createMaskReportingStore } from './masking.js'
import {
  captureRoom,
  codeRoom,
  createFactsApi,
  type EngineServices,
  edgesRoom,
  entitiesRoom,
  evidenceRoom,
  historyRoom,
  jobsRoom,
  objectsRoom,
  searchRoom,
  transferRoom,
  upkeepRoom,
} from './rooms.js'
import { statementsRoom } from './statements-room.js'
import { createAccessLog } from './stigmem/access-log.js'
import { createCards } from './stigmem/cards.js'
import { createLazyIndexSync } from './substrate/lazy-index-sync.js'
import { createSyncingStore } from './substrate/projections/followed-store.js'

/** What can be done with a memory, by what it is done to. */
export interface Engine extends Pick<Environment, 'version' | 'clock' | 'ids' | 'settings' | 'log'> {
  readonly facts: ReturnType<typeof createFactsApi>
  readonly statements: ReturnType<typeof statementsRoom>
  readonly entities: ReturnType<typeof entitiesRoom>
  readonly edges: ReturnType<typeof edgesRoom>
  readonly search: ReturnType<typeof searchRoom>
  readonly code: ReturnType<typeof codeRoom>
  readonly governed: ReturnType<typeof governedRoom>
  readonly objects: ReturnType<typeof objectsRoom>
  readonly evidence: ReturnType<typeof evidenceRoom>
  readonly access: ReturnType<typeof accessRoom>
  readonly gardens: ReturnType<typeof gardensRoom>
  readonly federation: ReturnType<typeof federationRoom>
  readonly history: ReturnType<typeof historyRoom>
  readonly jobs: ReturnType<typeof jobsRoom>
  readonly transfer: ReturnType<typeof transferRoom>
  readonly capture: ReturnType<typeof captureRoom>
  readonly upkeep: ReturnType<typeof upkeepRoom>
  /** False where no model is wanted: then nothing waits for vectors. */
  readonly hasEmbedder: boolean
  /** The same engine; `note` hears which kinds of secrets are masked in what is stored through it. */
  reportingMasked(note: (kinds: readonly string[]) => void): Engine
  /** The same engine as far as someone reaches: what they may not see is not there, what they may not change is refused. */
  forPrincipal(principal: Principal): Engine
  /** Carries a call out once, however often it is repeated: what it commits through the engine it is given is part of the call. */
  runIdempotent(work: IdempotentWork): Promise<JsonObject>
  /** True once it takes no more writes and has to be opened anew. */
  isOver(): boolean
  /** For a process that stays: loads what searches need, and takes up work that others left. */
  startBackgroundWork(): void
  close(): Promise<void>
}

export interface IdempotentWork extends Omit<IdempotentCall, 'run'> {
  run(engine: Engine): Promise<JsonObject>
}

/** More at once are no sooner done, and keep everyone else waiting. */
const MAX_CONCURRENT_RECALLS = 4

/** Starts the background work of an environment and ends it again. */
export function createEngine(given: Environment, code: CodeMemory): Engine {
  const derived = createLazyIndexSync(given)
  const followed = over(given, createSyncingStore(given.backend.store, given.projections, derived))
  const env = given.settings.maskSecrets ? over(followed, createMaskingStore(followed.backend.store)) : followed
  const searchCache = createSearchCache(env.settings.graph.searchCache, env.clock)
  env.embedding.drain()
  const lastCall = { at: Number.NEGATIVE_INFINITY }
  return engineOf(env, {
    lastCall,
    linker: createLinker(env, lastCall),
    cards: createCards(env),
    accesses: createAccessLog(env),
    trust: new Map(),
    totals: new Map(),
    recalls: createConcurrencyLimit(MAX_CONCURRENT_RECALLS),
    searchCache,
    code,
    keyRing: createKeyRing(env),
    denials: createDenials(env),
    follower: createFollower(env),
    derived,
  })
}

/** The same environment with another way to the store. */
const over = (env: Environment, store: Store): Environment => ({ ...env, backend: { ...env.backend, store } })

function engineOf(env: Environment, behind: EngineServices): Engine {
  const { version, clock, ids, settings, log, backend } = env
  const self: Engine = {
    version,
    clock,
    ids,
    settings,
    log,
    hasEmbedder: !env.embedder.disabled,
    facts: createFactsApi(env),
    statements: statementsRoom(env, behind),
    entities: entitiesRoom(env, behind),
    edges: edgesRoom(env, behind),
    search: searchRoom(env, behind),
    code: codeRoom(env, behind),
    governed: governedRoom(env, behind.derived),
    objects: objectsRoom(env, behind),
    evidence: evidenceRoom(env, behind),
    access: accessRoom(env, behind),
    gardens: gardensRoom(env),
    federation: federationRoom(env),
    history: historyRoom(env),
    jobs: jobsRoom(env),
    transfer: transferRoom(env),
    capture: captureRoom(env),
    upkeep: upkeepRoom(env),
    forPrincipal(principal) {
      behind.lastCall.at = performance.now()
      return principal === LOCAL_PRINCIPAL ? self : engineOf(asSeenBy(env, principal), limitBehind(behind, principal))
    },
    reportingMasked: (note) => engineOf(over(env, createMaskReportingStore(backend.store, note)), behind),
    runIdempotent: (work) =>
      runIdempotentCall(backend.store, log, { ...work, run: (store) => work.run(engineOf(over(env, store), behind)) }),
    isOver: () => backend.needsReopen(),
    startBackgroundWork() {
      behind.code.resume()
      behind.cards.wake()
      env.projections.wake([env.settings.defaultOwner])
      env.embedder.warm()
      behind.follower.start()
      void backend.warm().catch((error: unknown) => log.warn('the search structures could not be loaded', { failure: String(error) }))
    },
    async close() {
      await behind.denials.close()
      await behind.follower.close()
      await behind.linker.close()
      await behind.cards.close()
      await behind.accesses.close()
      await behind.code.close()
      await behind.derived.close()
      await env.embedding.close()
      await env.rerankStage.close()
      await env.documents.close()
      await env.projections.close()
      await env.derived?.close()
      await env.embedder.close()
      await backend.close()
    },
  }
  return self
}

/** What is not said to be anyone's is the caller's own. */
function asSeenBy(env: Environment, principal: Principal): Environment {
  const own = principal.owner === null ? {} : { defaultOwner: principal.owner, askedOwner: principal.owner }
  return { ...env, backend: restrictBackend(env.backend, principal), settings: { ...env.settings, ...own } }
}

/** Whoever reaches the same is answered the same. */
const cacheFor = (cache: SearchCache, reach: string): SearchCache => ({
  get: (key, mark) => cache.get(`${reach} ${key}`, mark),
  put: (key, mark, hits) => cache.put(`${reach} ${key}`, mark, hits),
  stats: cache.stats,
})

/** Projects are someone's; answers that are kept are kept for whoever reads the same. */
function limitBehind(behind: EngineServices, principal: Principal): EngineServices {
  return {
    ...behind,
    code: restrictProjects(behind.code, principal),
    searchCache: cacheFor(behind.searchCache, JSON.stringify(principal.reach)),
  }
}
