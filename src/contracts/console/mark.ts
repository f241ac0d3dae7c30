import { z } from 'zod'
import { markFact } from '../../engine/console/corrections.js'
import { notingCommits } from '../../engine/history/commits.js'
import { operation } from '../operation.js'
import { doneShape, id, toCommits } from './shapes.js'

export const mark = operation({
  name: 'mark',
  title: 'Mark',
  description: 'Record that a delivered fact was right, or wrong',
  effect: 'write',
  idempotent: false,
  right: 'write',
  input: z.strictObject({ id, mark: z.enum(['right', 'wrong']) }),
  output: doneShape,
  async run({ context, actor }, { id: marked, mark: word }) {
    const { value, commits } = await notingCommits(context, (noting) => markFact(noting, actor, marked, word))
    return { ids: [...value], undo: toCommits(commits) }
  },
})
