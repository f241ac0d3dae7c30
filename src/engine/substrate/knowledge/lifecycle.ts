import type { Fact, Instant } from '../../../core/facts/fact.js'
import { isCurrentStatus, withStatus } from '../../../core/facts/validity.js'
import { isBlank } from '../../../core/input/input.js'
import type { Change } from '../../../core/journal/change.js'
import { factTypeOf } from '../../../core/substrate/objects/objects.js'
import { MemoryError } from '../../../errors.js'
import type { Environment } from '../../environment.js'
import { retryOnConflict } from '../../facts/revise.js'
import { NO_PATCH, type Patch, patchOf } from '../patches/patches.js'

export interface DecisionContext {
  readonly owner: string
  readonly actor: string
  readonly reason?: string | undefined
}

const knowledgeNotFound = (id: string): MemoryError => new MemoryError('not_found', `Knowledge not found: ${id.slice(0, 200)}`)

/** Knowledge of one owner by id; all must exist. */
export async function knowledge(env: Environment, owner: string, ids: readonly string[]): Promise<readonly Fact[]> {
  const found = new Map((await env.store.facts(ids)).map((fact) => [fact.id, fact]))
  return ids.map((id) => {
    const fact = found.get(id)
    if (fact === undefined || fact.owner !== owner || factTypeOf(fact) !== 'knowledge') throw knowledgeNotFound(id)
    return fact
  })
}

/** Rejects a blank reason. A missing one is rejected only if the operation requires it. */
export function checkReason(operation: string, reason: string | undefined): void {
  if (reason !== undefined && isBlank(reason)) throw new MemoryError('invalid_input', `${operation} requires a non-empty reason`)
}

export interface DecisionResult extends Patch {
  readonly facts: readonly Fact[]
}

/** Changes facts in one commit; if one of them changed concurrently, reads them again and calls `decide` again. */
export function decideTogether(
  env: Environment,
  decision: DecisionContext,
  decide: () => Promise<(now: Instant) => readonly Fact[]>,
): Promise<DecisionResult> {
  checkReason('decision', decision.reason)
  return retryOnConflict(async () => {
    const change = await decide()
    let facts: readonly Fact[] = []
    const receipt = await env.store.commit({ actor: decision.actor, owners: [decision.owner] }, (at) => {
      facts = change(at).map((fact) => ({ ...fact, updatedAt: at, version: fact.version + 1 }))
      return facts.map((fact): Change => ({ op: 'fact.put', fact, ...(decision.reason === undefined ? {} : { reason: decision.reason }) }))
    })
    if (receipt.entries.length === 0) return { ...NO_PATCH, facts: [] }
    const ids = facts.map(({ id }) => id)
    return { ...(await patchOf(env, decision.owner, receipt, ids)), facts }
  })
}

/** Ended facts stay ended: decisions apply to current facts only. */
function checkCurrent(fact: Fact, what: string): void {
  if (!isCurrentStatus(fact.status))
    throw new MemoryError('invalid_input', `Knowledge is not ${what}: ${fact.id}`, { hint: 'It has ended. Remember it again.' })
}

export const promoted = (fact: Fact, now: Instant): Fact => ({ ...withStatus(fact, 'active', now), verifiedAt: now })

export const promote = (env: Environment, id: string, decision: DecisionContext): Promise<DecisionResult> =>
  decideTogether(env, decision, async () => {
    const [fact] = await knowledge(env, decision.owner, [id])
    return (now) => {
      if (fact === undefined) return []
      checkCurrent(fact, 'promotable')
      return [promoted(fact, now)]
    }
  })

export const contest = (env: Environment, id: string, decision: DecisionContext): Promise<DecisionResult> =>
  decideTogether(env, decision, async () => {
    const [fact] = await knowledge(env, decision.owner, [id])
    return (now) => {
      if (fact === undefined) return []
      checkCurrent(fact, 'contestable')
      return [withStatus(fact, 'contested', now)]
    }
  })

export const superseded = (fact: Fact, successor: string, now: Instant): Fact => ({
  ...withStatus(fact, 'superseded', now),
  supersededBy: successor,
})

interface WorkItemStep {
  readonly id: string
  readonly stage: string
  readonly resolution?: string | undefined
}

/** Moves a work item to another stage. */
export const moveWorkItem = (
  env: Environment,
  { id, stage, resolution }: WorkItemStep,
  decision: DecisionContext,
): Promise<DecisionResult> =>
  decideTogether(env, decision, async () => {
    const item = (await env.store.facts([id])).find((fact) => fact.owner === decision.owner && factTypeOf(fact) === 'work_item')
    if (item === undefined) throw new MemoryError('not_found', `Work item not found: ${id.slice(0, 200)}`)
    const resolved = resolution === undefined ? item : { ...item, details: { ...item.details, resolution } }
    return () => [{ ...resolved, stage }]
  })

/** Archives knowledge; its history is kept. */
export function archiveKnowledge(env: Environment, id: string, decision: DecisionContext): Promise<DecisionResult> {
  checkReason('archive_knowledge', decision.reason)
  return decideTogether(env, decision, async () => {
    const [fact] = await knowledge(env, decision.owner, [id])
    return (now) => (fact === undefined || fact.status === 'archived' ? [] : [withStatus(fact, 'archived', now)])
  })
}

interface Succession {
  readonly old: string
  readonly successor: string
}

/** Ends a fact in favour of a new one. */
export function supersede(env: Environment, ids: Succession, decision: DecisionContext): Promise<DecisionResult> {
  if (ids.old === ids.successor) throw new MemoryError('invalid_input', `Knowledge cannot supersede itself: ${ids.old}`)
  return decideTogether(env, decision, async () => {
    const [old, successor] = await knowledge(env, decision.owner, [ids.old, ids.successor])
    return (now) => {
      if (old === undefined || successor === undefined) return []
      checkCurrent(successor, 'promotable')
      return [superseded(old, successor.id, now), withStatus(successor, 'active', now)]
    }
  })
}
