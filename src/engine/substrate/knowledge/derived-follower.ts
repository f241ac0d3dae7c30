import { setTimeout as delay } from 'node:timers/promises'
import type { JsonObject } from '../../../core/encoding/json.js'
import { MemoryError, toMemoryError } from '../../../errors.js'
import type { DerivedBackends, DerivedKind } from '../../../ports/derived-index.js'
import type { Lease } from '../../../ports/jobs.js'
import type { DerivedIndexSync, Environment, Rebuilt } from '../../environment.js'
import { rebuildGraph, syncGraph } from '../graph-mirror/graph-mirror.js'
import { rebuildSemantic, syncSemantic } from '../vector-table/semantic-index.js'
import { configurationOf } from './configuration.js'

const LEASE_US = 30e6
const RENEW_MS = 5_000
const ASK_AGAIN_MS = 50
const WAKE_MS = 100
const PAGE_SIZE = 500
/** Above this backlog, rebuilding is faster. */
const MAX_BEHIND = 5_000

/** Progress of a derived database in the journal of an owner. */
interface FollowedIndex {
  readonly seq: number
  /** Objects whose vectors were pending. */
  readonly waiting: readonly string[]
}

function followedBy({ seq, waiting }: JsonObject): FollowedIndex | undefined {
  if (typeof seq !== 'number') return undefined
  return { seq, waiting: Array.isArray(waiting) ? waiting.filter((id): id is string => typeof id === 'string') : [] }
}

const headOf = async ({ store }: Environment, owner: string): Promise<number> =>
  (await store.journal({ owner, newestFirst: true, limit: 1 }))[0]?.seq ?? 0

/** Owners share one database per kind, so one process writes it at a time. */
const WRITER_LEASE = 'writer'

async function takeLease({ jobs, clock, ids }: Environment, kind: DerivedKind, name: string): Promise<Lease> {
  const holder = ids.mint()
  for (const since = clock.now(); ; await delay(ASK_AGAIN_MS)) {
    const now = clock.now()
    const lease = await jobs.take('derived', `${kind} ${name}`, holder, now, now + LEASE_US)
    if (lease !== undefined) return lease
    if (now - since > 4 * LEASE_US)
      throw new MemoryError('unavailable', `Another process is writing the ${kind} index.`, { hint: 'Try again later.' })
  }
}

/** The progress for an owner is stored in a lease of that owner. */
async function withLease<T>(
  env: Environment,
  kind: DerivedKind,
  owner: string,
  work: (before: FollowedIndex | undefined) => Promise<{ readonly followed: FollowedIndex; readonly result: T }>,
): Promise<T> {
  const { jobs } = env
  const held = await takeLease(env, kind, `of ${owner}`)
  const writer = await takeLease(env, kind, WRITER_LEASE).catch(async (failure: unknown) => {
    await jobs.release(held, env.clock.now(), null)
    throw failure
  })
  const renewal = setInterval(() => {
    for (const lease of [held, writer]) void jobs.renew(lease, env.clock.now() + LEASE_US, lease.progress).catch(() => false)
  }, RENEW_MS).unref()
  try {
    const { followed, result } = await work(followedBy(held.progress))
    await jobs.renew(held, env.clock.now() + LEASE_US, { seq: followed.seq, waiting: followed.waiting })
    return result
  } finally {
    clearInterval(renewal)
    await jobs.release(writer, env.clock.now(), null)
    await jobs.release(held, env.clock.now(), null)
  }
}

/** Rebuilds a derived database. */
const rebuildDerived = (env: Environment, derived: DerivedBackends, kind: DerivedKind, owner: string): Promise<Rebuilt> =>
  withLease(env, kind, owner, async () => {
    const seq = await headOf(env, owner)
    return { followed: { seq, waiting: [] }, result: await rebuilt(env, derived, kind, owner) }
  })

async function rebuilt(env: Environment, derived: DerivedBackends, kind: DerivedKind, owner: string): Promise<Rebuilt> {
  if (kind === 'lancedb') return { objects: await rebuildSemantic(env, derived, owner), relations: 0 }
  const { records, relations } = await rebuildGraph(env, derived, owner)
  return { objects: records.length, relations: relations.length }
}

const isThere = async (derived: DerivedBackends, kind: DerivedKind, model: string): Promise<boolean> =>
  kind === 'lancedb' ? (await (await derived.semantic()).model()) === model : (await (await derived.graph()).counts('')) !== undefined

/** Updates a derived database to the last commit. */
async function catchUp(env: Environment, derived: DerivedBackends, kind: DerivedKind, owner: string): Promise<void> {
  await withLease(env, kind, owner, async (before) => {
    const head = await headOf(env, owner)
    const lost = before === undefined || before.seq > head || head - before.seq > MAX_BEHIND
    if (lost || (before.seq === 0 && head > 0) || !(await isThere(derived, kind, env.embedder.model.id))) {
      await rebuilt(env, derived, kind, owner)
      return { followed: { seq: head, waiting: [] }, result: undefined }
    }
    const touched = new Set(kind === 'lancedb' ? before.waiting : [])
    for (let after = before.seq; ; ) {
      const entries = await env.store.journal({ owner, after, limit: PAGE_SIZE })
      if (entries.some(({ op }) => op === 'reset')) {
        await rebuilt(env, derived, kind, owner)
        return { followed: { seq: head, waiting: [] }, result: undefined }
      }
      for (const { targetKind, target } of entries)
        if (targetKind === 'fact' || targetKind === 'source' || (kind === 'kuzu' && (targetKind === 'entity' || targetKind === 'edge')))
          touched.add(target)
      const last = entries[entries.length - 1]
      if (last === undefined || entries.length < PAGE_SIZE) break
      after = last.seq
    }
    const ids = [...touched]
    const waiting = kind === 'lancedb' ? await syncSemantic(env, derived, owner, ids) : await syncGraph(env, derived, owner, ids)
    return { followed: { seq: head, waiting: waiting ?? [] }, result: undefined }
  })
}

/** Updates the configured databases of owners from the journal. */
export function createDerivedIndexSync(env: Environment): DerivedIndexSync {
  const woken = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let closed = false

  const follow = (owner: string): Promise<void> => {
    const { derived } = env
    if (derived === null) return Promise.resolve()
    const turn = running.then(async () => {
      const { semanticBackend, graphBackend } = await configurationOf(env, owner)
      if (semanticBackend === 'lancedb' && !env.embedder.disabled) await catchUp(env, derived, 'lancedb', owner)
      if (graphBackend === 'kuzu') await catchUp(env, derived, 'kuzu', owner)
    })
    running = turn.catch(() => undefined)
    return turn
  }

  const followAll = async (): Promise<void> => {
    const owners = [...woken]
    woken.clear()
    for (const owner of owners)
      await follow(owner).catch((error: unknown) => {
        if (!closed) env.log.warn('a derived database could not follow', { failure: toMemoryError(error).message })
      })
  }

  return {
    follow,
    async rebuild(kind, owner) {
      const { derived } = env
      if (derived === null) return { objects: 0, relations: 0 }
      const turn = running.then(() => rebuildDerived(env, derived, kind, owner))
      running = turn.then(
        () => undefined,
        () => undefined,
      )
      return turn
    },
    wake(owners) {
      for (const owner of owners) woken.add(owner)
      timer ??= setTimeout(() => {
        timer = undefined
        void followAll()
      }, WAKE_MS).unref()
    },
    async close() {
      clearTimeout(timer)
      closed = true
      await running
    },
  }
}
