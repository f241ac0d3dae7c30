import type { Context } from '../context.js'

/** What a node publishes about itself. Its id is null while it has no peer: it has no key of its own until then. */
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
    node: (await context.store.arrangements({ kind: 'peer' })).length === 0 ? null : await context.node(),
  }
}
