import { checkFacts, type FactCheck } from '../../../core/substrate/checks/fact-checks.js'
import { governanceViolations } from '../../../core/substrate/checks/structure.js'
import { type SoftPairs, softPairs } from '../../../core/substrate/duplicates/soft-pairs.js'
import { duplicateGroups, isPromotable, isStale, lacksEvidence, type UpkeepRules } from '../../../core/substrate/governance/upkeep-rules.js'
import type { Environment } from '../../environment.js'
import { createYieldPoint } from '../../event-loop.js'
import { type GraphHealth, graphHealth, type Inventory, loadInventory } from './inventory.js'

export interface UpkeepReport {
  readonly promotable: readonly string[]
  readonly lackingEvidence: readonly string[]
  readonly stale: readonly string[]
  readonly duplicates: readonly (readonly string[])[]
  readonly soft: SoftPairs
  readonly checks: readonly FactCheck[]
  readonly violations: ReturnType<typeof governanceViolations>
  readonly graph: GraphHealth
  readonly inventory: Inventory
}

/** Everything that maintenance would change or list for review. Changes nothing. */
export async function reportOn(env: Environment, owner: string, rules: UpkeepRules): Promise<UpkeepReport> {
  const at = env.clock.now()
  const inventory = await loadInventory(env, owner)
  const { facts, entities } = inventory
  const turn = createYieldPoint()
  const ids = (which: (fact: (typeof facts)[number]) => boolean): readonly string[] => facts.filter(which).map(({ id }) => id)
  const comparing = softPairs(facts)
  let step = comparing.next()
  for (; step.done !== true; step = comparing.next()) await turn()
  const candidates = {
    promotable: ids((fact) => isPromotable(fact, rules)),
    lackingEvidence: ids((fact) => lacksEvidence(fact, rules)),
    stale: ids((fact) => isStale(fact, rules)),
  }
  await turn()
  const duplicates = duplicateGroups(facts).map((group) => group.map(({ id }) => id))
  await turn()
  const checks = checkFacts(facts, entities, at)
  await turn()
  const violations = governanceViolations(facts)
  return { ...candidates, duplicates, soft: step.value, checks, violations, graph: await graphHealth(inventory), inventory }
}
