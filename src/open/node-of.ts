import { join } from 'node:path'
import type { NodeIdentity, PeerTransport } from '../ports/node-identity.js'

/** This node among others: its key and the way to them are loaded by whoever needs them. */
export function nodeOf(
  directory: string,
  allowsPrivate: boolean,
): { node(): Promise<NodeIdentity>; readonly peerTransport: PeerTransport } {
  let node: Promise<NodeIdentity> | undefined
  return {
    node() {
      node ??= import('./node-identity.js').then(({ openNodeIdentity }) => openNodeIdentity(join(directory, 'node-key.pem')))
      node.catch(() => {
        // What was wrong may have been mended when it is asked for again.
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
