import { z } from 'zod'
import { describeNode } from '../../engine/stigmem/describe-node.js'
import { operation } from '../operation.js'
import { record } from './shapes.js'

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
  output: record,
  async run({ context, door }) {
    const node = await describeNode(context)
    return {
      version: node.version,
      spec: '1.1',
      node_url: door?.url ?? null,
      auth: (door?.asksForKey ?? node.hasKeys) ? 'required' : 'none',
      ...(node.node === null
        ? { federation: 'disabled' }
        : {
            ...{ federation: 'enabled', node_id: node.node.id, federation_pubkey: node.node.publicKey, federation_version: '1' },
            federation_endpoints: { peers: '/v1/federation/peers', facts: '/v1/federation/facts', push: '/v1/federation/facts/push' },
          }),
      namespaces: [...NAMESPACES],
      source_attestation: node.attestation,
      federation_trust: node.trust,
      embedding: { model: node.model, provider: node.provider, dimensions: node.dimensions, truncated_dimensions: node.truncated },
    }
  },
})
