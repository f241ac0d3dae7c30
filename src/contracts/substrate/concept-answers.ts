import type { ConceptCandidate, Concepts, ConceptType, SkippedTerm } from '../../core/concepts/candidates.js'
import type { Answer } from '../operation.js'

const KINDS: Readonly<Record<ConceptType, string>> = {
  concept: 'concept',
  procedure: 'procedure',
  decision: 'decision',
  tool_library: 'fact',
  implementation_detail: 'fact',
}

const REQUIRED_CHECKS = [
  'read_evidence_refs',
  'query_existing_memory_for_title_and_synonyms',
  'choose_scope_refs_before_write',
  'rewrite_summary_from_evidence',
]

/** Possible outcomes of a review. */
const OUTCOMES = [
  { action: 'remember_as_concept', when: 'the evidence defines a lasting idea', tool: 'memory_remember', mode: 'knowledge' },
  { action: 'remember_as_procedure', when: 'the evidence tells how something is done', tool: 'memory_remember', mode: 'knowledge' },
  { action: 'remember_as_decision', when: 'the evidence tells what was chosen and why', tool: 'memory_remember', mode: 'knowledge' },
  { action: 'merge_with_existing', when: 'memory has it already under another name', tool: 'memory_remember', mode: 'supersede' },
  { action: 'skip_candidate', when: 'it is noise, or matters to one task only', tool: null, mode: null },
]

const NEXT_STEPS = ['review_and_remember', 'attach_evidence_refs', 'skip_if_project_specific_noise']

const headOf = (candidate: ConceptCandidate, evidence: number) => ({
  kind: 'concept_candidate',
  candidate_type: candidate.type,
  title: candidate.title,
  score: candidate.score,
  occurrences: candidate.occurrences,
  ranking_signals: {
    bonuses: candidate.signals.bonuses,
    penalties: candidate.signals.penalties,
    score_adjustment: candidate.signals.adjustment,
  },
  evidence_refs: candidate.evidence.slice(0, evidence),
  evidence_ref_count: candidate.support,
  object_ref_count: candidate.objects.length,
})

const INGEST = { candidates: 5, evidence: 2, skipped: 5 }

/** Omits fields needed only to write it. */
const compact = (candidate: ConceptCandidate) => ({
  ...headOf(candidate, INGEST.evidence),
  detail: 'compact',
  suggested_memory: {
    mode: 'knowledge',
    kind: KINDS[candidate.type],
    status: 'candidate',
    input_data_available_from: 'memory_maintain report',
  },
  review_guidance: { required_checks: REQUIRED_CHECKS, outcome_actions: OUTCOMES.map(({ action }) => action) },
  omitted_fields: ['object_refs', 'suggested_memory.input_data', 'review_guidance.outcomes'],
  next_actions: NEXT_STEPS,
})

const diagnostics = (skipped: readonly SkippedTerm[], shown: number, counts: { readonly eligible: number; readonly returned: number }) => ({
  skipped: skipped.slice(0, shown),
  counts: { skipped: skipped.length, ...counts },
})

/** Concepts that an ingest suggests for its source. */
export function memorySuggestions(sourceId: string, { candidates, skipped }: Concepts): Answer {
  const shown = candidates.slice(0, INGEST.candidates)
  return {
    concept_candidates: shown.map(compact),
    agent_extraction: {
      protocol: 'agent_extraction.v1',
      source_id: sourceId,
      resource: 'memory://agent-playbook',
      summary: 'Ingest captured evidence; agent analyzes it and uses memory_remember for durable writes.',
      required_steps: ['inspect_source', 'query_existing_memory', 'prepare_durable_candidates', 'commit_reviewed_memory'],
      remember_write_contract: {
        required_fields: ['kind', 'title', 'summary', 'reason', 'memory_source', 'scope_refs'],
        recommended_fields: ['subject_refs', 'evidence_refs', 'payload', 'confidence', 'status'],
      },
    },
    candidate_diagnostics: diagnostics(skipped, INGEST.skipped, { eligible: candidates.length, returned: shown.length }),
    counts: { concept_candidates: shown.length, concept_candidates_available: candidates.length },
    next_actions: [
      ...(shown.length === 0 ? [] : ['review_concept_candidates']),
      'run_memory_maintain_report_for_cross_source_candidates',
      'call_memory_remember_if_durable',
    ],
  }
}

const REPORT = { candidates: 10, evidence: 5, skipped: 20 }

/** A complete input of `memory_remember`. */
const full = (candidate: ConceptCandidate, scopes: readonly string[]) => ({
  ...headOf(candidate, REPORT.evidence),
  recommendation: candidate.recommendation,
  detail: 'full',
  object_refs: candidate.objects,
  suggested_memory: {
    mode: 'knowledge',
    kind: KINDS[candidate.type],
    status: 'candidate',
    input_data: {
      kind: KINDS[candidate.type],
      title: candidate.title,
      summary: `${candidate.title}: met ${candidate.occurrences} times in captured evidence. Rewrite this from what the evidence says.`,
      reason: 'A term that captured evidence repeats; reviewed before it was written.',
      memory_source: 'agent_inferred',
      scope_refs: scopes,
      evidence_refs: candidate.evidence.slice(0, REPORT.evidence),
      status: 'candidate',
      confidence: candidate.confidence,
      payload: { metadata: { candidate: { type: candidate.type, score: candidate.score, occurrences: candidate.occurrences } } },
    },
  },
  editable_fields: ['kind', 'title', 'summary', 'reason', 'scope_refs', 'subject_refs', 'evidence_refs', 'confidence'],
  review_guidance: { required_checks: REQUIRED_CHECKS, outcomes: OUTCOMES, outcome_actions: OUTCOMES.map(({ action }) => action) },
  next_actions: NEXT_STEPS,
})

/** For the report: complete candidates, and why others were skipped. `scopesOf` infers the scopes of a candidate. */
export function conceptReport({ candidates, skipped }: Concepts, scopesOf: (candidate: ConceptCandidate) => readonly string[]) {
  const shown = candidates.slice(0, REPORT.candidates)
  return {
    concept_candidates: shown.map((candidate) => full(candidate, scopesOf(candidate))),
    candidate_diagnostics: diagnostics(skipped, REPORT.skipped, { eligible: candidates.length, returned: shown.length }),
  }
}
