import { z } from 'zod'
import { tagFacts } from '../../engine/console/corrections.js'
import { notingCommits } from '../../engine/history/commits.js'
import { operation } from '../operation.js'
import { doneShape, ids, toCommits } from './shapes.js'

export const tag = operation({
  name: 'tag',
  title: 'Tag',
  description: 'Add a tag to facts, or take it from them',
  effect: 'write',
  idempotent: true,
  right: 'write',
  input: z.strictObject({ ids, tag: z.string().trim().min(1).max(60), wanted: z.boolean().default(true) }),
  output: doneShape,
  async run({ context, actor }, { ids: wantedIds, tag: word, wanted }) {
    const { value, commits } = await notingCommits(context, (noting) => tagFacts(noting, actor, wantedIds, word, wanted))
    return { ids: [...value], undo: toCommits(commits) }
  },
})
