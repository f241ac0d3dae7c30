import type { Principal } from '../../core/access/access-filter.js'
import { peerOf } from '../../core/federation/peer.js'
import { peerAddress } from '../../core/federation/peer-address.js'
import { checkTokenTimes, readToken } from '../../core/federation/peer-token.js'
import { isSigned } from '../../core/federation/signature.js'
import type { Environment } from '../environment.js'

/** Nonces are kept longer than tokens are valid, because clocks differ. */
const KEPT_AFTER_US = 3600e6

/**
 * The peer that signed the header for one of this node's `addresses`, if the token is valid and was not used before; otherwise undefined.
 * Its access is limited to what is shared with it.
 */
export async function verifyPeer(env: Environment, header: string, addresses: readonly string[]): Promise<Principal | undefined> {
  const read = readToken(header)
  if (read === undefined) return undefined
  const { token, text, signature } = read
  const { store } = env
  const [arrangement, second] = await store.arrangements({ kind: 'peer', name: token.iss })
  // A node is the peer of one owner only.
  if (arrangement === undefined || second !== undefined) return undefined
  const peer = peerOf(arrangement)
  if (!isSigned(text, signature, peer.publicKey) || token.sub !== (await env.node()).id) return undefined
  if (!addresses.some((address) => peerAddress(address) === token.aud)) return undefined
  if (checkTokenTimes(token, env.clock.now()) !== undefined) return undefined
  if (!(await store.useNonce(peer.nodeId, token.nonce, token.exp * 1e6 + KEPT_AFTER_US))) return undefined
  const scopes = peer.scopes.filter((scope) => token.scopes.includes(scope))
  return {
    name: `peer:${peer.nodeId}`,
    reach: { owners: [{ owner: peer.owner, scopes, gardens: [], federated: true }] },
    mayWrite: true,
    rights: ['peer'],
    proof: 'peer',
    key: peer.id,
    owner: peer.owner,
    entity: null,
    sources: [],
    roles: [],
  }
}
