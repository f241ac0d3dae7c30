import { z } from 'zod'
import type { Fact } from '../../core/facts/fact.js'
import type { JournalEntry } from '../../core/journal/change.js'
import type { SoftHit } from '../../core/substrate/duplicates/soft-duplicates.js'
import { type FactType, factTypeOf, objectStatus, titleOf, WORK_ITEM_STATUSES } from '../../core/substrate/objects/objects.js'
import { evidenceOf } from '../../core/substrate/objects/references.js'
import { configurationOf } from '../../engine/substrate/knowledge/configuration.js'
import type { DecisionResult } from '../../engine/substrate/knowledge/lifecycle.js'
import { contest, moveWorkItem, promote, supersede } from '../../engine/substrate/knowledge/lifecycle.js'
import { possibleDuplicates } from '../../engine/substrate/knowledge/possible-duplicates.js'
import type { ObjectInput } from '../../engine/substrate/knowledge/write.js'
import { writeObjects } from '../../engine/substrate/knowledge/write.js'
import { loadObjects } from '../../engine/substrate/objects/objects.js'
import { type Patch, patchOfEntries } from '../../engine/substrate/patches/patches.js'
import { MemoryError } from '../../errors.js'
import type { Answer, Call } from '../operation.js'
import { optional, readInput, type ToolMode, tool, toolMode } from './envelope.js'
import { activityInput, actorSchema, knowledgeInput, toActivity, toKnowledge, toWorkItem, workItemInput } from './remember-inputs.js'
import { actorOf, graphBackend, ownerOf } from './shapes.js'

const OPTIONS = z.strictObject({ graph_backend: optional(graphBackend) })

const ID_FIELDS: Readonly<Record<FactType, string>> = { knowledge: 'knowledge_id', activity: 'activity_id', work_item: 'work_item_id' }

export const patchAnswer = ({ patchId, eventIds, projections }: Patch) => ({
  patch_id: patchId,
  applied_operations: eventIds.length,
  audit_event_ids: eventIds,
  projection_count: projections,
})

const toPossibleDuplicate = ({ fact, score, reasons }: SoftHit) => ({
  ...{ object_id: fact.id, score, reasons, title: titleOf(fact), kind: fact.kind, status: objectStatus(fact) },
})

/** What a caller needs to know about the evidence of its knowledge. */
const evidenceContract = (fact: Fact) => {
  const count = evidenceOf(fact).length
  return {
    provenance: count > 0 ? 'caller_evidence_refs' : 'evidence_absent',
    evidence_ref_count: count,
    requires_review: fact.status === 'candidate' || fact.status === 'contested',
  }
}

/** The synchronisation state of the graph copy. */
async function graphSync(call: Call, { eventIds }: Pick<Patch, 'eventIds'>): Promise<Answer> {
  const { graphBackend } = await configurationOf(call.context, ownerOf(call))
  return graphBackend === 'file' ? {} : { graph_sync: { status: 'following', backend: graphBackend, operations: eventIds.length } }
}

async function toWritten(call: Call, fact: Fact, patch: Patch, alike: readonly SoftHit[]): Promise<Answer> {
  const type = factTypeOf(fact)
  return {
    result_type: 'remember_result',
    object_type: type,
    object_id: fact.id,
    status: objectStatus(fact),
    [ID_FIELDS[type]]: fact.id,
    ...patchAnswer(patch),
    ...(await graphSync(call, patch)),
    ...(type === 'knowledge'
      ? {
          conflicts_with: fact.conflicts ?? [],
          evidence_contract: evidenceContract(fact),
          possible_duplicates: alike.map(toPossibleDuplicate),
        }
      : {}),
  }
}

/** Responses of objects written together, in order; each created one journal entry. */
async function allWritten(call: Call, facts: readonly Fact[], patch: Patch): Promise<readonly Answer[]> {
  const alike = await possibleDuplicates(call.context, facts)
  const results: Answer[] = []
  for (const [index, fact] of facts.entries())
    results.push(await toWritten(call, fact, { ...patch, eventIds: patch.eventIds.slice(index, index + 1) }, alike[index] ?? []))
  return results
}

