import { type AccessFilter, findOwnerAccess, isUnrestricted, seesAllScopes } from '../../../core/access/access-filter.js'
import type { FactShards, FollowedConnection } from '../../memory-index/fact-shards.js'
import type { VectorMemory } from '../../memory-index/vector-memory.js'
import { createViewParts, createViews, ownersOf, type Views } from '../../memory-index/views.js'
import type { Dialect } from '../../sql/plan/dialect.js'
import { first } from '../../sql/plan/plan.js'
import type { LargeConnection } from './build-index.js'
import { largeView } from './index-view.js'
import { createLargeOwners } from './indexed-owners.js'

interface LargeViewsOptions {
  readonly connection: LargeConnection & FollowedConnection
  readonly dialect: Dialect
  readonly shards: FactShards
  readonly vectors: VectorMemory
  /** Owners with this many facts are searched in the database. */
  readonly from: number
}

/**
 * Views of shards, and of large owners once their database index exists. That index counts all facts of an owner, so a reader with
 * restricted access uses the shard: hidden facts must not affect the result.
 */
export function createLargeViews({ connection, dialect, shards, vectors, from }: LargeViewsOptions): Views & { close(): Promise<void> } {
  const parts = createViewParts(connection, dialect)
  const owners = createLargeOwners(connection, dialect, from)
  const small = createViews(shards, parts, ({ owner, facts }) => owners.note(owner, facts))
  /** True if the owner has facts in gardens or from peers, which is rare for large owners. */
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
