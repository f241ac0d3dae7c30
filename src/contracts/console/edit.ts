import { z } from 'zod'
import { editFact } from '../../engine/console/corrections.js'
import { notingCommits } from '../../engine/history/commits.js'
import { operation } from '../operation.js'
import { doneShape, id, instantIn, reason, toCommits, toShown } from './shapes.js'

const note = z.string().max(2000).nullable().optional()

export const edit = operation({
  name: 'edit',
  title: 'Edit',
  description: 'Correct a fact in place; only what is given changes',
  effect: 'write',
  idempotent: true,
  right: 'write',
  nulls: 'kept',
  input: z.strictObject({
    id,
    version: z.int().optional().describe('Refuse unless it is at this version'),
    text: z.string().optional(),
    kind: z.string().min(1).max(100).optional(),
    title: note,
    subject: note,
    predicate: note,
    author: note,
    importance: z.number().min(0).max(10).optional(),
    confidence: z.number().min(0).max(1).optional(),
    valid_from: z.string().optional(),
    reason,
  }),
  output: doneShape,
  async run({ context, actor }, { valid_from, ...edit }) {
    const validFrom = valid_from === undefined ? undefined : instantIn(valid_from, 'valid_from')
    const { value, commits } = await notingCommits(context, (noting) => editFact(noting, actor, { ...edit, validFrom }))
    return { ids: [value.id], undo: toCommits(commits), fact: toShown(value, true) }
  },
})
