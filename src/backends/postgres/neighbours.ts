import type { GraphIndex, Neighbour } from '../../ports/graph-index.js'
import { NeighbourShard, ORIGINS } from '../memory-index/neighbours.js'
import type { ShardCache } from '../memory-index/shard-cache.js'
import { type Connection, first, inList, number, type Plan, type Query, queryBatch, runPair, text } from '../sql/plan/plan.js'

type Lists = Map<string, Neighbour[]>

const SLICE_SIZE = 128

const side = (near: string, far: string, marks: string, place: number): string =>
  `SELECT ${place} AS side, ${near} AS near, derived, ${far} AS far FROM entity_edges WHERE owner = ? AND ${near} IN (${marks}) AND valid_until IS NULL`

const around = (owner: string, nodes: readonly string[], limit: number): Query => {
  const { marks, values } = inList(nodes)
  return {
    // In the order of SQLite's index, so that walks are equal on both.
    text: `${side('subject', 'object', marks, 0)} UNION ALL ${side('object', 'subject', marks, 1)} ORDER BY side, near, far, derived LIMIT ?`,
    values: [owner, ...values, owner, ...values, limit],
  }
}

/** Neighbour lists from the database; incomplete if the limit applied. */
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

/** Increases whenever an edge of the owner changes. */
function* edgesMark(owner: string): Plan<number> {
  const row = yield* first(`SELECT generation, edges FROM owners WHERE owner = ?`, owner)
  return row === undefined ? 0 : number(row, 'generation') + number(row, 'edges')
}

/**
 * Neighbour lists, cached per owner. The owner's row shows with each query whether the cached lists are current; missing lists come in the
 * same round trip.
 */
export function createNeighbours(connection: Connection, memory: ShardCache): { readonly of: GraphIndex['neighbours'] } {
  const shelf = memory.shelf(() => new NeighbourShard())
  return {
    async of(owner, nodes, limit) {
      const entered = shelf.acquire(owner)
      const { shard } = entered
      try {
        const { changes } = shard
        const missing = nodes.filter((node) => !shard.lists.has(node))
        const kept = new Map(nodes.flatMap((node) => (shard.lists.has(node) ? [[node, shard.lists.get(node) ?? []] as const] : [])))
        // The watermark is read first: later data may be newer, and is read again with the next watermark.
        const [mark, read] = await connection.read(() => runPair(edgesMark(owner), listsOf(owner, missing, limit)))
        const isTrue = entered.mark === mark && shard.changes === changes
        if (entered.mark !== mark && shard.changes === changes) {
          shard.release()
          entered.mark = mark
        }
        const rest = isTrue || kept.size === 0 ? undefined : await connection.read(() => listsOf(owner, [...kept.keys()], limit))
        for (const entry of rest === undefined ? [read] : [read, rest]) if (entry.isWhole && entered.mark === mark) shard.learn(entry.lists)
        return new Map([...(rest === undefined ? kept : rest.lists), ...read.lists])
      } finally {
        shelf.release([entered])
      }
    },
  }
}