const oneWritten = async (call: Call, fact: Fact, patch: Patch): Promise<Answer> =>
  toWritten(call, fact, patch, (await possibleDuplicates(call.context, [fact]))[0] ?? [])

/** A mode that creates one object. */
const creating = <I extends z.ZodObject>(
  input: I,
  translate: (input: z.output<I>) => ObjectInput,
  actor: (input: z.output<I>) => unknown,
): ToolMode =>
  toolMode({
    effect: 'write',
    input,
    options: OPTIONS,
    async run(call, input) {
      const { facts, ...patch } = await writeObjects(call.context, [translate(input)], {
        owner: ownerOf(call),
        actor: actorOf(call, actor(input)),
      })
      const [fact] = facts
      if (fact === undefined) throw new MemoryError('internal', 'The object was not stored.')
      return oneWritten(call, fact, patch)
    },
  })

const decision = { reason: optional(z.string()), actor: optional(actorSchema) }

const decisionBy = (call: Call, { reason, actor }: { readonly reason?: string | undefined; readonly actor?: unknown }) => ({
  owner: ownerOf(call),
  actor: actorOf(call, actor),
  reason,
})

/** The patch of a decision, and the synchronisation state of the graph copy. */
const decisionAnswer = async (call: Call, patch: Patch): Promise<Answer> => ({ ...patchAnswer(patch), ...(await graphSync(call, patch)) })

const deciding = (decide: (call: Call, id: string, decision: ReturnType<typeof decisionBy>) => Promise<DecisionResult>): ToolMode =>
  toolMode({
    effect: 'write',
    input: z.strictObject({ knowledge_id: z.string(), ...decision }),
    options: OPTIONS,
    async run(call, input) {
      const { facts, ...patch } = await decide(call, input.knowledge_id, decisionBy(call, input))
      const status = facts[0]?.status ?? 'unknown'
      return {
        object_type: 'knowledge',
        object_id: input.knowledge_id,
        knowledge_id: input.knowledge_id,
        status,
        ...(await decisionAnswer(call, patch)),
      }
    },
  })

const supersedeMode = toolMode({
  effect: 'write',
  input: z.strictObject({ old_knowledge_id: z.string(), new_knowledge_id: z.string(), ...decision }),
  options: OPTIONS,
  async run(call, input) {
    const [old, successor] = [input.old_knowledge_id, input.new_knowledge_id]
    const { facts: _, ...patch } = await supersede(call.context, { old, successor }, decisionBy(call, input))
    return {
      old_knowledge_id: old,
      new_knowledge_id: successor,
      old_status: 'superseded',
      status: 'active',
      ...(await decisionAnswer(call, patch)),
    }
  },
})

const workItemStatus = toolMode({
  effect: 'write',
  input: z.strictObject({ work_item_id: z.string(), status: z.enum(WORK_ITEM_STATUSES), resolution: optional(z.string()), ...decision }),
  options: OPTIONS,
  async run(call, input) {
    const { work_item_id: id, status, resolution } = input
    const { facts: _, ...patch } = await moveWorkItem(call.context, { id, stage: status, resolution }, decisionBy(call, input))
    return { object_type: 'work_item', object_id: id, work_item_id: id, status, ...(await decisionAnswer(call, patch)) }
  },
})

/** Parsers of batch entries by mode. */
const ENTRIES: Readonly<Record<string, (input: unknown, path: readonly string[]) => ObjectInput>> = {
  knowledge: (input, path) => toKnowledge(readInput(knowledgeInput, input, path)),
  activity: (input, path) => toActivity(readInput(activityInput, input, path)),
  work_item: (input, path) => toWorkItem(readInput(workItemInput, input, path)),
}

/** Limit of a batch, which is one commit and delays other writers. */
const MAX_ENTRIES = 100

