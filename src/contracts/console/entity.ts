import { z } from 'zod'
import { readEntityPage } from '../../engine/console/entity-page.js'
import { operation } from '../operation.js'
import { entityShape } from './entities.js'
import { factShape, id, instantIn, toShown } from './shapes.js'

const output = z.object({
  entity: entityShape,
  facts: z.array(factShape),
  fact_count: z.int(),
  nodes: z.array(
    z.object({ id: z.string(), kind: z.string(), label: z.string(), status: z.string(), degree: z.int(), isHub: z.boolean() }),
  ),
  edges: z.array(z.object({ from: z.string(), to: z.string(), type: z.string() })),
  more: z.int(),
})
export type EntityAnswer = z.output<typeof output>

export const entity = operation({
  name: 'entity',
  title: 'Entity',
  description: 'One entity with the facts about it and its neighbours in the graph',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({ id, nodes: z.int().min(2).max(200).default(60), as_of: z.string().optional() }),
  output,
  async run({ context }, { id: wanted, nodes, as_of }) {
    const page = await readEntityPage(context, wanted, nodes, as_of === undefined ? undefined : instantIn(as_of, 'as_of'))
    const { id: own, owner, name, type, description, aliases, status } = page.entity
    return {
      entity: { id: own, owner, name, type, description, aliases: [...aliases], status },
      facts: page.facts.map((fact) => toShown(fact)),
      fact_count: page.factCount,
      nodes: page.neighbourhood.nodes.map((node) => ({ ...node })),
      edges: page.neighbourhood.edges.map((edge) => ({ ...edge })),
      more: page.neighbourhood.more,
    }
  },
})
