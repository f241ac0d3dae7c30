import { setTimeout as delay } from 'node:timers/promises'
import { embedText } from '../../core/embedding/fact-text.js'
import type { Fact, Instant } from '../../core/facts/fact.js'
import { isExpired, lifeOf } from '../../core/facts/lifecycle.js'
import { withStatus } from '../../core/facts/validity.js'
import type { Change } from '../../core/journal/change.js'
import { isSystemForm } from '../../core/statements/statement.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'

const MAX_ATTEMPTS = 12

/** Retries a read-decide-commit cycle after a conflict, with random delays; reports the last conflict. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'conflict' || attempt === MAX_ATTEMPTS) throw error
      if (attempt > 1) await delay(Math.random() * 4 * attempt)
    }
  }
}

/** The fact with an id, or undefined; facts of other owners and system facts do not exist. */
export async function findFact(env: Environment, id: string, owner?: string | undefined): Promise<Fact | undefined> {
  const [fact] = await env.store.facts([id])
  return fact !== undefined && (owner === undefined || fact.owner === owner) && !isSystemForm(fact.form) ? fact : undefined
}

export interface Revision {
  readonly id: string
  readonly owner?: string | undefined
  readonly reason?: string | undefined
  /** The version that the change requires; any other is rejected. */
  readonly ifVersion?: number | undefined
  /** Returns the new fact, or undefined to keep the stored one. */
  change(fact: Fact, now: Instant): Fact | undefined
}

/** Changes one fact. Returns it as stored afterwards, or undefined if it does not exist. */
export async function revise(env: Environment, actor: string, revision: Revision): Promise<Fact | undefined> {
  const { ifVersion } = revision
  let stale: number | undefined
  const revised = await retryOnConflict(async () => {
    const before = await findFact(env, revision.id, revision.owner)
    if (before === undefined) return undefined
    stale = ifVersion === undefined || before.version === ifVersion ? undefined : before.version
    if (stale !== undefined) return undefined
    let after: Fact | undefined
    const { masked } = await env.store.commit({ actor, owners: [before.owner] }, (at) => {
      const changed = revision.change(before, at)
      if (changed === undefined) return []
      after = { ...changed, updatedAt: at, version: before.version + 1 }
      const put: Change = { op: 'fact.put', fact: after, ...(revision.reason === undefined ? {} : { reason: revision.reason }) }
      return [put]
    })
    const stored = masked === undefined ? after : await findFact(env, before.id, revision.owner)
    if (stored !== undefined && embedText(stored) !== embedText(before)) await env.embedding.now([stored.id])
    return stored ?? before
  })
  if (stale !== undefined)
    throw new MemoryError('conflict', `Memory ${revision.id} is at version ${stale}, not ${ifVersion}: nothing was changed`, {
      hint: 'Read it again, and repeat the change if it is still wanted.',
      details: { version: stale, if_version: ifVersion },
    })
  return revised
}

interface Invalidation {
  readonly id: string
  readonly owner?: string | undefined
  readonly reason?: string
  /** The fact that replaces it. */
  readonly supersededBy?: string
}

/** Ends the validity of a fact now. False if it does not exist or has ended. */
export async function invalidate(
  env: Environment,
  actor: string,
  input: Invalidation,
  options: { readonly unknown: (id: string) => MemoryError },
): Promise<boolean> {
  const fact = await findFact(env, input.id, input.owner)
  const startedAt = env.clock.now()
  if (fact === undefined || lifeOf(fact, startedAt) !== 'active' || isExpired(fact, startedAt)) return false
  if (input.supersededBy !== undefined) await checkSuccessor(env, fact, input.supersededBy, options.unknown)
  let ended = false
  await revise(env, actor, {
    id: input.id,
    owner: input.owner,
    reason: input.reason,
    change(known, now) {
      ended = lifeOf(known, now) === 'active'
      if (!ended) return undefined
      const over = withStatus(known, input.supersededBy === undefined ? 'outdated' : 'superseded', now)
      return { ...over, supersededBy: input.supersededBy ?? null, reason: input.reason ?? known.reason }
    },
  })
  return ended
}

/** Rejects cycles, which would leave no current fact, and facts of other owners, which would reveal that they exist. */
async function checkSuccessor(env: Environment, fact: Fact, id: string, unknown: (id: string) => MemoryError): Promise<void> {
  if (id === fact.id) throw new MemoryError('invalid_input', 'Invalid superseded_by: a memory cannot replace itself')
  const successor = await findFact(env, id, fact.owner)
  if (successor === undefined) throw unknown(id)
  const now = env.clock.now()
  if (lifeOf(successor, now) !== 'active' || isExpired(successor, now))
    throw new MemoryError('invalid_input', `Invalid superseded_by: memory ${id} has itself ended`, {
      hint: 'Name the memory that is true now, or leave superseded_by out.',
    })
}

/** Deletes a fact permanently. False if it does not exist. */
export function forget(
  env: Environment,
  actor: string,
  input: { readonly id: string; readonly owner?: string | undefined; readonly reason?: string },
): Promise<boolean> {
  return retryOnConflict(async () => {
    const fact = await findFact(env, input.id, input.owner)
    if (fact === undefined) return false
    await env.store.commit({ actor, owners: [fact.owner] }, () => [
      { op: 'fact.delete', id: fact.id, owner: fact.owner, ...(input.reason === undefined ? {} : { reason: input.reason }) },
    ])
    return true
  })
}
