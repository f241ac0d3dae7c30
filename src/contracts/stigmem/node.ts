import { z } from 'zod'
import { MAX_CHALLENGE_CHARS } from '../../core/federation/peer-address.js'
import { proveAddress } from '../../engine/federation/prove-address.js'
import { describeNode } from '../../engine/stigmem/describe-node.js'
import { MemoryError } from '../../errors.js'
import { operation } from '../operation.js'

const NAMESPACES = ['stigmem:', 'rel:', 'garden:', 'memory:'] as const

export const describeNodeOperation = operation({
  name: 'describe_node',
  title: 'Describe node',
  description: 'What this node is and speaks: version, embedding, whether it asks for keys.',
  effect: 'read',
  idempotent: true,
  listed: false,
  malformed: 'unprocessable',
  route: { method: 'GET', path: '/.well-known/stigmem', status: 200, open: true },
  input: z.strictObject({}),
  output: z.looseObject({
    version: z.string(),
    spec: z.string(),
    node_id: z.string(),
    node_url: z.string().nullable(),
    auth: z.string(),
    federation: z.string(),
    namespaces: z.array(z.string()),
  }),
  async run({ context, door }) {
    const node = await describeNode(context)
    return {
      version: node.version,
      spec: '1.1',
      node_url: door?.url ?? null,
      auth: (door?.asksForKey ?? node.hasKeys) ? 'required' : 'none',
      node_id: node.node.id,
      ...(node.hasPeers
        ? {
            ...{ federation: 'enabled', federation_pubkey: node.node.publicKey, federation_version: '1' },
            federation_endpoints: { peers: '/v1/federation/peers', facts: '/v1/federation/facts', push: '/v1/federation/facts/push' },
          }
        : { federation: 'disabled' }),
      namespaces: [...NAMESPACES],
      source_attestation: node.attestation,
      federation_trust: node.trust,
      embedding: { model: node.model, provider: node.provider, dimensions: node.dimensions, truncated_dimensions: node.truncated },
    }
  },
})

export const proveAddressOperation = operation({
  name: 'prove_address',
  title: 'Prove address',
  description: 'Signs a challenge for an address of this node, so that another node knows whom it talks to before it sends a token.',
  effect: 'read',
  idempotent: true,
  listed: false,
  malformed: 'unprocessable',
  route: { method: 'GET', path: '/.well-known/stigmem/proof', status: 200, open: true },
  input: z.strictObject({ challenge: z.string().min(16).max(MAX_CHALLENGE_CHARS), address: z.string().min(1).max(300) }),
  output: z.object({ node_id: z.string(), address: z.string(), signature: z.string() }),
  async run({ context, door }, claim) {
    const proof = await proveAddress(context, claim, door?.addresses ?? [])
    if (proof === undefined)
      throw new MemoryError('unprocessable', `${claim.address} is no address of this node.`, {
        reason: 'not_this_address',
        hint: 'Ask at the address that is to be proven. Behind a proxy, the node is started with --public-url.',
      })
    return { node_id: proof.nodeId, address: proof.address, signature: proof.signature }
  },
})
