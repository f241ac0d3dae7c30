import type { FollowedConnection, Units } from '../../resident/units.js'
import type { VectorMemory } from '../../resident/vector-memory.js'
import { createViewParts, createViews, ownersOf, type Views } from '../../resident/views.js'
import type { Dialect } from '../../sql/dialect.js'
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

/** Views of units, and of large owners as soon as the database can search them. */
export function createLargeViews({ connection, dialect, units, vectors, from }: LargeViewsOptions): Views & { close(): Promise<void> } {
  const parts = createViewParts(connection, dialect)
  const owners = createLargeOwners(connection, dialect, from)
  const small = createViews(units, parts, ({ owner, facts }) => owners.note(owner, facts))
  return {
    async view(owner, reach = 'everything') {
      const isReached = owner !== undefined && ownersOf(owner, reach)?.length === 1
      const large = isReached ? await owners.open(owner) : undefined
      return large === undefined ? small.view(owner, reach) : largeView({ connection, vectors, large, reach, parts })
    },
    close: owners.close,
  }
}
