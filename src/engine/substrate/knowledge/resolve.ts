import type { Fact } from '../../../core/facts/fact.js'
import { isCurrentStatus, withStatus } from '../../../core/facts/validity.js'
import { isBlank } from '../../../core/input/input.js'
import { isSoftlyCompared, softMatch, softView } from '../../../core/substrate/duplicates/soft-duplicates.js'
import { MemoryError } from '../../../errors.js'
import type { Environment } from '../../environment.js'
import { type DecisionContext, type DecisionResult, decideTogether, knowledge, superseded } from './lifecycle.js'

export interface Resolution {
  readonly outcome: 'supersede' | 'keep_both' | 'contest'
  readonly ids: readonly string[]
  readonly reason: string
  /** The fact to keep. */
  readonly canonical?: string | undefined
  readonly updates: readonly {
    readonly id: string
    readonly summary?: string | undefined
    readonly scopes?: readonly string[] | undefined
  }[]
}

const refused = (message: string): MemoryError => new MemoryError('invalid_input', message)

function checkResolution({ outcome, ids, reason, canonical, updates }: Resolution): void {
  if (isBlank(reason)) throw refused('resolve_duplicates requires a non-empty reason')
  if (new Set(ids).size !== ids.length) throw refused('knowledge_ids must not contain duplicates')
  if (ids.length < 2) throw refused('resolve_duplicates requires at least two knowledge_ids')
  if (canonical !== undefined && !ids.includes(canonical)) throw refused('canonical_knowledge_id must be one of knowledge_ids')
  if (outcome === 'supersede' && canonical === undefined) throw refused('supersede requires canonical_knowledge_id')
  if (outcome !== 'keep_both') return
  if (!updates.some(({ summary, scopes }) => summary !== undefined || scopes !== undefined))
    throw refused('keep_both requires updates that clarify summary or scope_refs')
  if (updates.some(({ id }) => !ids.includes(id))) throw refused('keep_both updates must target only knowledge_ids')
}

/** True if the facts are connected by similar pairs. */
function areCandidates(facts: readonly Fact[]): boolean {
  if (!facts.every(isSoftlyCompared)) return false
  const views = facts.map(softView)
  return views.every((view) => views.some((other) => other !== view && softMatch(view, other) !== undefined))
}

/** Executes a decision about possible duplicates. */
export async function resolveDuplicates(env: Environment, resolution: Resolution, decision: DecisionContext): Promise<DecisionResult> {
  checkResolution(resolution)
  const { outcome, ids, canonical, updates } = resolution
  const decided = await decideTogether(env, { ...decision, reason: resolution.reason }, async () => {
    const facts = await knowledge(env, decision.owner, ids)
    for (const fact of facts) if (!isCurrentStatus(fact.status)) throw refused(`Knowledge is not resolvable: ${fact.id}`)
    if (!areCandidates(facts)) throw refused('knowledge_ids are not a current soft duplicate candidate')
    return (now) => {
      if (outcome === 'contest') return facts.map((fact) => withStatus(fact, 'contested', now))
      if (outcome === 'supersede') return facts.filter(({ id }) => id !== canonical).map((fact) => superseded(fact, canonical ?? '', now))
      return facts.flatMap((fact) => {
        const update = updates.find(({ id }) => id === fact.id)
        if (update === undefined) return []
        return [{ ...fact, text: update.summary ?? fact.text, scopes: update.scopes ?? fact.scopes }]
      })
    }
  })
  await env.embedding.now(updates.flatMap(({ id, summary }) => (summary === undefined ? [] : [id])))
  return decided
}
