import { z } from 'zod'
import type { JsonObject } from '../../core/encoding/json.js'
import type { Message } from '../../core/evidence/capture.js'
import { conceptsOfSource } from '../../engine/substrate/concepts/source-concepts.js'
import { type IngestResult, ingestConversation, ingestFile, ingestWeb } from '../../engine/substrate/evidence/ingest.js'
import { type IngestedRepo, ingestRepo } from '../../engine/substrate/evidence/ingest-repo.js'
import { callerPath } from '../caller-path.js'
import type { Answer, Call } from '../operation.js'
import { memorySuggestions } from './concept-answers.js'
import { NO_DATA, optional, tool, toolMode } from './envelope.js'
import { patchAnswer } from './remember.js'
import { ownerOf } from './shapes.js'

const json = z.record(z.string(), z.json()).transform((value): JsonObject => value)

const message = z
  .strictObject({
    role: z.string(),
    content: z.string(),
    name: optional(z.string()),
    created_at: optional(z.string()),
    metadata: optional(json),
  })
  .transform((message): Message => message)

const callerOf = (call: Call) => ({ owner: ownerOf(call), actor: call.actor, signal: call.context.signal })

/** The stored form of a document. */
async function documentAnswer({ context }: Call, captured: IngestResult): Promise<Answer> {
  const noop = captured.status === 'noop'
  return {
    result_type: 'source_ingest_result',
    status: captured.status,
    source_id: captured.source.id,
    node_id: captured.nodeId,
    activity_id: captured.activityId,
    segment_count: captured.segmentCount,
    ...patchAnswer(captured.patch),
    ...(noop ? { reason: 'source_fingerprint_unchanged' } : {}),
    warnings: captured.warnings,
    ...(captured.masked.length === 0 ? {} : { masked: captured.masked }),
    memory_suggestions: memorySuggestions(captured.source.id, await conceptsOfSource(context, captured.source)),
  }
}

const fileMode = (mode: 'file' | 'markdown' | 'pdf') =>
  toolMode({
    effect: 'write',
    input: z.strictObject({ path: z.string() }),
    options: NO_DATA,
    run: async (call, { path }) =>
      documentAnswer(call, await ingestFile(call.context, callerOf(call), { path: callerPath(call, path), mode })),
  })

const web = toolMode({
  effect: 'write',
  input: z.strictObject({ url: z.string() }),
  options: NO_DATA,
  run: async (call, { url }) => documentAnswer(call, await ingestWeb(call.context, callerOf(call), url)),
})

const conversation = toolMode({
  effect: 'write',
  input: z.strictObject({ title: z.string(), messages: z.array(message), origin: optional(json) }),
  options: NO_DATA,
  run: async (call, args) => documentAnswer(call, await ingestConversation(call.context, callerOf(call), args)),
})

const WHY_PENDING = 'Repository contains local/agent state that may not belong in durable memory.'

/** Skipped agent state that the user may want to include. */
const decisionsOf = (pending: readonly string[]) =>
  pending.length === 0
    ? {}
    : {
        excluded_by_preflight: pending,
        pending_decisions: pending.map((path) => ({ path, kind: 'local_agent_state', reason: WHY_PENDING, suggested_action: 'exclude' })),
        suggested_exclude_patterns: pending,
      }

const warningsOf = (pending: readonly string[]): readonly string[] =>
  pending.length === 0
    ? []
    : [
        `Repository contains local/agent state entries that may not belong in memory: ${pending.join(', ')}. They are excluded from the clean repo ingest unless options.force=true is used.`,
      ]

async function repoAnswer({ context }: Call, repo: IngestedRepo): Promise<Answer> {
  const noop = repo.status === 'noop'
  const undecided = repo.pending.length > 0
  return {
    result_type: 'repo_ingest_result',
    status: noop ? 'noop' : undecided ? 'completed_with_pending_decisions' : 'completed',
    requires_decision: undecided,
    source_id: repo.source.id,
    node_ids: repo.nodeIds,
    module_count: repo.shape.modules.length,
    knowledge_ids: repo.knowledgeIds,
    activity_id: repo.activityId,
    ...patchAnswer(repo.patch),
    applied_operations: repo.touched.length,
    ...decisionsOf(repo.pending),
    ...(noop ? { reason: 'repo_fingerprint_unchanged' } : {}),
    warnings: warningsOf(repo.pending),
    next_actions: undecided ? ['use_clean_source', 'review_pending_decisions'] : ['query_source_page'],
    ...(repo.masked.length === 0 ? {} : { masked: repo.masked }),
    // Unchanged sources are not read again.
    ...(noop ? {} : { memory_suggestions: memorySuggestions(repo.source.id, await conceptsOfSource(context, repo.source)) }),
  }
}

const patterns = optional(z.array(z.string()))

const repo = toolMode({
  effect: 'write',
  longRunning: true,
  input: z.strictObject({ path: z.string(), include_patterns: patterns, exclude_patterns: patterns }),
  options: z.strictObject({ force: optional(z.boolean()) }),
  async run(call, { path, include_patterns, exclude_patterns }, { force }) {
    const progress = (done: number, total: number): void => call.progress(done, total, `${done} of ${total} files`)
    const input = { path, include: include_patterns ?? [], exclude: exclude_patterns ?? [], force: force ?? false }
    return repoAnswer(call, await ingestRepo(call.context, { ...callerOf(call), progress }, input))
  },
})

export const memoryIngest = tool({
  name: 'memory_ingest',
  noun: 'ingest',
  title: 'Ingest evidence',
  description:
    'Capture evidence for agent memory (memory-substrate): a repository, file, Markdown file, web page, PDF or conversation. ' +
    'It is cut into segments that knowledge can cite; nothing is decided about what should be remembered. Unchanged evidence is a noop.',
  effect: 'write',
  inputData:
    'repo: path, include_patterns?, exclude_patterns?; file, markdown, pdf: path; web: url; conversation: title, messages[{role, content, name?, created_at?, metadata?}], origin?',
  options: 'repo: force (also captures the state of agents)',
  modes: { repo, file: fileMode('file'), markdown: fileMode('markdown'), web, pdf: fileMode('pdf'), conversation },
})
