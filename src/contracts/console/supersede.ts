import { z } from 'zod'
import { checkText } from '../../core/input/input.js'
import { unknownFact } from '../../engine/console/corrections.js'
import { replaceFact } from '../../engine/facts/replace.js'
import { findFact } from '../../engine/facts/revise.js'
import { notingCommits } from '../../engine/history/commits.js'
import { operation } from '../operation.js'
import { doneShape, id, reason, toCommits, toShown } from './shapes.js'

export const supersede = operation({
  name: 'supersede',
  title: 'Supersede',
  description: 'Store what is true now in the place of a fact, which ends',
  effect: 'write',
  idempotent: false,
  right: 'write',
  input: z.strictObject({ id, text: z.string(), reason }),
  output: doneShape,
  async run({ context, actor, connection }, { id: old, text, reason: why }) {
    checkText(text, 'text', context.settings.maxContentBytes)
    const before = await findFact(context, old, undefined)
    if (before === undefined) throw unknownFact(old)
    const { owner, kind, title, subject, predicate, author, scope, importance } = before
    const said = { text, owner, kind, scope, importance, ...noNulls({ title, subject, predicate, author, reason: why ?? null }) }
    const { value, commits } = await notingCommits(context, (noting) =>
      replaceFact(noting, { actor, connection }, { ...said, supersedes: old }, { unknown: unknownFact }),
    )
    return { ids: [value.id], undo: toCommits(commits), fact: toShown(value, true) }
  },
})

const noNulls = (fields: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
