import type { Change } from '../core/change.js'
import type { Fact, Instant } from '../core/fact.js'
import { embedText } from '../core/fact-text.js'
import { isCurrentStatus, withStatus } from '../core/validity.js'
import { MemoryError } from '../errors.js'
import type { Environment } from './environment.js'

const ATTEMPTS = 4

/** Repeats a read-decide-commit that lost a race; the fourth loss is reported. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'conflict' || attempt === ATTEMPTS) throw error
    }
  }
}

/** The fact with that id, or undefined; another owner's fact does not exist. */
export async function findFact(env: Environment, id: string, owner: string | undefined): Promise<Fact | undefined> {
  const [fact] = await env.backend.store.facts([id])
  return fact !== undefined && (owner === undefined || fact.owner === owner) ? fact : undefined
}

export interface Revision {
  readonly id: string
  readonly owner?: string | undefined
  readonly reason?: string | undefined
  /** The new fact from the stored one, or undefined to leave it as it is. */
  change(fact: Fact, at: Instant): Fact | undefined
}

/** Changes one fact. Answers it as stored afterwards, or undefined when there is none. */
export function revise(env: Environment, actor: string, revision: Revision): Promise<Fact | undefined> {
  return retryOnConflict(async () => {
    const before = await findFact(env, revision.id, revision.owner)
    if (before === undefined) return undefined
    let after: Fact | undefined
    await env.backend.store.commit(actor, (at) => {
      const changed = revision.change(before, at)
      if (changed === undefined) return []
      after = { ...changed, updatedAt: at, version: before.version + 1 }
      const put: Change = { op: 'fact.put', fact: after, ...(revision.reason === undefined ? {} : { reason: revision.reason }) }
      return [put]
    })
    if (after !== undefined && embedText(after) !== embedText(before)) await env.vectoriser.now([after.id])
    return after ?? before
  })
}

/** Ends a fact's validity now. False when there is none or it has ended before. */
export async function invalidate(
  env: Environment,
  actor: string,
  input: { readonly id: string; readonly owner?: string; readonly reason?: string; readonly supersededBy?: string },
): Promise<boolean> {
  let ended = false
  await revise(env, actor, {
    id: input.id,
    owner: input.owner,
    reason: input.reason,
    change(fact, at) {
      ended = isCurrentStatus(fact.status) && (fact.validUntil === null || fact.validUntil > at)
      if (!ended) return undefined
      const over = withStatus(fact, input.supersededBy === undefined ? 'outdated' : 'superseded', at)
      return { ...over, supersededBy: input.supersededBy ?? null, reason: input.reason ?? fact.reason }
    },
  })
  return ended
}

/** Removes a fact for good. False when there is none. */
export function forget(
  env: Environment,
  actor: string,
  input: { readonly id: string; readonly owner?: string; readonly reason?: string },
): Promise<boolean> {
  return retryOnConflict(async () => {
    const fact = await findFact(env, input.id, input.owner)
    if (fact === undefined) return false
    await env.backend.store.commit(actor, () => [
      { op: 'fact.delete', id: fact.id, owner: fact.owner, ...(input.reason === undefined ? {} : { reason: input.reason }) },
    ])
    return true
  })
}
