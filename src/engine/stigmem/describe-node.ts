import type { Context } from '../context.js'

/** What a node publishes about itself. Its identity exists from the first request on, whether it has peers or not. */
export async function describeNode(context: Context) {
  const { model } = context.embedder
  const { embedding, attestation, trust } = context.settings.statements
  return {
    version: context.version,
    model: model.id,
    dimensions: model.dimensions,
    ...embedding,
    attestation,
    trust,
    hasKeys: await context.services.keyRing.any(),
    node: await context.node(),
    hasPeers: (await context.store.arrangements({ kind: 'peer' })).length > 0,
  }
}
