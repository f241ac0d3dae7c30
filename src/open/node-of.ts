import { join } from 'node:path'
import type { NodeIdentity, PeerTransport } from '../ports/node-identity.js'

/** The identity of this node and the peer transport, loaded on first use. */
export function nodeOf(
  directory: string,
  allowsPrivate: boolean,
): { node(): Promise<NodeIdentity>; readonly peerTransport: PeerTransport } {
  let node: Promise<NodeIdentity> | undefined
  return {
    node() {
      node ??= import('./node-identity.js').then(({ openNodeIdentity }) => openNodeIdentity(join(directory, 'node-key.pem')))
      node.catch(() => {
        // A later call tries again, because the cause may be fixed.
        node = undefined
      })
      return node
    },
    peerTransport: {
      allowsPrivate,
      leadsInside: async (url) => (await import('../readers/documents/address-guard.js')).isInnerAddress(new URL(url)),
      ask: async (request) => (await import('./peer-wire.js')).askPeer(request, allowsPrivate),
    },
  }
}
