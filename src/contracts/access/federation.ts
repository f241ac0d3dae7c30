import { z } from 'zod'
import { DEFAULT_TRUST, FEDERATED_SCOPES, type Peer } from '../../core/federation/peer.js'
import { readFeedAsPeer } from '../../engine/federation/feed.js'
import { addPeer, callingPeer, listPeers } from '../../engine/federation/peers.js'
import { receiveFacts } from '../../engine/federation/receive.js'
import { operation } from '../operation.js'

const PATH = '/v1/federation'

const peerShape = z.object({
  peer_id: z.string(),
  node_id: z.string(),
  node_url: z.string(),
  federation_pubkey: z.string(),
  owner: z.string(),
  allowed_scopes: z.array(z.string()),
  trust: z.number(),
  pull: z.boolean(),
  push: z.boolean(),
})

const toPeer = ({ id, nodeId, url, publicKey, owner, scopes, trust, pull, push }: Peer): z.input<typeof peerShape> => ({
  ...{ peer_id: id, node_id: nodeId, node_url: url, federation_pubkey: publicKey, owner, allowed_scopes: [...scopes], trust, pull, push },
})

const shared = { malformed: 'unprocessable', listed: false } as const

export const addPeerOperation = operation({
  ...shared,
  name: 'add_peer',
  title: 'Add a peer',
  description: 'Exchange facts with another node from now on',
  effect: 'write',
  idempotent: false,
  right: 'admin',
  route: { method: 'POST', path: `${PATH}/peers`, status: 201 },
  input: z.strictObject({
    node_url: z.string().min(1),
    federation_pubkey: z.string().min(1),
    allowed_scopes: z.array(z.enum(FEDERATED_SCOPES)).min(1).default(['public']),
    owner: z.string().min(1).optional(),
    trust: z.number().min(0).max(1).default(DEFAULT_TRUST),
    pull: z.boolean().default(true),
    push: z.boolean().default(false),
  }),
  output: peerShape,
  run: async ({ context, actor }, { node_url, federation_pubkey, allowed_scopes, owner = context.settings.defaultOwner, ...options }) =>
    toPeer(await addPeer(context, actor, { url: node_url, publicKey: federation_pubkey, scopes: allowed_scopes, owner, ...options })),
})

export const listPeersOperation = operation({
  ...shared,
  name: 'list_peers',
  title: 'List peers',
  description: 'List the nodes that facts are exchanged with',
  effect: 'read',
  idempotent: true,
  right: 'admin',
  route: { method: 'GET', path: `${PATH}/peers`, status: 200 },
  input: z.strictObject({}),
  output: z.object({ peers: z.array(peerShape) }),
  run: async ({ context }) => ({ peers: (await listPeers(context)).map(toPeer) }),
})

export const federationFacts = operation({
  ...shared,
  name: 'federation_facts',
  title: 'Facts for a peer',
  description: 'Signed facts shared with the calling peer, in storage order',
  effect: 'read',
  idempotent: true,
  right: 'peer',
  route: { method: 'GET', path: `${PATH}/facts`, status: 200 },
  input: z.strictObject({
    scope: z.enum(FEDERATED_SCOPES).optional(),
    cursor: z.string().max(500).optional(),
    limit: z.int().min(1).max(500).default(100),
  }),
  output: z.object({ facts: z.array(z.record(z.string(), z.unknown())), cursor: z.string().nullable(), has_more: z.boolean() }),
  async run({ context }, query) {
    const { facts, cursor, hasMore } = await readFeedAsPeer(context, query)
    return { facts: facts.map((fact) => ({ ...fact })), cursor, has_more: hasMore }
  },
})

export const pushFacts = operation({
  ...shared,
  name: 'push_facts',
  title: 'Facts from a peer',
  description: 'Accept signed facts of a peer, each on its own',
  effect: 'write',
  idempotent: true,
  keyed: false,
  right: 'peer',
  route: { method: 'POST', path: `${PATH}/facts/push`, status: 202 },
  input: z.strictObject({ facts: z.array(z.unknown()).max(500) }),
  output: z.object({ accepted: z.int(), rejected: z.int(), errors: z.array(z.record(z.string(), z.unknown())) }),
  async run({ context }, { facts }) {
    const { accepted, rejected, errors } = await receiveFacts(context, await callingPeer(context), facts)
    return { accepted, rejected, errors: errors.map((error) => ({ ...error })) }
  },
})
