import { toFutureThreshold } from '../../core/time/instants.js'
import type { Finding } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import { datedAhead, entriesAhead } from './future-dates.js'
import type { Connection } from './plan/plan.js'

/** Maximum count of each kind, reported as "or more". */
const MAX_COUNTED = 1000

/** Reports rows that a clock running ahead has dated after the present. */
export async function lateFindings(connection: Connection, clock: Clock): Promise<readonly Finding[]> {
  const than = toFutureThreshold(clock.now())
  const { facts, entities, edges } = await connection.read(() => datedAhead(than, MAX_COUNTED))
  const entries = await connection.read(() => entriesAhead(than))
  const counted = Object.entries({
    facts: facts.length,
    entities: entities.length,
    relations: edges.length,
    'changes in the journal': entries,
  })
  const found = counted.flatMap(([what, n]) => (n === 0 ? [] : [`${n}${n === MAX_COUNTED ? ' or more' : ''} ${what}`]))
  if (found.length === 0) return []
  return [
    {
      severity: 'warning',
      what: `${found.join(', ')} are future-dated: a clock ran ahead when they were stored, or this one is behind`,
      remedy: 'Check the clock of this machine (`date`). If it is right, run `mneme mend`.',
    },
  ]
}
