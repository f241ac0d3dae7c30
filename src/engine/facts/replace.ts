import type { Fact, NewFact } from '../../core/facts/fact.js'
import { isExpired, lifeOf } from '../../core/facts/lifecycle.js'
import { withStatus } from '../../core/facts/validity.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'
import { checkOwner, remember, type Writer } from './remember.js'
import { findFact, retryOnConflict } from './revise.js'

/** Stores a fact that supersedes a current one; the old fact ends in the same commit and names its successor. */
export function replaceFact(
  env: Environment,
  writer: Writer,
  input: NewFact & { readonly supersedes: string },
  options: { readonly unknown: (id: string) => MemoryError },
): Promise<Fact> {
  const { supersedes, ...newFact } = input
  if (newFact.owner !== undefined) checkOwner(newFact.owner)
  return retryOnConflict(async () => {
    const old = await findFact(env, supersedes, newFact.owner ?? env.settings.defaultOwner)
    if (old === undefined) throw options.unknown(supersedes)
    checkCurrent(env, old)
    const [fact] = await remember(env, writer, [newFact], (facts, at) =>
      facts.map((made) => ({
        op: 'fact.put',
        fact: { ...withStatus(old, 'superseded', at), supersededBy: made.id, updatedAt: at, version: old.version + 1 },
      })),
    )
    if (fact === undefined) throw new MemoryError('internal', 'The fact was not stored.')
    return fact
  })
}

function checkCurrent(env: Environment, old: Fact): void {
  const now = env.clock.now()
  if (lifeOf(old, now) === 'active' && !isExpired(old, now)) return
  throw new MemoryError('invalid_input', `Invalid supersedes: memory ${old.id} has ended already, nothing was stored`, {
    hint:
      old.supersededBy === null
        ? 'Omit supersedes to store the new memory in addition.'
        : `It was replaced by ${old.supersededBy}: name that one, or leave supersedes out.`,
  })
}
