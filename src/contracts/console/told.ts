import { z } from 'zod'
import { operation } from '../operation.js'
import { deliveryShape, factShape, id, instantIn, toShown, toShownDelivery } from './shapes.js'

const output = z.object({ deliveries: z.array(deliveryShape), facts: z.array(factShape) })
export type ToldAnswer = z.output<typeof output>

export const told = operation({
  name: 'told',
  title: 'Told',
  description: 'What agents were given, newest first, with the facts as they are now; of one conversation, client or fact on request',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({
    conversation: z.string().max(300).optional(),
    client: z.string().max(300).optional(),
    fact: id.optional(),
    before: z.strictObject({ at: z.string(), id }).optional(),
    limit: z.int().min(1).max(500).default(100),
  }),
  output,
  async run({ context }, { before, ...given }) {
    const deliveries = await context.deliveries.list({
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      limit: given.limit,
      ...(before === undefined ? {} : { before: { at: instantIn(before.at, 'before'), id: before.id } }),
    })
    const named = [...new Set(deliveries.flatMap(({ facts }) => facts.map((one) => one.id)))]
    const facts = await context.store.facts(named)
    const seen = new Set(facts.map((one) => one.id))
    return {
      deliveries: deliveries.map((one) => toShownDelivery({ ...one, facts: one.facts.filter((fact) => seen.has(fact.id)) })),
      facts: facts.map((fact) => toShown(fact)),
    }
  },
})
