import { z } from 'zod'
import { checkMetadata, checkText } from '../../core/input/input.js'
import { fieldsInMetadata } from '../../engine/facts/remember.js'
import { findFact, revise } from '../../engine/facts/revise.js'
import { operation } from '../operation.js'
import { unknownMemory } from './failures.js'
import { memoryText } from './plain-text.js'
import { idInput, memoryType, metadata, nullToUndefined, sameAsGetMemory, toMemory, userId } from './shapes.js'

export const updateMemory = operation({
  name: 'update_memory',
  title: 'Update memory',
  description: 'Correct a memory in place; only the fields you pass change. If the facts changed, use store_memory with supersedes.',
  effect: 'write',
  idempotent: true,
  positionals: ['id', 'content'],
  input: z.strictObject({
    id: idInput,
    content: z.string().nullish(),
    memory_type: memoryType,
    metadata: metadata.describe('Replaces the stored metadata'),
    if_version: z.int({ error: 'must be a whole number' }).nullish().describe('Fail unless this is the stored version'),
    user_id: userId,
  }),
  output: sameAsGetMemory,
  text: memoryText,
  async run({ context, actor }, input) {
    const text = nullToUndefined(input.content)
    const replaced = nullToUndefined(input.metadata)
    if (text !== undefined) checkText(text, 'content', context.settings.maxContentBytes)
    if (replaced !== undefined) checkMetadata(replaced, 'metadata', context.settings.maxMetadataBytes)
    const fact = await revise(context, actor, {
      id: input.id,
      owner: nullToUndefined(input.user_id),
      ifVersion: nullToUndefined(input.if_version),
      change: (before) => {
        const revised = { ...before, text: text ?? before.text, kind: nullToUndefined(input.memory_type) ?? before.kind }
        if (replaced === undefined) return revised
        const fields = fieldsInMetadata(replaced)
        // Fields from the old metadata are removed with it; fields from the connection or an argument stay.
        const named = fieldsInMetadata(before.metadata)
        const kept = (key: 'session' | 'subject' | 'predicate'): string | null => fields[key] ?? (named[key] === null ? before[key] : null)
        return {
          ...revised,
          ...fields,
          metadata: replaced,
          session: kept('session'),
          subject: kept('subject'),
          predicate: kept('predicate'),
        }
      },
    })
    if (fact === undefined) throw unknownMemory(input.id)
    return toMemory(fact, context)
  },
  async recover({ context }, { id }) {
    const fact = await findFact(context, id)
    if (fact === undefined) throw unknownMemory(id)
    return toMemory(fact, context)
  },
})
