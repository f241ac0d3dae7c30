import { z } from 'zod'
import type { ConceptCandidate } from '../../core/concepts/candidates.js'
import { DEFAULT_RULES, type UpkeepRules } from '../../core/substrate/governance/upkeep-rules.js'
import { evidenceOf } from '../../core/substrate/objects/references.js'
import { conceptsOfOwner } from '../../engine/substrate/concepts/source-concepts.js'
import { configurationOf } from '../../engine/substrate/knowledge/configuration.js'
import { archiveKnowledge } from '../../engine/substrate/knowledge/lifecycle.js'
import type { UpkeepReport } from '../../engine/substrate/knowledge/report.js'
import { reportOn } from '../../engine/substrate/knowledge/report.js'
import { resolveDuplicates } from '../../engine/substrate/knowledge/resolve.js'
import { archiveSource, decayStale, mergeDuplicates, promoteCandidates } from '../../engine/substrate/knowledge/upkeep.js'
import type { Patch } from '../../engine/substrate/patches/patches.js'
import type { Call } from '../operation.js'
import { conceptReport } from './concept-answers.js'
import { NO_DATA, optional, tool, toolMode } from './envelope.js'
import { toFactCheck, toGraphHealth, toSoftPair } from './maintain-report.js'
import { APPLY_INPUT, applyBy, audit, configureMode, reindex, repair, structure } from './maintain-structure.js'
import { instant } from './remember-inputs.js'
import { ownerOf } from './shapes.js'

const sureness = { min_confidence: optional(z.number().min(0).max(1)), min_evidence: optional(z.int().min(0)) }
const ageing = { reference_time: instant, stale_after_days: optional(z.number().min(0)) }

interface RulesInput {
  readonly min_confidence?: number | undefined
  readonly min_evidence?: number | undefined
  readonly reference_time?: number | undefined
  readonly stale_after_days?: number | undefined
}

const rulesOf = ({ context }: Call, input: RulesInput): UpkeepRules => ({
  minConfidence: input.min_confidence ?? DEFAULT_RULES.minConfidence,
  minEvidence: input.min_evidence ?? DEFAULT_RULES.minEvidence,
  reference: input.reference_time ?? context.clock.now(),
  staleAfterDays: input.stale_after_days ?? DEFAULT_RULES.staleAfterDays,
})

/** The changes of a lifecycle mode; no change is a success as well. */
const lifecycle = ({ patchId, eventIds, projections }: Patch) => ({
  status: patchId === null ? 'noop' : 'completed',
  patch_id: patchId,
  audit_event_ids: eventIds,
  projection_count: projections,
})

const promoteCandidatesMode = toolMode({
  effect: 'write',
  needsApply: true,
  input: z.strictObject(sureness),
  options: APPLY_INPUT,
  async run(call, input) {
    const { facts, ...patch } = await promoteCandidates(call.context, rulesOf(call, input), applyBy(call))
    return { ...lifecycle(patch), promoted: facts.length, promoted_ids: facts.map(({ id }) => id) }
  },
})

const mergeDuplicatesMode = toolMode({
  effect: 'write',
  needsApply: true,
  input: NO_DATA,
  options: APPLY_INPUT,
  async run(call) {
    const { merged, ...patch } = await mergeDuplicates(call.context, applyBy(call))
    return { ...lifecycle(patch), merged: merged.length, merged_ids: merged }
  },
})

const decayStaleMode = toolMode({
  effect: 'write',
  needsApply: true,
  input: z.strictObject(ageing),
  options: APPLY_INPUT,
  async run(call, input) {
    const { facts, ...patch } = await decayStale(call.context, rulesOf(call, input), applyBy(call))
    return { ...lifecycle(patch), decayed: facts.length, decayed_ids: facts.map(({ id }) => id) }
  },
})

const resolveDuplicatesMode = toolMode({
  effect: 'write',
  needsApply: true,
  input: z.strictObject({
    outcome: z.enum(['supersede', 'keep_both', 'contest']),
    knowledge_ids: z.array(z.string()),
    reason: z.string(),
    canonical_knowledge_id: optional(z.string()),
    updates: optional(
      z.array(
        z.strictObject({
          knowledge_id: z.string(),
          summary: optional(z.string().min(1)),
          scope_refs: optional(z.array(z.string()).min(1)),
        }),
      ),
    ),
  }),
  options: APPLY_INPUT,
  async run(call, input) {
    const { facts, ...patch } = await resolveDuplicates(
      call.context,
      {
        outcome: input.outcome,
        ids: input.knowledge_ids,
        reason: input.reason,
        canonical: input.canonical_knowledge_id,
        updates: (input.updates ?? []).map(({ knowledge_id, summary, scope_refs }) => ({ id: knowledge_id, summary, scopes: scope_refs })),
      },
      applyBy(call),
    )
    return { ...lifecycle(patch), outcome: input.outcome, resolved: facts.length, knowledge_ids: input.knowledge_ids }
  },
})

const archiveSourceMode = toolMode({
  effect: 'write',
  needsApply: true,
  input: z.strictObject({ source_id: z.string(), reason: z.string() }),
  options: APPLY_INPUT,
  async run(call, { source_id, reason }) {
    const { stale, partly, ...patch } = await archiveSource(call.context, source_id, { ...applyBy(call), reason })
    return {
      ...lifecycle(patch),
      archived_source_id: source_id,
      stale_knowledge_ids: stale,
      partially_affected_knowledge_ids: partly,
    }
  },
})

