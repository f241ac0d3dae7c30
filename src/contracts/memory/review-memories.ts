import { z } from 'zod'
import { entriesOfCommits, notingCommits } from '../../engine/history/commits.js'
import { undoEntries } from '../../engine/history/undo.js'
import { MemoryError } from '../../errors.js'
import { operation } from '../operation.js'
import { REVIEW_VIEW } from './views.js'

/** Loaded on first use: most sessions review nothing. */
const loadReview = () => Promise.all([import('../../engine/console/review.js'), import('../shown-fact.js')])

const ids = z.array(z.string().min(1).max(200)).min(1).max(200)
const commit = z.object({ owner: z.string(), commit: z.string(), first_seq: z.int(), last_seq: z.int() })

export const reviewMemories = operation({
  name: 'review_memories',
  title: 'Review memories',
  description: 'Show the user the memories that wait for a decision: captured candidates, conflicts, near duplicates. The user decides.',
  effect: 'read',
  idempotent: true,
  listed: false,
  view: { uri: REVIEW_VIEW },
  input: z.strictObject({ limit: z.int().min(1).max(200).default(50) }),
  output: z.object({
    items: z
      .array(z.object({ kind: z.string(), facts: z.array(z.record(z.string(), z.unknown())), alike: z.number().optional() }))
      .meta({ wire: 'array' }),
    count: z.int(),
  }),
  async run({ context }, { limit }) {
    const [{ readReview }, { toShown }] = await loadReview()
    const { items } = await readReview(context)
    return {
      items: items.slice(0, limit).map(({ kind, facts, alike }) => ({
        kind,
        facts: facts.map((fact) => toShown(fact, true)),
        ...(alike === undefined ? {} : { alike }),
      })),
      count: items.length,
    }
  },
})

export const decideReview = operation({
  name: 'decide_review',
  title: 'Decide a review',
  description: 'Accept or reject memories that wait for review; of two keep one, keep both, or merge them; or undo a decision',
  effect: 'write',
  idempotent: true,
  listed: false,
  view: { uri: REVIEW_VIEW, forPages: true },
  input: z.strictObject({
    verdict: z.enum(['accept', 'reject', 'keep', 'both', 'merge', 'undo']),
    ids: ids.optional().describe('One memory, or both of a pair'),
    keep: z.string().optional().describe('The memory of a pair to keep'),
    text: z.string().optional().describe('Text of the kept memory after a merge'),
    reason: z.string().max(2000).optional(),
    undo: z.array(commit).max(400).optional().describe('The value of undo in the result of the decision'),
  }),
  output: z.object({ ids: z.array(z.string()), undo: z.array(commit).meta({ wire: 'array' }) }),
  async run({ context, actor }, { verdict, ids: targets = [], undo: commits = [], ...more }) {
    const named = commits.map(({ first_seq, last_seq, ...rest }) => ({ ...rest, firstSeq: first_seq, lastSeq: last_seq }))
    const isUndo = verdict === 'undo'
    if ((isUndo ? named : targets).length === 0)
      throw new MemoryError('invalid_input', `Invalid ${isUndo ? 'undo' : 'ids'}: it is required for "${verdict}".`)
    const entries = isUndo ? await entriesOfCommits(context, named) : []
    const made = await notingCommits(context, async (noting) => {
      if (!isUndo) await (await import('../../engine/console/decide.js')).decide(noting, actor, { verdict, ids: targets, ...more })
      else if ((await undoEntries(noting, actor, entries, 'a decision of a review')).undone === 0)
        throw new MemoryError('conflict', 'Nothing was undone: it was changed again since, or deleted.')
    })
    return {
      ids: isUndo ? [...new Set(entries.map(({ target }) => target))] : targets,
      undo: made.commits.map(({ owner, commit: name, firstSeq, lastSeq }) => ({
        ...{ owner, commit: name },
        ...{ first_seq: firstSeq, last_seq: lastSeq },
      })),
    }
  },
})
