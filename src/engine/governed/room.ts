import type { Fact } from '../../core/facts/fact.js'
import type { UpkeepRules } from '../../core/substrate/upkeep-rules.js'
import type { DerivedIndexSync, Environment } from '../environment.js'
import type { Configuration, ConfigureContext } from '../substrate/knowledge/configuration.js'
import type { ReindexCall, WantedIndexes } from '../substrate/knowledge/derived-state.js'
import type { DecisionContext, Succession, WorkItemStep } from '../substrate/knowledge/lifecycle.js'
import type { Resolution } from '../substrate/knowledge/resolve.js'
import type { ObjectInput, WriteContext } from '../substrate/knowledge/write.js'

/** Knowledge, activities and work items that are written with a reason and decided about; loaded on first need. */
export const governedRoom = (env: Environment, follower: Pick<DerivedIndexSync, 'rebuild'>) => {
  const lifecycle = () => import('../substrate/knowledge/lifecycle.js')
  const upkeep = () => import('../substrate/knowledge/upkeep.js')
  const settings = () => import('../substrate/knowledge/configuration.js')
  const derived = () => import('../substrate/knowledge/derived-state.js')
  const structure = () => import('../substrate/knowledge/structure.js')
  return {
    write: async (objects: readonly ObjectInput[], by: WriteContext) =>
      (await import('../substrate/knowledge/write.js')).writeObjects(env, objects, by),
    promote: async (id: string, by: DecisionContext) => (await lifecycle()).promote(env, id, by),
    contest: async (id: string, by: DecisionContext) => (await lifecycle()).contest(env, id, by),
    supersede: async (ids: Succession, by: DecisionContext) => (await lifecycle()).supersede(env, ids, by),
    moveWorkItem: async (step: WorkItemStep, by: DecisionContext) => (await lifecycle()).moveWorkItem(env, step, by),
    archiveKnowledge: async (id: string, by: DecisionContext) => (await lifecycle()).archiveKnowledge(env, id, by),
    possibleDuplicates: async (facts: readonly Fact[]) =>
      (await import('../substrate/knowledge/possible-duplicates.js')).possibleDuplicates(env, facts),
    promoteCandidates: async (rules: UpkeepRules, by: DecisionContext) => (await upkeep()).promoteCandidates(env, rules, by),
    decayStale: async (rules: UpkeepRules, by: DecisionContext) => (await upkeep()).decayStale(env, rules, by),
    mergeDuplicates: async (by: DecisionContext) => (await upkeep()).mergeDuplicates(env, by),
    archiveSource: async (id: string, by: DecisionContext) => (await upkeep()).archiveSource(env, id, by),
    resolveDuplicates: async (resolution: Resolution, by: DecisionContext) =>
      (await import('../substrate/knowledge/resolve.js')).resolveDuplicates(env, resolution, by),
    report: async (owner: string, rules: UpkeepRules) =>
      (await import('../substrate/knowledge/report.js')).reportOn(env, owner, rules, env.clock.now()),
    structure: async (owner: string) => (await structure()).examineStructure(env, owner),
    repair: async (by: DecisionContext) => (await structure()).dropMissingReferences(env, by),
    audit: async (owner: string, limit: number) => (await import('../substrate/knowledge/audit.js')).auditTrail(env, owner, limit),
    configuration: async (owner: string) => (await settings()).configurationOf(env, owner),
    configure: async (given: Partial<Configuration>, by: ConfigureContext) => (await settings()).configure(env, given, by),
    derivedState: async (owner: string) => (await derived()).derivedState(env, owner),
    reindex: async (owner: string, wanted: WantedIndexes, call: Omit<ReindexCall, 'follower'>) =>
      (await derived()).reindex(env, owner, wanted, { signal: call.signal, progress: call.progress, follower }),
  }
}
