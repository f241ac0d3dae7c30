import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { removeTemporaryFolders, temporaryFolder } from './program.js'
import { openStdio, type StdioWire, store, type Tools, useTools } from './wire.js'

// dist/main.js with the shipped model: the graph decides where keywords and vectors do not.
let wire: StdioWire
let tools: Tools
beforeAll(async () => {
  wire = openStdio(['--data-dir', temporaryFolder()])
  tools = await useTools(wire)
})
afterAll(async () => {
  await wire.close()
  removeTemporaryFolders()
})

const answer = z.object({ subgraph_nodes: z.number(), results: z.array(z.object({ id: z.string(), ppr_score: z.number() })) })
const recall = async (more: Readonly<Record<string, unknown>>) => answer.parse(await tools.call('recall', { query: QUESTION, ...more }))

const QUESTION = 'How long can a connection of Halcyon be idle?'
const WEIGHTS = { vector_weight: 0.4, bm25_weight: 0.15, ppr_weight: 0.45 }

it('changes which memory recall ranks first once two entities and a relation are stored', async () => {
  const decoy = await store(tools, 'Marrowgate keeps idle connections for two minutes.', { metadata: { session: 'a' } })
  const linked = await store(tools, 'Quillfeather ends connections after ninety seconds.', { metadata: { session: 'b' } })
  await store(tools, 'The canteen closes at three on Fridays.', { metadata: { session: 'c' } })

  for (const more of [{}, WEIGHTS]) {
    const before = await recall(more)
    expect(before.results[0]?.id).toBe(decoy)
    expect(before.results.find((result) => result.id === linked)?.ppr_score ?? 0).toBe(0)
  }

  const { id: halcyon } = await tools.call('create_entity', { name: 'Halcyon', entity_type: 'project' })
  const { id: quillfeather } = await tools.call('create_entity', { name: 'Quillfeather', entity_type: 'service' })
  await tools.call('create_relation', { from_entity: halcyon, to_entity: quillfeather, relation_type: 'depends_on' })

  for (const more of [{}, WEIGHTS]) {
    const after = await recall(more)
    expect(after.results[0]?.id).toBe(linked)
    expect(after.results[0]?.ppr_score).toBeGreaterThan(0)
    expect(after.subgraph_nodes).toBeGreaterThan(0)
  }
})

it('links memories stored after the entity as well', async () => {
  const later = await store(tools, 'Quillfeather needs the blue certificate.', { metadata: { session: 'd' } })
  // It does not answer the question, so it is below the cut.
  const { results } = await recall({ min_relevance: 0 })
  expect(results.find((result) => result.id === later)?.ppr_score).toBeGreaterThan(0)
})

it('repair 16: returns facts related to an entity even if neither words nor meaning match', async () => {
  const { id: orion } = await tools.call('create_entity', { name: 'Orion', entity_type: 'service' })
  const { id: vega } = await tools.call('create_entity', { name: 'Vega', entity_type: 'service' })
  await tools.call('create_relation', { from_entity: orion, to_entity: vega, relation_type: 'depends_on' })
  const fact = await store(tools, 'Vega runs on port 8081.', { metadata: { session: 'e' } })
  for (const query of ['Orion', 'What does Orion need?']) {
    const { results } = await recall({ query })
    expect(results.find((result) => result.id === fact)?.ppr_score, query).toBeGreaterThan(0)
  }
})

it('finds nothing for punctuation alone', async () => {
  for (const query of ['*', '?']) expect((await recall({ query })).results, query).toEqual([])
})

it('memories that name an entity are related to it, stored before or after it, until they end', async () => {
  const before = await store(tools, 'Larkspur Ltd signed in May.', { metadata: { session: 'f' } })
  const { id: entity } = await tools.call('create_entity', { name: 'Larkspur Ltd', entity_type: 'company' })
  const after = await store(tools, 'The invoice of Larkspur Ltd is overdue.', { metadata: { session: 'g' } })
  const related = async (): Promise<unknown> => (await tools.call('get_related', { entity_id: entity })).memories
  expect(await related()).toEqual(expect.arrayContaining([before, after].map((id) => expect.objectContaining({ id }))))
  await tools.call('invalidate', { id: before, reason: 'cancelled' })
  expect(await related()).toEqual([expect.objectContaining({ id: after })])
})
