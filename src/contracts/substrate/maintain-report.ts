import type { FactCheck } from '../../core/substrate/checks/fact-checks.js'
import type { SoftPair } from '../../core/substrate/duplicates/soft-pairs.js'
import { preferredOf } from '../../core/substrate/governance/upkeep-rules.js'
import type { MirrorState } from '../../engine/substrate/graph-mirror/graph-mirror.js'
import type { GraphHealth } from '../../engine/substrate/knowledge/inventory.js'
import type { Answer } from '../operation.js'
import { iso } from './shapes.js'

const REVIEW = {
  required_checks: [
    'read_both_knowledge_items',
    'compare_scope_refs',
    'compare_evidence_refs',
    'decide_whether_meaning_is_same_distinct_or_conflicting',
  ],
  outcomes: ['supersede', 'keep_both', 'contest'].map((action) => ({ action, tool: 'memory_maintain', mode: 'resolve_duplicates' })),
}

const NEXT_STEPS = [
  'review_duplicate_pair',
  'choose_supersede_keep_both_or_contest',
  'call_memory_maintain_resolve_duplicates_if_actionable',
]

/** A pair of possible duplicates with a call that resolves it. */
export function toSoftPair({ a, b, score, reasons }: SoftPair): Answer {
  const ids = [a.id, b.id]
  const canonical = preferredOf(a, b).id
  return {
    ...{ object_ids: ids, score, reasons, review_guidance: REVIEW },
    suggested_resolution: {
      tool: 'memory_maintain',
      mode: 'resolve_duplicates',
      input_data: {
        outcome: 'supersede',
        knowledge_ids: ids,
        canonical_knowledge_id: canonical,
        reason: 'Reviewed soft duplicate candidate and selected the canonical memory.',
      },
      options: { apply: true },
    },
    next_actions: NEXT_STEPS,
  }
}

export function toFactCheck(check: FactCheck): Answer {
  if (check.kind === 'similar_entity_name')
    return {
      ...{ kind: check.kind, severity: 'warning', object_ids: check.ids, names: check.names },
      summary: `${check.ids.length} nodes are called alike: ${check.names.join(', ')}`,
      next_actions: ['compare_nodes', 'merge_or_rename_if_the_same'],
    }
  if (check.kind === 'stale_fact')
    return {
      ...{ kind: check.kind, severity: 'warning', object_id: check.id, valid_until: iso(check.validUntil) },
      summary: `"${check.title}" is active past its validity`,
      next_actions: ['verify_fact', 'supersede_or_extend_validity'],
    }
  return {
    ...{ kind: check.kind, severity: 'warning', object_ids: check.ids, subject: check.subject, predicate: check.predicate },
    summary: `${check.ids.length} facts say different things about ${check.predicate} of ${check.subject}`,
    next_actions: ['compare_evidence_refs', 'supersede_or_contest'],
  }
}

const MAX_SHOWN_ITEMS = 20

const countsOf = ({ records, relations }: { readonly records: number; readonly relations: number }) => ({ objects: records, relations })

/** Graph statistics, and the state of the derived database. */
export const toGraphHealth = (graph: GraphHealth, backend: string, mirror: MirrorState | null): Answer => ({
  status: mirror === null || (mirror.mirrored !== null && mirror.missing.length === 0) ? 'ok' : 'stale',
  backend,
  canonical_counts: countsOf(mirror?.canonical ?? graph),
  backend_counts: countsOf(mirror === null ? graph : (mirror.mirrored ?? { records: 0, relations: 0 })),
  missing_from_backend: { count: mirror?.missing.length ?? 0, ids: mirror?.missing.slice(0, MAX_SHOWN_ITEMS) ?? [] },
  stub_nodes: { count: graph.stubs.length, ids: graph.stubs.slice(0, MAX_SHOWN_ITEMS) },
  insights: {
    isolated_nodes: graph.isolated,
    sparse_clusters: graph.sparse.map(({ ids, edges, density }) => ({
      object_ids: ids.slice(0, MAX_SHOWN_ITEMS),
      size: ids.length,
      edges,
      density,
    })),
    bridge_nodes: graph.bridges,
    weakly_connected_scopes: graph.weakScopes,
  },
})
