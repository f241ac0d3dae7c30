import type { JsonObject } from '../core/json.js'
import { LOCAL, type Principal } from '../core/visibility.js'
import type { Store } from '../ports/store.js'
import { createDenials } from './access/denials.js'
import { createKeyRing } from './access/keys.js'
import { accessRoom, gardensRoom } from './access/room.js'
import { createCards } from './cards/cards.js'
import type { CodeMemory } from './code/code-memory.js'
import { derivedOnDemand } from './derived-on-demand.js'
import type { Environment } from './environment.js'
import { createFollower, federationRoom } from './federation/room.js'
import { createGate } from './gate.js'
import { governedRoom } from './governed/room.js'
import { carryOutOnce, type Work } from './history/once.js'
import { createLinker } from './links/similar.js'
import { notingMasked, withoutSecrets } from './masking.js'
import { followedStore } from './projections/followed-store.js'
import { limitBackend } from './reach/limited-backend.js'
import { limitProjects } from './reach/limited-code.js'
import {
  type Behind,
  captureRoom,
  codeRoom,
  edgesRoom,
  entitiesRoom,
  evidenceRoom,
  factsRoom,
  historyRoom,
  jobsRoom,
  objectsRoom,
  searchRoom,
  transferRoom,
  upkeepRoom,
} from './rooms.js'
import { createSearchCache, type SearchCache } from './search/search-cache.js'
import { createAccessLog } from './statements/access-log.js'
import { statementsRoom } from './statements-room.js'

/** What can be done with a memory, by what it is done to. */
export interface Engine extends Pick<Environment, 'version' | 'clock' | 'ids' | 'settings' | 'diary'> {
  readonly facts: ReturnType<typeof factsRoom>
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
  readonly embeds: boolean
  /** The same engine; `note` hears which kinds of secrets are masked in what is stored through it. */
  noting(note: (kinds: readonly string[]) => void): Engine
  /** The same engine as far as someone reaches: what they may not see is not there, what they may not change is refused. */
  as(principal: Principal): Engine
  /** Carries a call out once, however often it is repeated: what it commits through the engine it is given is part of the call. */
  once(work: OnceWork): Promise<JsonObject>
  /** True once it takes no more writes and has to be opened anew. */
  isOver(): boolean
  /** For a process that stays: loads what searches need, and takes up work that others left. */
  stay(): void
  close(): Promise<void>
}

export interface OnceWork extends Omit<Work, 'run'> {
  run(engine: Engine): Promise<JsonObject>
}

/** More at once are no sooner done, and keep everyone else waiting. */
const RECALLS_AT_ONCE = 4

/** Starts the background work of an environment and ends it again. */
export function createEngine(given: Environment, code: CodeMemory): Engine {
  const derived = derivedOnDemand(given)
  const followed = over(given, followedStore(given.backend.store, given.projections, derived))
  const env = given.settings.maskSecrets ? over(followed, withoutSecrets(followed.backend.store)) : followed
  const searchCache = createSearchCache(env.settings.graph.searchCache, env.clock)
  env.vectoriser.drain()
  const lastCall = { at: Number.NEGATIVE_INFINITY }
  return engineOf(env, {
    lastCall,
    linker: createLinker(env, lastCall),
    cards: createCards(env),
    accesses: createAccessLog(env),
    trust: new Map(),
    totals: new Map(),
    recalls: createGate(RECALLS_AT_ONCE),
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

function engineOf(env: Environment, behind: Behind): Engine {
  const { version, clock, ids, settings, diary, backend } = env
  const self: Engine = {
    version,
    clock,
    ids,
    settings,
    diary,
    embeds: !env.embedder.disabled,
    facts: factsRoom(env),
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
    as(principal) {
      behind.lastCall.at = performance.now()
      return principal === LOCAL ? self : engineOf(asSeenBy(env, principal), limitBehind(behind, principal))
    },
    noting: (note) => engineOf(over(env, notingMasked(backend.store, note)), behind),
    once: (work) => carryOutOnce(backend.store, diary, { ...work, run: (store) => work.run(engineOf(over(env, store), behind)) }),
    isOver: () => backend.isOver(),
    stay() {
      behind.code.resume()
      behind.cards.wake()
      env.projections.wake([env.settings.defaultOwner])
      env.embedder.warm()
      behind.follower.start()
      void backend.warm().catch((error: unknown) => diary.warn('the search structures could not be loaded', { failure: String(error) }))
    },
    async close() {
      await behind.denials.close()
      await behind.follower.close()
      await behind.linker.close()
      await behind.cards.close()
      await behind.accesses.close()
      await behind.code.close()
      await behind.derived.close()
      await env.vectoriser.close()
      await env.secondLook.close()
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
  return { ...env, backend: limitBackend(env.backend, principal), settings: { ...env.settings, ...own } }
}

/** Whoever reaches the same is answered the same. */
const cacheFor = (cache: SearchCache, reach: string): SearchCache => ({
  get: (key, mark) => cache.get(`${reach} ${key}`, mark),
  put: (key, mark, hits) => cache.put(`${reach} ${key}`, mark, hits),
  stats: cache.stats,
})

/** Projects are someone's; answers that are kept are kept for whoever reads the same. */
function limitBehind(behind: Behind, principal: Principal): Behind {
  return {
    ...behind,
    code: limitProjects(behind.code, principal),
    searchCache: cacheFor(behind.searchCache, JSON.stringify(principal.reach)),
  }
}
