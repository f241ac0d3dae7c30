import type { ControlRecord } from '../../core/access/control-record.js'
import type { Instant } from '../../core/facts/fact.js'
import { type FederatedScope, type Peer, peerOf } from '../../core/federation/peer.js'
import { isPublicKey, nodeIdOf } from '../../core/federation/signature.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'

export interface NewPeer {
  readonly owner: string
  readonly url: string
  readonly publicKey: string
  readonly scopes: readonly FederatedScope[]
  readonly trust: number
  readonly pull: boolean
  readonly push: boolean
}

const invalid = (message: string, hint: string): MemoryError => new MemoryError('unprocessable', message, { reason: 'invalid_input', hint })

function checkedUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw invalid(`Invalid url: "${address.slice(0, 200)}" is not the address of a node`, 'Give it as https://host or http://host:port.')
  return url.href.replace(/\/+$/u, '')
}

/** Adds a node that exchanges facts of one owner with this one. */
export async function addPeer(env: Environment, actor: string, newPeer: NewPeer): Promise<Peer> {
  if (!isPublicKey(newPeer.publicKey))
    throw invalid('Invalid key: must be a public key of 43 characters', '`mneme node` prints it at the other node.')
  const nodeId = nodeIdOf(newPeer.publicKey)
  if (nodeId === (await env.node()).id) throw invalid('Invalid key: it is that of this node', 'Give the key of the other node.')
  const { owner, publicKey, scopes, trust, pull, push } = newPeer
  if ((await env.store.arrangements({ kind: 'peer', name: nodeId })).length > 0)
    throw new MemoryError('conflict', `${nodeId} is a peer already.`, { reason: 'peer_exists', hint: 'Remove it first to change it.' })
  const url = checkedUrl(newPeer.url)
  if (!env.peerTransport.allowsPrivate && (await env.peerTransport.leadsInside(url)))
    throw new MemoryError('forbidden', `Invalid url: ${url} is an address of this machine or its network`, {
      reason: 'private_address',
      hint: 'Such peers are taken only with --federation-allow-private true.',
    })
  const id = env.ids.mint()
  const data = { url, publicKey, scopes: [...scopes], trust, pull, push }
  const made = (at: Instant): ControlRecord => ({ kind: 'peer', id, owner, name: nodeId, data, createdAt: at, updatedAt: at, version: 1 })
  const { at } = await env.store.commit({ actor, owners: [owner] }, (now) => [{ op: 'arrangement.put', arrangement: made(now) }])
  return peerOf(made(at))
}

/** A warning about the address of a peer. */
export const warningOf = async ({ peerTransport: peerWire }: Environment, { url }: Peer): Promise<string | undefined> =>
  (await peerWire.leadsInside(url))
    ? `${url} is an address of this machine or its network, and anyone with the right to add peers can make this server call it. --federation-allow-private false refuses such peers.`
    : undefined

export const listPeers = async ({ store }: Environment): Promise<readonly Peer[]> =>
  (await store.arrangements({ kind: 'peer' })).map(peerOf)

/** Removes a peer. Facts received from it stay. */
export async function removePeer({ store }: Environment, actor: string, named: string): Promise<void> {
  const peer = (await store.arrangements({ kind: 'peer' })).find(({ id, name }) => id === named || name === named)
  if (peer === undefined)
    throw new MemoryError('not_found', `There is no peer ${named}.`, { reason: 'peer_not_found', hint: '`mneme peers list` shows them.' })
  await store.commit({ actor, owners: [peer.owner] }, () => [{ op: 'arrangement.delete', kind: 'peer', id: peer.id, owner: peer.owner }])
}

/** The peer that calls; any other principal is refused. */
export async function callingPeer(context: Context): Promise<Peer> {
  const { proof, key } = context.principal
  const found = proof === 'peer' ? (await listPeers(context)).find(({ id }) => id === key) : undefined
  if (found === undefined)
    throw new MemoryError('forbidden', 'This endpoint accepts federation peers only.', {
      reason: 'not_a_peer',
      hint: 'Nodes authenticate with a signed token; see docs/stigmem.md.',
    })
  return found
}
