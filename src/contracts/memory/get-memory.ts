import { z } from 'zod'
import { findFact } from '../../engine/revise.js'
import { operation } from '../operation.js'
import { unknownMemory } from './failures.js'
import { idInput, memoryOutput, toMemory } from './shapes.js'

export const getMemory = operation({
  name: 'get_memory',
  title: 'Get memory',
  description: 'One memory by its id.',
  effect: 'read',
  idempotent: true,
  positionals: ['id'],
  input: z.strictObject({ id: idInput }),
  output: memoryOutput,
  async run({ engine }, { id }) {
    const fact = await findFact(engine, id, undefined)
    if (fact === undefined) throw unknownMemory(id)
    return toMemory(fact, engine.settings.defaultOwner)
  },
})
