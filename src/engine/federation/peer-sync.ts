import { setTimeout as delay } from 'node:timers/promises'
import { peerOf } from '../../core/federation/peer.js'
import { toMemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'
import { LEASE_US } from '../lease-durations.js'
import { syncWithPeer } from './sync-with-peer.js'

const SYNC_JOB = 'federation'
/** Limits of one turn, so that an endless feed does not delay other peers. */
const TURN_LIMITS = { pages: 200, ms: 60_000 }

/** Syncs with all peers periodically; one process holds the lease of each peer. */
export interface PeerSync {
  close(): Promise<void>
}

export function startPeerSync(env: Environment, everySeconds: number): PeerSync {
  const stop = new AbortController()
  const holder = env.ids.mint()
  const { jobs, store } = env

  const follow = async (id: string): Promise<void> => {
    const [arrangement] = await store.arrangements({ kind: 'peer', id })
    if (arrangement === undefined) return
    const now = env.clock.now()
    const lease = await jobs.take(SYNC_JOB, id, holder, now, now + LEASE_US.exchange)
    if (lease === undefined) return
    const next = (): number => env.clock.now() + everySeconds * 1e6
    try {
      const began = performance.now()
      let pages = 0
      const goOn = async (): Promise<boolean> =>
        pages++ < TURN_LIMITS.pages &&
        performance.now() - began < TURN_LIMITS.ms &&
        jobs.renew(lease, env.clock.now() + LEASE_US.exchange, {})
      await syncWithPeer(env, peerOf(arrangement), stop.signal, goOn)
      await jobs.release(lease, next(), null)
    } catch (failure) {
      if (stop.signal.aborted) return
      const { message } = toMemoryError(failure)
      env.log.warn('a peer could not be reached', { peer: arrangement.name, message })
      await jobs.release(lease, next(), message)
    }
  }

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      for (const { id } of await store.arrangements({ kind: 'peer' })) {
        if (stop.signal.aborted) return
        await follow(id)
      }
      await delay(everySeconds * 1000, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
    }
  }

  const running = run().catch((failure: unknown) => {
    if (!stop.signal.aborted) env.log.warn('peers are not followed any more', { failure: toMemoryError(failure).message })
  })
  return {
    async close() {
      stop.abort()
      await running
    },
  }
}
