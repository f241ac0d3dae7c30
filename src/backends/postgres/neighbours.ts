import type { GraphIndex, Neighbour } from '../../ports/graph-index.js'
import { NeighbourShard, ORIGINS } from '../memory-index/neighbours.js'
import type { ShardCache } from '../memory-index/shard-cache.js'
import { type Connection, first, inList, number, type Plan, type Query, queryBatch, runPair, text } from '../sql/plan.js'

type Lists = Map<string, Neighbour[]>

const SLICE_SIZE = 128

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

/** What of the nodes is in the database; not whole where the limit cut. */
function* listsOf(owner: string, nodes: readonly string[], limit: number): Plan<{ readonly lists: Lists; readonly isWhole: boolean }> {
  const lists: Lists = new Map(nodes.map((node) => [node, []]))
  const queries = Array.from({ length: Math.ceil(nodes.length / SLICE_SIZE) }, (_, i) =>
    around(owner, nodes.slice(i * SLICE_SIZE, (i + 1) * SLICE_SIZE), limit),
  )
  const slices = yield* queryBatch(queries)
  for (const row of slices.flat())
    lists.get(text(row, 'near'))?.push({ id: text(row, 'far'), origin: ORIGINS[number(row, 'derived')] ?? 'alike' })
  return { lists, isWhole: slices.every((rows) => rows.length < limit) }
}

/** Grows whenever an edge of the owner comes, changes or goes. */
function* edgesMark(owner: string): Plan<number> {
  const row = yield* first(`SELECT generation, edges FROM owners WHERE owner = ?`, owner)
  return row === undefined ? 0 : number(row, 'generation') + number(row, 'edges')
}

/**
 * Where edges lead, a unit for each owner as the words and vectors of its facts are. The owner's row tells with each question
 * whether the lists that are here still hold; those that are not come along in the same trip.
 */
export function createNeighbours(connection: Connection, memory: ShardCache): { readonly of: GraphIndex['neighbours'] } {
  const shelf = memory.shelf(() => new NeighbourShard())
  return {
    async of(owner, nodes, limit) {
      const entered = shelf.acquire(owner)
      const { unit } = entered
      try {
        const { changes } = unit
        const missing = nodes.filter((node) => !unit.lists.has(node))
        const kept = new Map(nodes.flatMap((node) => (unit.lists.has(node) ? [[node, unit.lists.get(node) ?? []] as const] : [])))
        // The mark first: what comes after it may be newer, and is asked for again by the next mark.
        const [mark, read] = await connection.read(() => runPair(edgesMark(owner), listsOf(owner, missing, limit)))
        const isTrue = entered.mark === mark && unit.changes === changes
        if (entered.mark !== mark && unit.changes === changes) {
          unit.release()
          entered.mark = mark
        }
        const rest = isTrue || kept.size === 0 ? undefined : await connection.read(() => listsOf(owner, [...kept.keys()], limit))
        for (const one of rest === undefined ? [read] : [read, rest]) if (one.isWhole && entered.mark === mark) unit.learn(one.lists)
        return new Map([...(rest === undefined ? kept : rest.lists), ...read.lists])
      } finally {
        shelf.release([entered])
      }
    },
  }
}
