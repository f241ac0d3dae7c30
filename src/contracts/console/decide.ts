import { z } from 'zod'
import { decide as decideReview } from '../../engine/console/decide.js'
import { notingCommits } from '../../engine/history/commits.js'
import { operation } from '../operation.js'
import { doneShape, id, ids, reason, toCommits } from './shapes.js'

export const decide = operation({
  name: 'decide',
  title: 'Decide',
  description: 'Accept or reject candidates; of two facts keep one, keep both, or merge them',
  effect: 'write',
  idempotent: true,
  right: 'write',
  input: z.strictObject({
    verdict: z.enum(['accept', 'reject', 'keep', 'both', 'merge']),
    ids,
    keep: id.optional(),
    text: z.string().optional(),
    reason,
  }),
  output: doneShape,
  async run({ context, actor }, input) {
    const { commits } = await notingCommits(context, (noting) => decideReview(noting, actor, input))
    return { ids: input.ids, undo: toCommits(commits) }
  },
})
