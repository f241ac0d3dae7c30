import { setTimeout as delay } from 'node:timers/promises'
import { toBaselineAccess } from '../../core/access/access-filter.js'
import { embedText } from '../../core/embedding/fact-text.js'
import type { JsonObject } from '../../core/encoding/json.js'
import type { Fact } from '../../core/facts/fact.js'
import { isExpired } from '../../core/facts/lifecycle.js'
import { isCurrentStatus } from '../../core/facts/validity.js'
import type { Entity } from '../../core/graph/entity.js'
import { MENTIONS_ENTITY, SIMILAR_TO } from '../../core/graph/relation-type.js'
import { toMemoryError } from '../../errors.js'
import type { SimilarLink, UnlinkedOwner, VectorPlace } from '../../ports/graph-index.js'
import type { View } from '../../ports/view.js'
import { resolveAsOf } from '../as-of.js'
import type { Environment } from '../environment.js'
import { LEASE_US } from '../lease-durations.js'
import { withView } from '../with-view.js'

/** When the last call arrived, by the process clock. */
export interface LastCall {
  at: number
}

/** Creates similarity edges: from a fact to older facts, and to entities that it does not name. */
export interface Linker {
  /** Links one fact now if its vector exists. Facts that refuse automatic links are skipped. */
  link(fact: Fact, entityThreshold?: number): Promise<void>
  /** Embeds entities of an owner whose vectors are missing or outdated, if the model is available. */
  embedEntities(owner: string): Promise<void>
  /** Starts linking facts from other contracts and processes in the background. */
  wake(): void
  /** True while facts are linked in the background. */
  isWorking(): boolean
  close(): Promise<void>
}

/** Limit of outgoing edges per fact; incoming ones are not limited. */
const MAX_SIMILAR = 5
const MAX_ENTITIES = 10
const ENTITY_BATCH = 256
const BATCH_SIZE = 16
const OWNERS_BATCH_SIZE = 64
/** Pause between batches, so that calls are answered first. */
const PAUSE_MS = 20
/** A call is expected within this time after the last one; comparing one fact with a large store takes milliseconds. */
const ASKED_MS = 100

const entityText = (entity: Entity): string =>
  entity.description !== null
    ? `${entity.name}: ${entity.description}`
    : entity.type === 'unknown'
      ? entity.name
      : `${entity.name} (${entity.type})`

/** The vector of a fact, computed now if the stored one is pending. */
export async function vectorOf(env: Environment, fact: Fact, signal: AbortSignal): Promise<Float32Array> {
  const stored = await withView(env, fact.owner, (view) => storedVector(view, fact))
  return stored?.vector ?? env.embedding.query(embedText(fact), signal)
}

/** The row of a fact with its vector, if it exists. */
async function storedVector(view: View, { id }: Fact): Promise<{ readonly rid: number; readonly vector: Float32Array } | undefined> {
  const rid = (await view.rows.ridsOf([id])).get(id)
  const vector = rid === undefined ? undefined : (await view.vectors.vectors([rid])).get(rid)
  return rid === undefined || vector === undefined ? undefined : { rid, vector }
}

