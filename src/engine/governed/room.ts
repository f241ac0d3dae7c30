import type { Fact } from '../../core/fact.js'
import type { UpkeepRules } from '../../core/governed/upkeep-rules.js'
import type { DerivedFollower, Environment } from '../environment.js'
import type { Configuration, ConfigureBy } from './configuration.js'
import type { WantedIndexes, Watched } from './derived-state.js'
import type { DecisionBy, Succession, WorkItemStep } from './lifecycle.js'
import type { Resolution } from './resolve.js'
import type { GivenObject, WriteBy } from './write.js'

/** Knowledge, activities and work items that are written with a reason and decided about; loaded on first need. */
export const governedRoom = (env: Environment, follower: Pick<DerivedFollower, 'rebuild'>) => {
  const lifecycle = () => import('./lifecycle.js')
  const upkeep = () => import('./upkeep.js')
  const settings = () => import('./configuration.js')
  const derived = () => import('./derived-state.js')
  const structure = () => import('./structure.js')
  return {
    write: async (objects: readonly GivenObject[], by: WriteBy) => (await import('./write.js')).writeObjects(env, objects, by),
    promote: async (id: string, by: DecisionBy) => (await lifecycle()).promote(env, id, by),
    contest: async (id: string, by: DecisionBy) => (await lifecycle()).contest(env, id, by),
    supersede: async (ids: Succession, by: DecisionBy) => (await lifecycle()).supersede(env, ids, by),
    moveWorkItem: async (step: WorkItemStep, by: DecisionBy) => (await lifecycle()).moveWorkItem(env, step, by),
    archiveKnowledge: async (id: string, by: DecisionBy) => (await lifecycle()).archiveKnowledge(env, id, by),
    possibleDuplicates: async (facts: readonly Fact[]) => (await import('./possible-duplicates.js')).possibleDuplicates(env, facts),
    promoteCandidates: async (rules: UpkeepRules, by: DecisionBy) => (await upkeep()).promoteCandidates(env, rules, by),
    decayStale: async (rules: UpkeepRules, by: DecisionBy) => (await upkeep()).decayStale(env, rules, by),
    mergeDuplicates: async (by: DecisionBy) => (await upkeep()).mergeDuplicates(env, by),
    archiveSource: async (id: string, by: DecisionBy) => (await upkeep()).archiveSource(env, id, by),
    resolveDuplicates: async (resolution: Resolution, by: DecisionBy) =>
      (await import('./resolve.js')).resolveDuplicates(env, resolution, by),
    report: async (owner: string, rules: UpkeepRules) => (await import('./report.js')).reportOn(env, owner, rules, env.clock.now()),
    structure: async (owner: string) => (await structure()).examineStructure(env, owner),
    repair: async (by: DecisionBy) => (await structure()).dropMissingReferences(env, by),
    audit: async (owner: string, limit: number) => (await import('./audit.js')).auditTrail(env, owner, limit),
    configuration: async (owner: string) => (await settings()).configurationOf(env, owner),
    configure: async (given: Partial<Configuration>, by: ConfigureBy) => (await settings()).configure(env, given, by),
    derivedState: async (owner: string) => (await derived()).derivedState(env, owner),
    reindex: async (owner: string, wanted: WantedIndexes, call: Omit<Watched, 'follower'>) =>
      (await derived()).reindex(env, owner, wanted, { signal: call.signal, progress: call.progress, follower }),
  }
}
