import { z } from 'zod'
import { restoreFacts } from '../../engine/console/corrections.js'
import { notingCommits } from '../../engine/history/commits.js'
import { operation } from '../operation.js'
import { doneShape, ids, toCommits } from './shapes.js'

export const restore = operation({
  name: 'restore',
  title: 'Restore',
  description: 'Make ended facts current again',
  effect: 'write',
  idempotent: true,
  right: 'write',
  input: z.strictObject({ ids }),
  output: doneShape,
  async run({ context, actor }, input) {
    const { value, commits } = await notingCommits(context, (noting) => restoreFacts(noting, actor, input.ids))
    return { ids: [...value], undo: toCommits(commits) }
  },
})
