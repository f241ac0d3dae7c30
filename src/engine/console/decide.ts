import type { Fact } from '../../core/facts/fact.js'
import { withStatus } from '../../core/facts/validity.js'
import { checkText } from '../../core/input/input.js'
import type { Change } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'
import { newEdge } from '../edges/relations.js'
import { retryOnConflict } from '../facts/revise.js'
import { unknownFact } from './corrections.js'
import { BOTH_HOLD } from './review.js'

export type Verdict = 'accept' | 'reject' | 'keep' | 'both' | 'merge'

export interface Decision {
  readonly verdict: Verdict
  /** One fact, or both facts of a pair. */
  readonly ids: readonly string[]
  /** The fact of a pair to keep. */
  readonly keep?: string | undefined
  /** The text of the kept fact after a merge. */
  readonly text?: string | undefined
  readonly reason?: string | undefined
}

/** Executes the decision of a person in one commit. */
export async function decide(context: Context, actor: string, decision: Decision): Promise<void> {
  if (decision.text !== undefined) checkText(decision.text, 'text', context.settings.maxContentBytes)
  const embed: string[] = []
  await retryOnConflict(async () => {
    const facts = await Promise.all(decision.ids.map((id) => readFact(context, id)))
    embed.length = 0
    const owners = [...new Set(facts.map(({ owner }) => owner))]
    await context.store.commit({ actor, owners }, (now) => changesFor(decision, facts, now, context, embed))
  })
  if (embed.length > 0) await context.embedding.now(embed)
}

async function readFact({ store }: Context, id: string): Promise<Fact> {
  const [fact] = await store.facts([id])
  if (fact === undefined) throw unknownFact(id)
  return fact
}

function changesFor(
  { verdict, keep, text, reason }: Decision,
  facts: readonly Fact[],
  now: number,
  { ids }: Context,
  embed: string[],
): readonly Change[] {
  const put = (fact: Fact): Change => ({
    op: 'fact.put',
    fact: { ...fact, updatedAt: now, version: fact.version + 1 },
    ...(reason === undefined ? {} : { reason }),
  })
  if (verdict === 'accept')
    return facts.map((fact) => put({ ...withStatus(fact, 'active', now), quarantine: fact.quarantine === null ? null : 'promoted' }))
  if (verdict === 'reject')
    return facts.map((fact) =>
      put({
        ...withStatus(fact, 'retracted', now),
        quarantine: fact.quarantine === null ? null : 'rejected',
        reason: reason ?? fact.reason,
      }),
    )
  const [first, second] = facts
  if (first === undefined || second === undefined || first.id === second.id)
    throw new MemoryError('invalid_input', `"${verdict}" is a decision about two facts.`)
  if (verdict === 'both') {
    const ends = { from: first.id, fromKind: 'fact', to: second.id, toKind: 'fact', type: BOTH_HOLD, owner: first.owner } as const
    const settled = [first, second].flatMap((fact) => (fact.status === 'contested' ? [put({ ...fact, status: 'active' })] : []))
    return [...settled, { op: 'edge.put', edge: { ...newEdge({ ...ends, wording: BOTH_HOLD }, {}, now), id: ids.mint() } }]
  }
  const kept = facts.find(({ id }) => id === keep)
  const other = facts.find(({ id }) => id !== keep)
  if (kept === undefined || other === undefined) throw new MemoryError('invalid_input', 'Name the fact that is kept, as one of the two.')
  const ended = { ...withStatus(other, 'superseded', now), supersededBy: kept.id, reason: reason ?? other.reason }
  const merged = verdict === 'merge' && text !== undefined && text !== kept.text
  if (merged) embed.push(kept.id)
  const held = { ...kept, ...(kept.status === 'contested' ? { status: 'active' as const } : {}), ...(merged ? { text } : {}) }
  return [put(ended), ...(held.status !== kept.status || merged ? [put(held)] : [])]
}