const batch = toolMode({
  effect: 'write',
  input: z.strictObject({
    entries: z
      .array(z.strictObject({ mode: z.string(), input_data: z.record(z.string(), z.unknown()) }))
      .min(1)
      .max(MAX_ENTRIES, `At most ${MAX_ENTRIES} entries are written at once; send the rest in batches of their own`),
    actor: optional(actorSchema),
  }),
  options: OPTIONS,
  async run(call, { entries, actor }) {
    const objects = entries.map(({ mode, input_data }, index) => {
      const read = Object.hasOwn(ENTRIES, mode) ? ENTRIES[mode] : undefined
      if (read === undefined) throw new MemoryError('invalid_input', `entries[${index}]: Unsupported remember mode: ${mode.slice(0, 100)}`)
      return read(input_data, ['args', 'input_data', 'entries', String(index), 'input_data'])
    })
    const { facts, ...patch } = await writeObjects(call.context, objects, {
      owner: ownerOf(call),
      actor: actorOf(call, actor),
      inEntry: (index, message) => `entries[${index}]: ${message}; nothing was written`,
    })
    return {
      status: 'completed',
      created: facts.length,
      ...(await decisionAnswer(call, patch)),
      results: await allWritten(call, facts, patch),
    }
  },
})

/** The response of an earlier call, rebuilt from its journal entries. */
async function recover(call: Call, { mode }: { readonly mode: string }, entries: readonly JournalEntry[]): Promise<Answer> {
  const patch = patchOfEntries(entries)
  const ids = entries.flatMap(({ op, target }) => (op === 'fact.put' ? [target] : []))
  const objects = await loadObjects(call.context, ids, ownerOf(call))
  const facts = ids.flatMap((id) => {
    const object = objects.get(id)
    return object === undefined || object.type === 'source' || object.type === 'node' ? [] : [object.fact]
  })
  const [first, second] = facts
  if (first === undefined) throw new MemoryError('conflict', 'This call was carried out before; what it wrote is not there any more')
  if (mode === 'supersede')
    return {
      old_knowledge_id: first.id,
      new_knowledge_id: second?.id ?? null,
      old_status: 'superseded',
      status: 'active',
      ...patchAnswer(patch),
    }
  if (mode === 'work_item_status')
    return { object_type: 'work_item', object_id: first.id, work_item_id: first.id, status: first.stage, ...patchAnswer(patch) }
  if (mode === 'promote' || mode === 'contest')
    return { object_type: 'knowledge', object_id: first.id, knowledge_id: first.id, status: first.status, ...patchAnswer(patch) }
  if (mode !== 'batch') return oneWritten(call, first, patch)
  return { status: 'completed', created: facts.length, ...patchAnswer(patch), results: await allWritten(call, facts, patch) }
}

export const memoryRemember = tool({
  name: 'memory_remember',
  noun: 'remember',
  title: 'Remember',
  description:
    'Remember (agent memory): write governed knowledge, activities and work items, or decide about knowledge: promote, supersede, contest. ' +
    'Query first; cite evidence_refs from memory_ingest; inferred claims become candidates; look at possible_duplicates in the answer.',
  effect: 'write',
  inputData:
    'knowledge, activity, work_item: kind, title, summary, reason, memory_source (user_declared, human_curated, agent_inferred, system_generated, imported), ' +
    'scope_refs[], actor{type,id}, status. knowledge also: subject_refs[], evidence_refs[{source_id,segment_id,locator,hash}], ' +
    'payload{subject,predicate,value,object,metadata}, confidence 0..1, valid_from, valid_until, last_verified_at, allow_duplicate. ' +
    'activity: started_at, ended_at, related_node_refs, related_work_item_refs, source_refs, produced_object_refs, artifact_refs. ' +
    'work_item: lifecycle_state, priority, owner_refs, related_node_refs, related_knowledge_refs, source_refs, depends_on, blocked_by, parent_ref, child_refs, resolution, due_at, opened_at. ' +
    'promote, contest: knowledge_id, reason. work_item_status: work_item_id, status, resolution. supersede: old_knowledge_id, new_knowledge_id, reason. batch: entries[{mode,input_data}], all or none.',
  options: 'graph_backend (file, kuzu)',
  recover,
  modes: {
    activity: creating(activityInput, toActivity, ({ actor }) => actor),
    knowledge: creating(knowledgeInput, toKnowledge, ({ actor }) => actor),
    work_item: creating(workItemInput, toWorkItem, ({ actor }) => actor),
    promote: deciding(({ context }, id, decision) => promote(context, id, decision)),
    supersede: supersedeMode,
    contest: deciding(({ context }, id, decision) => contest(context, id, decision)),
    work_item_status: workItemStatus,
    batch,
  },
})
