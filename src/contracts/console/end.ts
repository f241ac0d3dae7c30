import { z } from 'zod'
import { endFacts } from '../../engine/console/corrections.js'
import { notingCommits } from '../../engine/history/commits.js'
import { operation } from '../operation.js'
import { doneShape, ids, reason, toCommits } from './shapes.js'

export const end = operation({
  name: 'end',
  title: 'End',
  description: 'End facts now; they are kept as history',
  effect: 'write',
  idempotent: true,
  right: 'write',
  input: z.strictObject({ ids, reason }),
  output: doneShape,
  async run({ context, actor }, input) {
    const { value, commits } = await notingCommits(context, (noting) => endFacts(noting, actor, input.ids, input.reason))
    return { ids: [...value], undo: toCommits(commits) }
  },
})
