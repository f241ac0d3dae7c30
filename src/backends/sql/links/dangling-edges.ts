import { EDGE_ORIGINS } from '../../../core/graph/linking.js'

const isMissing = (side: 'subject' | 'object'): string =>
  `(e.${side}_kind IN ('fact', 'entity') AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.id = e.${side} AND f.owner = e.owner)
     AND NOT EXISTS (SELECT 1 FROM entities t WHERE t.id = e.${side} AND t.owner = e.owner))`

/** Explicit edges with a deleted endpoint; derived edges are rebuilt instead. */
export const DANGLING_EDGES = {
  query: `SELECT count(*) AS n FROM entity_edges e WHERE e.derived = ${EDGE_ORIGINS.no} AND (${isMissing('subject')} OR ${isMissing('object')})`,
  what: (n: number): string => `${n} relations lack an endpoint`,
  remedy: 'Run `mneme mend`, which removes them.',
}
