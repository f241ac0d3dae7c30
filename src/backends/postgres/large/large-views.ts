import { isWhole, type Reach, reachInto, seesAllScopes } from '../../../core/visibility.js'
import type { FollowedConnection, Units } from '../../resident/units.js'
import type { VectorMemory } from '../../resident/vector-memory.js'
import { createViewParts, createViews, ownersOf, type Views } from '../../resident/views.js'
import type { Dialect } from '../../sql/dialect.js'
import { first } from '../../sql/plan.js'
import type { LargeConnection } from './build-large.js'
import { createLargeOwners } from './large-owners.js'
import { largeView } from './large-view.js'

export interface LargeViewsOptions {
  readonly connection: LargeConnection & FollowedConnection
  readonly dialect: Dialect
  readonly units: Units
  readonly vectors: VectorMemory
  /** Owners of so many facts are searched in the database. */
  readonly from: number
}

/**
 * Views of units, and of large owners as soon as the database can search them. It counts and ranks all facts of an owner, so a reader who
 * may not see some of them is answered from the unit: what is hidden decides nothing there.
 */
export function createLargeViews({ connection, dialect, units, vectors, from }: LargeViewsOptions): Views & { close(): Promise<void> } {
  const parts = createViewParts(connection, dialect)
  const owners = createLargeOwners(connection, dialect, from)
  const small = createViews(units, parts, ({ owner, facts }) => owners.note(owner, facts))
  /** Facts in gardens and from peers: few owners of many facts have some. */
  const hasApart = async (owner: string): Promise<boolean> =>
    (await connection.read(() =>
      first(`SELECT rid FROM facts WHERE owner = ? AND (garden IS NOT NULL OR received_from IS NOT NULL) LIMIT 1`, owner),
    )) !== undefined
  const seesAll = async (owner: string, reach: Reach): Promise<boolean> => {
    const into = reachInto(reach, owner)
    return into !== undefined && (isWhole(into) || (seesAllScopes(into) && !(await hasApart(owner))))
  }
  return {
    async view(owner, reach = 'everything') {
      const isReached = owner !== undefined && ownersOf(owner, reach)?.length === 1
      const found = isReached ? await owners.open(owner) : undefined
      const large = found !== undefined && (await seesAll(found.place.owner, reach)) ? found : undefined
      return large === undefined ? small.view(owner, reach) : largeView({ connection, vectors, large, reach, parts })
    },
    close: owners.close,
  }
}
