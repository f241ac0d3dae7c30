import { findOwnerAccess, type Principal } from '../../core/access/access-filter.js'
import type { Peer } from '../../core/federation/peer.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'
import type { PeerSync } from './peer-sync.js'
import type { NewPeer } from './peers.js'

/** Follows the peers of a process that stays, once it is told to. */
export function createFollower(env: Environment): { start(): void; close(): Promise<void> } {
  let following: Promise<PeerSync> | undefined
  return {
    start() {
      following ??= import('./peer-sync.js').then(({ startPeerSync: startFollower }) =>
        startFollower(env, env.settings.federation.everySeconds),
      )
    },
    async close() {
      await (await following)?.close()
    },
  }
}

/** What a peer is told and tells, and who is one. Few processes have peers: loaded on first use. */
export const federationRoom = (env: Environment) => {
  const peers = () => import('./peers.js')
  const peerOf = async ({ proof, key }: Principal) => {
    const found = proof === 'peer' ? (await (await peers()).listPeers(env)).find(({ id }) => id === key) : undefined
    if (found === undefined)
      throw new MemoryError('forbidden', 'Only a peer may ask this.', {
        reason: 'not_a_peer',
        hint: 'Nodes ask each other with a signed token; see docs/stigmem.md.',
      })
    return found
  }
  return {
    node: () => env.node(),
    add: async (actor: string, peer: NewPeer) => (await peers()).addPeer(env, actor, peer),
    warning: async (peer: Peer) => (await peers()).warningOf(env, peer),
    list: async () => (await peers()).listPeers(env),
    remove: async (actor: string, named: string) => (await peers()).removePeer(env, actor, named),
    verify: async (header: string) => (await import('./verify.js')).verifyPeer(env, header),
    /** One page for the peer that asks. */
    async feed(
      principal: Principal,
      query: { readonly cursor?: string | undefined; readonly limit: number; readonly scope?: string | undefined },
    ) {
      const { feedCursor, placeIn, readFeed } = await import('./feed.js')
      const peer = await peerOf(principal)
      const told = findOwnerAccess(principal.reach, peer.owner)?.scopes ?? []
      const scopes = peer.scopes.filter(
        (scope) => (query.scope === undefined || scope === query.scope) && (told === 'all' || told.includes(scope)),
      )
      const after = await placeIn(env, peer, scopes, query.cursor)
      const page = await readFeed(env, peer, { after, limit: query.limit, scopes })
      return { facts: page.facts, cursor: await feedCursor(env, peer, scopes, page.told), hasMore: page.hasMore }
    },
    async receive(principal: Principal, items: readonly unknown[]) {
      const { receiveFacts } = await import('./receive.js')
      return receiveFacts(env, await peerOf(principal), items)
    },
    /** Exchanges facts with every peer now; one that cannot be reached keeps no other from it. */
    async sync(signal: AbortSignal) {
      const { syncWithPeer: exchange } = await import('./sync-with-peer.js')
      const done = []
      let failed: MemoryError | undefined
      for (const peer of await (await peers()).listPeers(env)) {
        try {
          done.push({ peer, ...(await exchange(env, peer, signal)) })
        } catch (failure) {
          signal.throwIfAborted()
          failed = toMemoryError(failure)
          done.push({ peer, pulled: 0, pushed: 0, rejected: 0, error: failed.message })
        }
      }
      if (failed !== undefined && done.every((one) => 'error' in one)) throw failed
      return done
    },
  }
}
