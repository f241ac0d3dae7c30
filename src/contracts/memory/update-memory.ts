import { z } from 'zod'
import { checkMetadata, checkText } from '../../core/input.js'
import { contextOf } from '../../engine/remember.js'
import { revise } from '../../engine/revise.js'
import { operation } from '../operation.js'
import { unknownMemory } from './failures.js'
import { given, idInput, memoryOutput, memoryType, metadata, toMemory } from './shapes.js'

export const updateMemory = operation({
  name: 'update_memory',
  title: 'Update memory',
  description:
    'Correct a memory in place; only the given fields change. If the world changed, store the new fact and invalidate the old one instead.',
  effect: 'write',
  idempotent: true,
  positionals: ['id', 'content'],
  input: z.strictObject({
    id: idInput,
    content: z.string().nullish(),
    memory_type: memoryType,
    metadata: metadata.describe('Replaces the old'),
  }),
  output: memoryOutput,
  async run({ engine, actor }, input) {
    const text = given(input.content)
    const replaced = given(input.metadata)
    if (text !== undefined) checkText(text, 'content', engine.settings.maxContentBytes)
    if (replaced !== undefined) checkMetadata(replaced, 'metadata', engine.settings.maxMetadataBytes)
    const fact = await revise(engine, actor, {
      id: input.id,
      change: (before) => {
        const revised = { ...before, text: text ?? before.text, kind: given(input.memory_type) ?? before.kind }
        if (replaced === undefined) return revised
        const context = contextOf(replaced)
        // What the old metadata named goes with it; a session that came from elsewhere, such as the connection, stays.
        const own = contextOf(before.metadata).session === null ? before.session : null
        return { ...revised, ...context, metadata: replaced, session: context.session ?? own }
      },
    })
    if (fact === undefined) throw unknownMemory(input.id)
    return toMemory(fact, engine.settings.defaultOwner)
  },
})
