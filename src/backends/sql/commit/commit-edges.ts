import type { Edge } from '../../../core/graph/edge.js'
import { EDGE_ORIGINS } from '../../../core/graph/linking.js'
import type { Journal } from '../owners/journal.js'
import { first, type Plan, run } from '../plan/plan.js'
import { seal } from '../plan/row-checksums.js'
import { assignments, EDGE_COLUMNS, edgeValues, marks, toEdge } from '../plan/rows.js'
import { checkVersion, conflict } from './commit-names.js'

/** Edges of a node have the same owner as the node. */
export function* deleteEdgesOf(node: string, owner: string, journal: Journal): Plan<void> {
  // A hub has many derived edges, which are not journalled: one statement deletes all of them.
  yield* run(
    `DELETE FROM entity_edges WHERE (subject = ? OR object = ? OR fact_id = ?) AND +owner = ? AND +derived <> ?`,
    node,
    node,
    node,
    owner,
    EDGE_ORIGINS.no,
  )
  journal.ledger.touchEdges(owner)
  const rows = yield* run(
    `SELECT ${EDGE_COLUMNS} FROM entity_edges WHERE (subject = ? OR object = ? OR fact_id = ?) AND +owner = ? ORDER BY id`,
    node,
    node,
    node,
    owner,
  )
  for (const row of rows) {
    const edge = toEdge(row)
    yield* run(`DELETE FROM entity_edges WHERE id = ? AND owner = ?`, edge.id, owner)
    yield* journal.forget(edge.id, owner)
    yield* journal.write('edge.delete', 'edge', edge.id, edge.owner, null, null, 'an end was deleted')
  }
}

export function* putEdge(edge: Edge, imported: boolean, reason: string | null, journal: Journal): Plan<void> {
  const row = yield* first(`SELECT ${EDGE_COLUMNS} FROM entity_edges WHERE id = ? AND owner = ?`, edge.id, edge.owner)
  const before = row === undefined ? undefined : toEdge(row)
  checkVersion(`Edge ${edge.id}`, before, edge, imported)
  if (edge.from !== before?.from || edge.to !== before.to) yield* checkEnds(edge)
  const values = edgeValues(edge)
  if (before === undefined)
    yield* run(`INSERT INTO entity_edges (${EDGE_COLUMNS}, derived, seal) VALUES (${marks(EDGE_COLUMNS)}, 0, ?)`, ...values, seal(values))
  else
    yield* run(
      `UPDATE entity_edges SET ${assignments(EDGE_COLUMNS)}, seal = ? WHERE id = ? AND owner = ?`,
      ...values,
      seal(values),
      edge.id,
      edge.owner,
    )
  journal.ledger.touchEdges(edge.owner)
  yield* journal.write('edge.put', 'edge', edge.id, edge.owner, before ?? null, edge, reason)
}

/** Checks both endpoints, because another writer may have deleted one since the decision. */
function* checkEnds({ owner, from, fromKind, to, toKind }: Edge): Plan<void> {
  const ends = [
    [from, fromKind],
    [to, toKind],
  ] as const
  for (const [id, kind] of ends) {
    if (kind !== 'fact' && kind !== 'entity') continue
    const row = yield* first(
      `SELECT 1 AS there FROM facts WHERE id = ? AND owner = ? UNION ALL SELECT 1 FROM entities WHERE id = ? AND owner = ?`,
      id,
      owner,
      id,
      owner,
    )
    if (row === undefined) throw conflict(`${kind === 'fact' ? 'Fact' : 'Entity'} ${id}`)
  }
}

export function* deleteEdge(id: string, owner: string, reason: string | null, journal: Journal): Plan<void> {
  const row = yield* first(`DELETE FROM entity_edges WHERE id = ? AND owner = ? RETURNING id`, id, owner)
  if (row === undefined) throw conflict(`Edge ${id}`)
  journal.ledger.touchEdges(owner)
  yield* journal.forget(id, owner)
  yield* journal.write('edge.delete', 'edge', id, owner, null, null, reason)
}
