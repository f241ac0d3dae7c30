import type { GraphIndex, Neighbour } from '../../ports/graph-index.js'
import { ORIGINS } from '../resident/neighbours.js'
import { type Connection, inList, number, type Query, text, together } from '../sql/plan.js'

const SLICE = 128

const side = (near: string, far: string, marks: string, place: number): string =>
  `SELECT ${place} AS side, ${near} AS near, derived, ${far} AS far FROM entity_edges WHERE owner = ? AND ${near} IN (${marks}) AND valid_until IS NULL`

const around = (owner: string, nodes: readonly string[], limit: number): Query => {
  const { marks, values } = inList(nodes)
  return {
    // In the order of SQLite's index: walks are the same on both.
    text: `${side('subject', 'object', marks, 0)} UNION ALL ${side('object', 'subject', marks, 1)} ORDER BY side, near, far, derived LIMIT ?`,
    values: [owner, ...values, owner, ...values, limit],
  }
}

/** Where edges lead, asked of the database each time: its index holds all that is answered. */
export const createNeighbours = (connection: Connection): { readonly of: GraphIndex['neighbours'] } => ({
  of: (owner, nodes, limit) =>
    connection.read(function* () {
      const found = new Map<string, Neighbour[]>(nodes.map((node) => [node, []]))
      const queries = Array.from({ length: Math.ceil(nodes.length / SLICE) }, (_, i) =>
        around(owner, nodes.slice(i * SLICE, (i + 1) * SLICE), limit),
      )
      for (const row of (yield* together(queries)).flat())
        found.get(text(row, 'near'))?.push({ id: text(row, 'far'), origin: ORIGINS[number(row, 'derived')] ?? 'alike' })
      return found
    }),
})
