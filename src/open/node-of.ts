import { join } from 'node:path'
import type { NodeIdentity, PeerWire } from '../ports/node-identity.js'

/** This node among others: its key and the way to them are loaded by whoever needs them. */
export function nodeOf(directory: string, allowsPrivate: boolean): { node(): Promise<NodeIdentity>; readonly peerWire: PeerWire } {
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
    peerWire: {
      allowsPrivate,
      leadsInside: async (url) => (await import('../readers/documents/address-guard.js')).isInnerAddress(new URL(url)),
      ask: async (request) => (await import('./peer-wire.js')).askPeer(request, allowsPrivate),
    },
  }
}
