import { z } from 'zod'
import { findFact } from '../../engine/facts/revise.js'
import { operation } from '../operation.js'
import { unknownMemory } from './failures.js'
import { memoryText } from './plain-text.js'
import { idInput, memoryOutput, nullToUndefined, toMemory, userId } from './shapes.js'

export const getMemory = operation({
  name: 'get_memory',
  title: 'Get memory',
  description: 'Get one memory by id, with its dates and version.',
  effect: 'read',
  idempotent: true,
  positionals: ['id'],
  input: z.strictObject({ id: idInput, user_id: userId }),
  output: memoryOutput,
  text: memoryText,
  async run({ context }, { id, user_id }) {
    const fact = await findFact(context, id, nullToUndefined(user_id))
    if (fact === undefined) throw unknownMemory(id)
    return toMemory(fact, context)
  },
})