const archiveKnowledgeMode = toolMode({
  effect: 'write',
  needsApply: true,
  input: z.strictObject({ knowledge_id: z.string(), reason: z.string() }),
  options: APPLY_INPUT,
  async run(call, { knowledge_id, reason }) {
    const { facts: _, ...patch } = await archiveKnowledge(call.context, knowledge_id, { ...applyBy(call), reason })
    return { ...lifecycle(patch), archived_knowledge_id: knowledge_id }
  },
})

const cycle = toolMode({
  effect: 'write',
  needsApply: true,
  input: z.strictObject({ ...sureness, ...ageing }),
  options: APPLY_INPUT,
  async run(call, input) {
    const [rules, decision] = [rulesOf(call, input), applyBy(call)]
    const { context } = call
    const promoted = await promoteCandidates(context, rules, decision)
    const merged = await mergeDuplicates(context, decision)
    const decayed = await decayStale(context, rules, decision)
    const patches = [promoted, merged, decayed]
    return {
      status: patches.some(({ patchId }) => patchId !== null) ? 'completed' : 'noop',
      promoted: promoted.facts.length,
      merged: merged.merged.length,
      decayed: decayed.facts.length,
      patch_ids: patches.flatMap(({ patchId }) => patchId ?? []),
      audit_event_ids: patches.flatMap(({ eventIds }) => eventIds),
      projection_count: patches.reduce((sum, { projections }) => sum + projections, 0),
    }
  },
})

const GLOBAL_SCOPE = 'scope:global'

/** Scopes of a candidate: those of the facts with the same evidence. */
function scopesOf({ inventory }: UpkeepReport, { evidence }: ConceptCandidate): readonly string[] {
  const sources = new Set(evidence.map(({ source_id }) => source_id))
  const near = inventory.facts.filter((fact) => evidenceOf(fact).some(({ source_id }) => sources.has(source_id)))
  const scopes = [...new Set(near.flatMap((fact) => fact.scopes ?? []))].sort()
  return scopes.length === 0 ? [GLOBAL_SCOPE] : scopes
}

const NOT_ALL_COMPARED =
  'Very many items share the same words: soft duplicates were looked for among the last that share a word, so there may be more.'

const report = toolMode({
  effect: 'read',
  longRunning: true,
  input: z.strictObject({ ...sureness, ...ageing }),
  options: NO_DATA,
  async run(call, input) {
    const { context } = call
    const owner = ownerOf(call)
    const found = await reportOn(context, owner, rulesOf(call, input))
    const concepts = conceptReport(await conceptsOfOwner(context, owner), (candidate) => scopesOf(found, candidate))
    const { graphBackend } = await configurationOf(context, owner)
    return {
      result_type: 'maintain_report',
      data: {
        promote_candidate_ids: found.promotable,
        low_evidence_candidate_ids: found.lackingEvidence,
        stale_candidate_ids: found.stale,
        duplicate_groups: found.duplicates.map((ids) => ({ object_ids: ids, winner_id: ids[0] ?? null })),
        soft_duplicate_candidates: found.soft.pairs.map(toSoftPair),
        ...concepts,
        fact_check_issues: found.checks.map(toFactCheck),
        governance_violations: found.violations.map(({ id, rules }) => ({ object_id: id, rules })),
        counts: {
          promote_candidates: found.promotable.length,
          low_evidence_candidates: found.lackingEvidence.length,
          stale_candidates: found.stale.length,
          duplicate_groups: found.duplicates.length,
          soft_duplicate_candidates: found.soft.count,
          concept_candidates: concepts.concept_candidates.length,
          fact_check_issues: found.checks.length,
          governance_violations: found.violations.length,
        },
        graph: toGraphHealth(found.graph, graphBackend, null),
      },
      warnings: found.soft.complete ? [] : [NOT_ALL_COMPARED],
    }
  },
})

export const memoryMaintain = tool({
  name: 'memory_maintain',
  noun: 'maintain',
  title: 'Maintain memory',
  description:
    'Maintain agent memory: report (what needs review; changes nothing), structure, audit, and modes that change: they need options.apply=true, but for reindex.',
  effect: 'write',
  inputData:
    'configure: graph_backend (file, kuzu), semantic_backend (lancedb). promote_candidates: min_confidence, min_evidence. ' +
    'decay_stale: reference_time, stale_after_days. cycle, report: all four. ' +
    'resolve_duplicates: outcome (supersede, keep_both, contest), knowledge_ids[], reason, canonical_knowledge_id, updates[{knowledge_id,summary,scope_refs}]. ' +
    'archive_source: source_id, reason. archive_knowledge: knowledge_id, reason. Others: {}.',
  options: 'apply: true for modes that change. audit: max_items. reindex: graph_backend, semantic_backend.',
  modes: {
    ...{ configure: configureMode, structure, audit, reindex, repair },
    promote_candidates: promoteCandidatesMode,
    merge_duplicates: mergeDuplicatesMode,
    resolve_duplicates: resolveDuplicatesMode,
    archive_source: archiveSourceMode,
    archive_knowledge: archiveKnowledgeMode,
    decay_stale: decayStaleMode,
    cycle,
    report,
  },
})
