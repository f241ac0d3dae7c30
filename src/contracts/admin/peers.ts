import { z } from 'zod'
import { DEFAULT_TRUST, FEDERATED_SCOPES, type Peer } from '../../core/federation/peer.js'
import { addPeer, listPeers, removePeer, warningOf } from '../../engine/federation/peers.js'
import { syncAllPeers } from '../../engine/federation/sync-with-peer.js'
import { operation } from '../operation.js'

const DEFAULT_SCOPES = ['public'] as const

const words = (value: unknown): unknown =>
  Array.isArray(value) ? value.flatMap((text) => (typeof text === 'string' ? text.split(',').map((word) => word.trim()) : [text])) : value

const peerShape = z.object({
  id: z.string(),
  node_id: z.string(),
  url: z.string(),
  key: z.string(),
  owner: z.string(),
  scopes: z.array(z.string()),
  trust: z.number(),
  pull: z.boolean(),
  push: z.boolean(),
})

const toPeer = ({ id, nodeId, url, publicKey, owner, scopes, trust, pull, push }: Peer): z.input<typeof peerShape> => ({
  ...{ id, node_id: nodeId, url, key: publicKey, owner, scopes: [...scopes], trust, pull, push },
})

export const node = operation({
  name: 'node',
  title: 'This node',
  description: "Print this node's id and public key",
  effect: 'read',
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({ id: z.string(), public_key: z.string() }),
  async run({ context }) {
    const { id, publicKey } = await context.node()
    return { id, public_key: publicKey }
  },
})

export const peersAdd = operation({
  name: 'peers_add',
  command: 'peers add',
  title: 'Add a peer',
  description: 'Exchange facts of one owner with another node, which must also have this node as a peer',
  effect: 'write',
  idempotent: false,
  keyed: false,
  input: z.strictObject({
    url: z.string().min(1).describe('Address of the peer'),
    key: z.string().min(1).describe('Public key of the peer, as printed by `mneme node` there'),
    owner: z.string().min(1).optional().describe('Owner of the exchanged facts; the default owner if omitted'),
    scopes: z
      .preprocess(words, z.array(z.enum(FEDERATED_SCOPES)).min(1))
      .meta({ wire: 'array' })
      .optional()
      .describe('company, public; default public'),
    trust: z.number().min(0).max(1).default(DEFAULT_TRUST).describe('Trust in its facts, from 0 to 1'),
    pull: z.boolean().default(true).describe('Read its facts'),
    push: z.boolean().default(false).describe('Send it facts'),
  }),
  output: peerShape.extend({ warning: z.string().optional() }),
  async run({ context, actor }, { key, scopes = [...DEFAULT_SCOPES], owner = context.settings.defaultOwner, ...options }) {
    const peer = await addPeer(context, actor, { ...options, publicKey: key, scopes, owner })
    const warning = await warningOf(context, peer)
    return { ...toPeer(peer), ...(warning === undefined ? {} : { warning }) }
  },
})

export const peersList = operation({
  name: 'peers_list',
  command: 'peers list',
  title: 'List peers',
  description: 'List the nodes that facts are exchanged with',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({ peers: z.array(peerShape) }),
  run: async ({ context }) => ({ peers: (await listPeers(context)).map(toPeer) }),
})

export const peersRemove = operation({
  name: 'peers_remove',
  command: 'peers remove',
  title: 'Remove a peer',
  description: 'Stop the exchange with a node, by its id; received facts stay',
  effect: 'destroy',
  idempotent: false,
  keyed: false,
  positionals: ['id'],
  input: z.strictObject({ id: z.string().min(1) }),
  output: z.object({ removed: z.string() }),
  async run({ context, actor }, { id }) {
    await removePeer(context, actor, id)
    return { removed: id }
  },
})

export const peersSync = operation({
  name: 'peers_sync',
  command: 'peers sync',
  title: 'Exchange now',
  description: 'Exchange facts with every peer now',
  effect: 'write',
  idempotent: true,
  keyed: false,
  longRunning: true,
  input: z.strictObject({}),
  output: z.object({
    peers: z.array(z.object({ node_id: z.string(), pulled: z.int(), pushed: z.int(), rejected: z.int(), error: z.string().optional() })),
  }),
  run: async ({ context }) => ({
    peers: (await syncAllPeers(context)).map(({ peer, ...counts }) => ({ node_id: peer.nodeId, ...counts })),
  }),
})
