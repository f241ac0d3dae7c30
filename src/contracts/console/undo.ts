import { z } from 'zod'
import { entriesOfCommits, notingCommits } from '../../engine/history/commits.js'
import { undoEntries } from '../../engine/history/undo.js'
import { MemoryError } from '../../errors.js'
import { operation } from '../operation.js'
import { commitShape, doneShape, toCommits } from './shapes.js'

const output = doneShape.extend({ skipped: z.array(z.string()) })

export const undo = operation({
  name: 'undo',
  title: 'Undo',
  description: 'Take back everything that some commits did; what changed since, or was deleted, stays as it is',
  effect: 'write',
  keyed: false,
  idempotent: true,
  right: 'write',
  input: z.strictObject({ commits: z.array(commitShape).min(1).max(400) }),
  output,
  async run({ context, actor }, input) {
    const named = input.commits.map(({ owner, commit, first_seq, last_seq }) => ({ owner, commit, firstSeq: first_seq, lastSeq: last_seq }))
    const entries = await entriesOfCommits(context, named)
    const { value, commits } = await notingCommits(context, (noting) => undoEntries(noting, actor, entries, 'an action in the console'))
    if (value.undone === 0)
      throw new MemoryError('conflict', 'Nothing was undone: it was changed again since, or deleted.', {
        hint: 'Its history shows what happened since; the newest change has to be undone first.',
      })
    return { ids: [...new Set(entries.map(({ target }) => target))], undo: toCommits(commits), skipped: [...value.skipped] }
  },
})
