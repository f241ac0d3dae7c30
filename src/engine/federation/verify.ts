import type { Principal } from '../../core/access/access-filter.js'
import { peerOf } from '../../core/federation/peer.js'
import { checkTokenTimes, readToken } from '../../core/federation/peer-token.js'
import { isSigned } from '../../core/federation/signature.js'
import type { Environment } from '../environment.js'

/** After its end a token may still be tried by a clock that is late. */
const KEPT_AFTER_US = 3600e6

/**
 * Which peer signed this, for this node, now and for the first time; undefined where any of it is not so. It reaches what is
 * shared with it and nothing else, whatever it asks for.
 */
export async function verifyPeer(env: Environment, header: string): Promise<Principal | undefined> {
  const read = readToken(header)
  if (read === undefined) return undefined
  const { token, text, signature } = read
  const { store } = env
  const [arrangement] = await store.arrangements({ kind: 'peer', name: token.iss })
  if (arrangement === undefined) return undefined
  const peer = peerOf(arrangement)
  if (!isSigned(text, signature, peer.publicKey) || token.sub !== (await env.node()).id) return undefined
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
