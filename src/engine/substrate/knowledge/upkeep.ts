import type { Fact } from '../../../core/facts/fact.js'
import { isCurrentStatus, withStatus } from '../../../core/facts/validity.js'
import type { Change } from '../../../core/journal/change.js'
import { duplicateGroups, isPromotable, isStale, mergeEvidence, type UpkeepRules } from '../../../core/substrate/governance/upkeep-rules.js'
import { evidenceOf } from '../../../core/substrate/objects/references.js'
import { MemoryError } from '../../../errors.js'
import type { Environment } from '../../environment.js'
import { retryOnConflict } from '../../facts/revise.js'
import { type Patch, patchOf } from '../patches/patches.js'
import { factsOfOwner } from './inventory.js'
import { checkReason, type DecisionContext, type DecisionResult, decideTogether, promoted, superseded } from './lifecycle.js'

/** Activates candidates with sufficient confidence and evidence. */
export const promoteCandidates = (env: Environment, rules: UpkeepRules, decision: DecisionContext): Promise<DecisionResult> =>
  decideTogether(env, { reason: 'promote_candidates', ...decision }, async () => {
    const sure = (await factsOfOwner(env, decision.owner)).filter((fact) => isPromotable(fact, rules))
    return (now) => sure.map((fact) => promoted(fact, now))
  })

/** Marks knowledge as stale if its verification is too old. */
export const decayStale = (env: Environment, rules: UpkeepRules, decision: DecisionContext): Promise<DecisionResult> =>
  decideTogether(env, { reason: 'decay_stale', ...decision }, async () => {
    const old = (await factsOfOwner(env, decision.owner)).filter((fact) => isStale(fact, rules))
    return (now) => old.map((fact) => withStatus(fact, 'stale', now))
  })

/** Keeps the strongest of identical facts, with the evidence and scopes of the others. */
export async function mergeDuplicates(
  env: Environment,
  decision: DecisionContext,
): Promise<DecisionResult & { readonly merged: readonly string[] }> {
  let merged: readonly string[] = []
  const decided = await decideTogether(env, { reason: 'merge_duplicates', ...decision }, async () => {
    const groups = duplicateGroups(await factsOfOwner(env, decision.owner))
    merged = groups.flatMap((group) => group.slice(1).map(({ id }) => id))
    return (now) =>
      groups.flatMap(([winner, ...losers]) =>
        winner === undefined ? [] : [mergeEvidence(winner, losers), ...losers.map((loser) => superseded(loser, winner.id, now))],
      )
  })
  return { ...decided, merged }
}

interface ArchivedSource extends Patch {
  readonly stale: readonly string[]
  /** Facts with other evidence as well. */
  readonly partly: readonly string[]
}

const MAX_CITING = 100_000

/** Archives a source; knowledge without other evidence becomes stale. */
export async function archiveSource(env: Environment, id: string, decision: DecisionContext): Promise<ArchivedSource> {
  checkReason('archive_source', decision.reason)
  const { store } = env
  return retryOnConflict(async () => {
    const source = (await store.sources([id])).find(({ owner }) => owner === decision.owner)
    if (source === undefined) throw new MemoryError('not_found', `Source not found: ${id.slice(0, 200)}`)
    const edges = await store.edges({ owner: decision.owner, nodes: [id], direction: 'incoming', types: ['evidence'], limit: MAX_CITING })
    const citing = (await store.facts(edges.map(({ from }) => from))).filter(({ status }) => isCurrentStatus(status))
    const restsOnIt = (fact: Fact): boolean => evidenceOf(fact).every(({ source_id }) => source_id === id)
    const stale = citing.filter((fact) => restsOnIt(fact) && fact.status !== 'stale')
    const reason = decision.reason ?? 'archive_source'
    const receipt = await store.commit({ actor: decision.actor, owners: [decision.owner] }, (at) => {
      const put: Change[] = stale.map((fact) => ({
        op: 'fact.put',
        fact: { ...withStatus(fact, 'stale', at), updatedAt: at, version: fact.version + 1 },
        reason,
      }))
      if (source.status === 'archived') return put
      return [{ op: 'source.put', source: { ...source, status: 'archived', updatedAt: at, version: source.version + 1 }, reason }, ...put]
    })
    const touched = [id, ...stale.map((fact) => fact.id)]
    return {
      ...(await patchOf(env, decision.owner, receipt, touched)),
      stale: stale.map((fact) => fact.id),
      partly: citing.filter((fact) => !restsOnIt(fact)).map((fact) => fact.id),
    }
  })
}
