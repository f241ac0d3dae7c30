import { z } from 'zod'
import { forget } from '../../engine/facts/revise.js'
import { operation } from '../operation.js'
import { deletedText } from './plain-text.js'
import { idInput, nullToUndefined, userId } from './shapes.js'

export const deleteMemory = operation({
  name: 'delete_memory',
  title: 'Delete memory',
  description: 'Delete a memory permanently. If it is merely out of date, use invalidate.',
  effect: 'destroy',
  idempotent: true,
  positionals: ['id'],
  input: z.strictObject({ id: idInput, user_id: userId }),
  output: z.object({ deleted: z.boolean() }),
  text: deletedText,
  run: async ({ context, actor }, { id, user_id }) => ({
    deleted: await forget(context, actor, { id, owner: nullToUndefined(user_id) }),
  }),
  recover: () => ({ deleted: true }),
})
