import { z } from 'zod'
import { deleteFacts } from '../../engine/console/corrections.js'
import { notingCommits } from '../../engine/history/commits.js'
import { operation } from '../operation.js'
import { doneShape, ids, reason, toCommits } from './shapes.js'

export const deleteMany = operation({
  name: 'delete',
  title: 'Delete',
  description: 'Overwrite the text of facts for good',
  effect: 'destroy',
  idempotent: true,
  right: 'write',
  input: z.strictObject({ ids, reason }),
  output: doneShape,
  async run({ context, actor }, input) {
    const { value, commits } = await notingCommits(context, (noting) => deleteFacts(noting, actor, input.ids, input.reason))
    return { ids: [...value], undo: toCommits(commits) }
  },
})
