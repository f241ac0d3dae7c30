import type { Context } from '../context.js'

/** The public description of a node. Its identity is created by the first request, even without peers. */
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
