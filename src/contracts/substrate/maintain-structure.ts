import { z } from 'zod'
import type { StructureIssue } from '../../core/substrate/checks/structure.js'
import type { AuditState } from '../../engine/substrate/knowledge/audit.js'
import { auditTrail } from '../../engine/substrate/knowledge/audit.js'
import { configure } from '../../engine/substrate/knowledge/configuration.js'
import { derivedState, reindexObjects } from '../../engine/substrate/knowledge/derived-state.js'
import { dropMissingReferences, examineStructure } from '../../engine/substrate/knowledge/structure.js'
import type { Call } from '../operation.js'
import { NO_DATA, optional, toolMode } from './envelope.js'
import { toGraphHealth } from './maintain-report.js'
import { toObject } from './objects.js'
import { graphBackend, iso, ownerOf, semanticBackend } from './shapes.js'

export const APPLY_INPUT = z.strictObject({ apply: z.literal(true) })
export const applyBy = (call: Call) => ({ owner: ownerOf(call), actor: call.actor })

export const configureMode = toolMode({
  effect: 'write',
  needsApply: true,
  input: z.strictObject({ graph_backend: optional(graphBackend), semantic_backend: optional(semanticBackend) }),
  options: APPLY_INPUT,
  async run(call, { graph_backend, semantic_backend }) {
    const { configuration } = await configure(
      call.context,
      {
        ...(graph_backend === undefined ? {} : { graphBackend: graph_backend }),
        ...(semantic_backend === undefined ? {} : { semanticBackend: semantic_backend }),
      },
      applyBy(call),
    )
    const config = { graph_backend: configuration.graphBackend, semantic_backend: configuration.semanticBackend }
    return { result_type: 'maintain_configure_result', data: { config }, warnings: [] }
  },
})

const toIssue = (issue: StructureIssue) => ({
  issue_id: issue.id,
  kind: issue.kind,
  severity: issue.severity,
  target_id: issue.target,
  summary: issue.summary,
  details: { field: issue.field, missing_ref: issue.missing },
  repairable: issue.repairable,
})

export const structure = toolMode({
  effect: 'read',
  longRunning: true,
  input: NO_DATA,
  options: NO_DATA,
  async run(call) {
    const issues = await examineStructure(call.context, ownerOf(call))
    const count = (severity: string): number => issues.filter((issue) => issue.severity === severity).length
    const counts = { info: count('info'), warning: count('warning'), error: count('error') }
    return { result_type: 'structure_report', data: { issues: issues.map(toIssue), counts }, warnings: [] }
  },
})

const DEFAULT_ITEMS = 100

const toState = (state: AuditState): unknown => (state === null ? null : 'object' in state ? toObject(state.object) : state.raw)

export const audit = toolMode({
  effect: 'read',
  input: NO_DATA,
  options: z.strictObject({ max_items: optional(z.int().min(1).max(1000)) }),
  async run(call, _, { max_items = DEFAULT_ITEMS }) {
    const events = await auditTrail(call.context, ownerOf(call), max_items)
    return {
      result_type: 'audit_log',
      data: {
        events: events.map((event) => ({
          id: event.id,
          event_type: event.type,
          actor: event.actor,
          target: { object_type: event.targetType, object_id: event.target },
          before: toState(event.before),
          after: toState(event.after),
          reason: event.reason,
          timestamp: iso(event.at),
        })),
      },
      warnings: [],
    }
  },
})

export const repair = toolMode({
  effect: 'write',
  longRunning: true,
  needsApply: true,
  input: NO_DATA,
  options: APPLY_INPUT,
  async run(call) {
    const { facts, patchId, eventIds, projections } = await dropMissingReferences(call.context, applyBy(call))
    const { graph, semantic, configuration, mirror } = await derivedState(call.context, ownerOf(call))
    return {
      result_type: 'repair_result',
      data: {
        status: facts.length === 0 ? 'noop' : 'completed',
        repaired: facts.length,
        patch_id: patchId,
        audit_event_ids: eventIds,
        projection_count: projections,
        derived_indexes: { semantic, graph: toGraphHealth(graph, configuration.graphBackend, mirror) },
      },
      warnings: [],
    }
  },
})

export const reindex = toolMode({
  effect: 'write',
  longRunning: true,
  input: NO_DATA,
  options: z.strictObject({
    graph_backend: optional(graphBackend),
    semantic_backend: optional(semanticBackend),
    apply: optional(z.boolean()),
  }),
  async run(call, _, { graph_backend, semantic_backend }) {
    const data = await reindexObjects(call.context, ownerOf(call), { graph: graph_backend, semantic: semantic_backend }, call.progress)
    return { result_type: 'reindex_result', data, warnings: [] }
  },
})