/** While calls arrive, linking pauses after every fact. */
export function createLinker(env: Environment, lastCall: LastCall): Linker {
  const { settings } = env
  const stop = new AbortController()
  const holder = env.ids.mint()
  const settled = new Map<string, number>()
  let working: Promise<void> | undefined

  // Aborted on close: an unreferenced timer would never resolve for a caller that waits.
  const rest = (): Promise<void> => delay(PAUSE_MS, undefined, { ref: false, signal: stop.signal }).catch(() => undefined)

  /** Uses common facts only, because a hidden fact would take the place of a visible link. */
  const inCommon = <T>(owner: string, use: (view: View) => Promise<T>): Promise<T> => withView(env, owner, use, toBaselineAccess(owner))

  const markOf = (owner: string): Promise<number> => withView(env, owner, async (view) => view.mark)

  const embedEntities = async (owner: string): Promise<void> => {
    const mark = await markOf(owner)
    if (settled.get(owner) === mark) return
    for (;;) {
      const entities = await env.graph.entitiesToEmbed(owner, ENTITY_BATCH)
      if (entities.length === 0) break
      await env.embedding.prepare()
      const vectors = await env.embedder.embed(entities.map(entityText), { purpose: 'passage', signal: stop.signal })
      await env.graph.putEntityVectors(entities.flatMap((entity, i) => (vectors[i] === undefined ? [] : [{ entity, vector: vectors[i] }])))
    }
    if (settled.size > 1000) settled.clear()
    settled.set(owner, await markOf(owner))
  }

  /** Compares with older facts only, so that the result does not depend on the order of processing. */
  const similarFacts = async (view: View, fact: Fact, rid: number, vector: Float32Array): Promise<readonly SimilarLink[]> => {
    const hits = await view.vectors.search(vector, { ...resolveAsOf(env.clock), before: rid }, MAX_SIMILAR, 'whole')
    const near = hits.filter((hit) => hit.score >= settings.graph.thresholds.neighbours)
    const ids = await view.rows.idsOf(near.map((hit) => hit.rid))
    return near.flatMap((hit) => {
      const to = ids.get(hit.rid)
      return to === undefined
        ? []
        : [{ owner: fact.owner, from: fact.id, to, toKind: 'fact' as const, type: SIMILAR_TO, weight: hit.score }]
    })
  }

  const similarEntities = async (fact: Fact, vector: Float32Array, threshold: number): Promise<readonly SimilarLink[]> => {
    await embedEntities(fact.owner)
    const hits = (await env.graph.similarEntities(vector, fact.owner, threshold)).slice(0, 5 * MAX_ENTITIES)
    const now = env.clock.now()
    const usable = new Set(
      (await env.store.entities(hits.map((hit) => hit.id)))
        .filter((entity) => isCurrentStatus(entity.status) && !isExpired(entity, now))
        .map((entity) => entity.id),
    )
    return hits
      .filter((hit) => usable.has(hit.id))
      .slice(0, MAX_ENTITIES)
      .map((hit) => ({ owner: fact.owner, from: fact.id, to: hit.id, toKind: 'entity' as const, type: MENTIONS_ENTITY, weight: hit.score }))
  }

  /** Links a fact to older ones if it has a vector, and returns the vector. */
  const linkFacts = async (view: View, fact: Fact): Promise<{ readonly vector: Float32Array } | undefined> => {
    const stored = await storedVector(view, fact)
    if (stored === undefined) return undefined
    const links = await similarFacts(view, fact, stored.rid, stored.vector)
    if (links.length > 0) await env.graph.linkSimilar(links)
    return stored
  }

  /** Links the remaining facts of one owner, unless another process does. */
  const followOwner = async ({ owner, linked, stamp }: UnlinkedOwner): Promise<void> => {
    const lease = await env.jobs.take('link', owner, holder, env.clock.now(), env.clock.now() + LEASE_US.link)
    if (lease === undefined) return
    let failure: string | null = null
    try {
      for (let place = placeOf(lease.progress, linked); !stop.signal.aborted; ) {
        const facts = await env.graph.vectorsAfter(owner, place, BATCH_SIZE)
        const last = facts[facts.length - 1]
        if (last === undefined) {
          await env.graph.markLinked(owner, stamp)
          break
        }
        for (const { fact } of facts) {
          if (!fact.autoLink) continue
          await inCommon(owner, (view) => linkFacts(view, fact))
          if (performance.now() - lastCall.at < ASKED_MS) await rest()
        }
        place = { stamp: last.stamp, rid: last.rid }
        if (!(await env.jobs.renew(lease, env.clock.now() + LEASE_US.link, { ...place }))) return
        await rest()
      }
    } catch (error) {
      failure = toMemoryError(error).message
      throw error
    } finally {
      // Removes the lease, because one row per owner would accumulate.
      if (failure === null) await env.jobs.forget(lease)
      else await env.jobs.release(lease, env.clock.now(), failure)
    }
  }

  const follow = async (): Promise<void> => {
    for (const tried = new Set<string>(); !stop.signal.aborted; ) {
      const waiting = (await env.graph.unlinked(OWNERS_BATCH_SIZE)).filter(({ owner, stamp }) => !tried.has(`${owner}\0${stamp}`))
      if (waiting.length === 0) return
      for (const unlinked of waiting) {
        tried.add(`${unlinked.owner}\0${unlinked.stamp}`)
        await followOwner(unlinked)
      }
    }
  }

  return {
    embedEntities,
    async link(fact, entityThreshold) {
      if (!fact.autoLink) return
      try {
        const stored = await inCommon(fact.owner, (view) => linkFacts(view, fact))
        if (stored === undefined) return
        const links = await similarEntities(fact, stored.vector, entityThreshold ?? settings.graph.thresholds.autoLink)
        if (links.length > 0) await env.graph.linkSimilar(links)
      } catch (error) {
        // A failed link does not undo the stored fact.
        env.log.warn('a fact was stored without its automatic links', { id: fact.id, failure: toMemoryError(error).message })
      }
    },
    wake() {
      if (stop.signal.aborted) return
      working ??= follow()
        .catch((error: unknown) => {
          if (!stop.signal.aborted) env.log.warn('linking similar facts stopped', { failure: toMemoryError(error).message })
        })
        .finally(() => {
          working = undefined
        })
    },
    isWorking: () => working !== undefined,
    async close() {
      stop.abort()
      await working
    },
  }
}

/** Where an interrupted pass continues; a new pass starts after the facts already compared. */
const placeOf = ({ stamp, rid }: JsonObject, linked: number): VectorPlace =>
  typeof stamp === 'number' && typeof rid === 'number' && stamp > linked ? { stamp, rid } : { stamp: linked, rid: Number.MAX_SAFE_INTEGER }
