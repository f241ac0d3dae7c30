import { type AccessFilter, findOwnerAccess, isUnrestricted, seesAllScopes } from '../../../core/access/access-filter.js'
import type { FactShards, FollowedConnection } from '../../memory-index/fact-shards.js'
import type { VectorMemory } from '../../memory-index/vector-memory.js'
import { createViewParts, createViews, ownersOf, type Views } from '../../memory-index/views.js'
import type { Dialect } from '../../sql/dialect.js'
import { first } from '../../sql/plan.js'
import type { LargeConnection } from './build-index.js'
import { largeView } from './index-view.js'
import { createLargeOwners } from './indexed-owners.js'

export interface LargeViewsOptions {
  readonly connection: LargeConnection & FollowedConnection
  readonly dialect: Dialect
  readonly units: FactShards
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
  const seesAll = async (owner: string, reach: AccessFilter): Promise<boolean> => {
    const into = findOwnerAccess(reach, owner)
    return into !== undefined && (isUnrestricted(into) || (seesAllScopes(into) && !(await hasApart(owner))))
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
