import type { Instant } from '../../core/facts/fact.js'
import { repairValidity } from '../../core/facts/validity.js'
import type { Change } from '../../core/journal/change.js'
import { noLaterThan, repairTimestamps, toFutureThreshold } from '../../core/time/instants.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'

const PAGE_SIZE = 200
const REPAIR_REASON = 'its clock ran ahead'

export interface RepairResult {
  readonly entries: number
  readonly facts: number
  readonly entities: number
  readonly edges: number
}

/** Repairs rows with a time in the future, written while a clock was ahead. The clock of this process must be right. */
export async function repairFutureDates(env: Environment, actor: string, signal: AbortSignal): Promise<RepairResult> {
  const { store, maintenance: upkeep } = env
  const now = env.clock.now()
  // The journal first, because it determines when the other rows were written.
  const done = { entries: await upkeep.redateJournal(now), facts: 0, entities: 0, edges: 0 }
  const timesOf = async (id: string): Promise<{ readonly made: Instant; readonly changed: Instant }> => {
    const [first] = await store.journal({ target: id, limit: 1 })
    const [last] = await store.journal({ target: id, limit: 1, newestFirst: true })
    return { made: first?.at ?? now, changed: last?.at ?? now }
  }
  for (;;) {
    signal.throwIfAborted()
    const found = await retryOnConflict(async () => {
      const ahead = await upkeep.ahead(toFutureThreshold(env.clock.now()), PAGE_SIZE)
      const times = new Map(
        await Promise.all([...ahead.facts, ...ahead.entities, ...ahead.edges].map(async (id) => [id, await timesOf(id)] as const)),
      )
      const instantsOf = (id: string) => times.get(id) ?? { made: now, changed: now }
      const facts = await store.facts(ahead.facts)
      const entities = await store.entities(ahead.entities)
      const edges = await store.edgesById(ahead.edges)
      if (facts.length + entities.length + edges.length === 0) return false
      const owners = [...new Set([...facts, ...entities, ...edges].map((row) => row.owner))]
      await store.commit({ actor, owners }, (at): Change[] => [
        ...facts.map((fact): Change => {
          const { made, changed } = instantsOf(fact.id)
          return {
            op: 'fact.put',
            fact: { ...repairValidity(repairTimestamps(fact, made, changed, now), now), updatedAt: at, version: fact.version + 1 },
            reason: REPAIR_REASON,
          }
        }),
        ...entities.map((entity): Change => {
          const createdAt = entity.createdAt > now ? noLaterThan(instantsOf(entity.id).made, now) : entity.createdAt
          return { op: 'entity.put', entity: { ...entity, createdAt, updatedAt: at, version: entity.version + 1 }, reason: REPAIR_REASON }
        }),
        ...edges.map((edge): Change => {
          const createdAt = noLaterThan(instantsOf(edge.id).made, now)
          return { op: 'edge.put', edge: { ...edge, createdAt, version: edge.version + 1 }, reason: REPAIR_REASON }
        }),
      ])
      done.facts += facts.length
      done.entities += entities.length
      done.edges += edges.length
      return true
    })
    if (!found) return done
  }
}
