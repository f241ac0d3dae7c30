import { z } from 'zod'
import { toTimestamp } from '../../core/statements/statement.js'
import { type Conflict, findConflict, listConflicts, resolveConflict } from '../../engine/stigmem/conflicts.js'
import { operation } from '../operation.js'
import { record, speakerOf, toRecord, value } from './shapes.js'

const CONFLICTS_PATH = '/v1/conflicts'

const conflictShape = z.object({
  conflict_id: z.string(),
  fact_a: record,
  fact_b: record,
  fact_a_id: z.string(),
  fact_b_id: z.string(),
  status: z.enum(['unresolved', 'resolved']),
  resolved_by: z.string().nullable(),
  detected_at: z.string(),
})

const toConflict = ({ id, sides: [a, b], status, resolvedBy, detectedAt }: Conflict): z.input<typeof conflictShape> => ({
  conflict_id: id,
  fact_a: toRecord(a, status === 'unresolved'),
  fact_b: toRecord(b, status === 'unresolved'),
  fact_a_id: a.id,
  fact_b_id: b.id,
  status,
  resolved_by: resolvedBy,
  detected_at: toTimestamp(detectedAt),
})

export const listConflictsOperation = operation({
  name: 'list_conflicts',
  title: 'List conflicts',
  description: 'Contradictions between facts, newest first, with what has become of them.',
  effect: 'read',
  idempotent: true,
  listed: false,
  malformed: 'unprocessable',
  route: { method: 'GET', path: CONFLICTS_PATH, status: 200 },
  input: z.strictObject({
    status: z.enum(['unresolved', 'resolved']).optional(),
    cursor: z.string().optional(),
    limit: z.int().min(1).max(500).default(50),
  }),
  output: z.object({ conflicts: z.array(conflictShape), cursor: z.string().nullable(), has_more: z.boolean() }),
  async run(call, input) {
    const { conflicts, cursor } = await listConflicts(call.context, speakerOf(call), input)
    return {
      conflicts: conflicts.map(toConflict),
      cursor,
      has_more: cursor !== null,
    }
  },
})

export const getConflict = operation({
  name: 'get_conflict',
  title: 'Get a conflict',
  description: 'One contradiction with both facts.',
  effect: 'read',
  idempotent: true,
  listed: false,
  malformed: 'unprocessable',
  positionals: ['id'],
  route: { method: 'GET', path: `${CONFLICTS_PATH}/:id`, status: 200 },
  input: z.strictObject({ id: z.string().describe('conflict_id') }),
  output: conflictShape,
  run: async (call, { id }) => toConflict(await findConflict(call.context, speakerOf(call), id)),
})

export const resolveContradiction = operation({
  name: 'resolve_contradiction',
  title: 'Resolve contradiction',
  description: 'Settle a conflict: one of the two facts wins, or a new value takes the place of both.',
  effect: 'write',
  idempotent: false,
  malformed: 'unprocessable',
  positionals: ['id'],
  route: { method: 'POST', path: `${CONFLICTS_PATH}/:id/resolve`, status: 200 },
  input: z.strictObject({
    id: z.string().describe('conflict_id'),
    winning_fact_id: z.string().optional(),
    new_value: value.optional(),
    resolution_note: z.string().optional(),
  }),
  output: z.object({ resolution_fact_id: z.string(), conflict_status: z.string() }),
  async run(call, input) {
    const fact = await resolveConflict(call.context, speakerOf(call), {
      id: input.id,
      winner: input.winning_fact_id ?? null,
      note: input.resolution_note,
      value: input.new_value,
    })
    return { resolution_fact_id: fact.id, conflict_status: 'resolved' }
  },
})
