import { z } from 'zod'
import { DEFAULT_TRUST, FEDERATED_SCOPES, type Peer } from '../../core/federation/peer.js'
import { addPeer, listPeers, removePeer, warningOf } from '../../engine/federation/peers.js'
import { syncAllPeers } from '../../engine/federation/sync-with-peer.js'
import { operation } from '../operation.js'

const DEFAULT_SCOPES = ['public'] as const

const words = (value: unknown): unknown =>
  Array.isArray(value) ? value.flatMap((one) => (typeof one === 'string' ? one.split(',').map((word) => word.trim()) : [one])) : value

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
  description: 'Print the id and the public key of this node, which others need to have it as a peer',
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
  description: 'Exchange facts of one owner with another node; it must have this node as a peer, too',
  effect: 'write',
  idempotent: false,
  keyed: false,
  input: z.strictObject({
    url: z.string().min(1).describe('Its address'),
    key: z.string().min(1).describe('Its public key, as `mneme node` prints it there'),
    owner: z.string().min(1).optional().describe('Whose facts; the default owner unless given'),
    scopes: z
      .preprocess(words, z.array(z.enum(FEDERATED_SCOPES)).min(1))
      .meta({ wire: 'array' })
      .optional()
      .describe('company, public; public unless given'),
    trust: z.number().min(0).max(1).default(DEFAULT_TRUST).describe('How far what it says is trusted'),
    pull: z.boolean().default(true).describe('Read its facts'),
    push: z.boolean().default(false).describe('Send it ours'),
  }),
  output: peerShape.extend({ warning: z.string().optional() }),
  async run({ context, actor }, { key, scopes = [...DEFAULT_SCOPES], owner = context.settings.defaultOwner, ...given }) {
    const peer = await addPeer(context, actor, { ...given, publicKey: key, scopes, owner })
    const warning = await warningOf(context, peer)
    return { ...toPeer(peer), ...(warning === undefined ? {} : { warning }) }
  },
})

export const peersList = operation({
  name: 'peers_list',
  command: 'peers list',
  title: 'List peers',
  description: 'The nodes that facts are exchanged with',
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
  description: 'End the exchange with a node, by its id; what came from it stays',
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
  description: 'Exchange facts with every peer now, instead of when a server gets to it',
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
