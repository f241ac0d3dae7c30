import { z } from 'zod'
import { toTimestamp } from '../../core/statements/statement.js'
import { listConflicts, resolveConflict } from '../../engine/stigmem/conflicts.js'
import { operation } from '../operation.js'
import { speakerOf, value } from './shapes.js'

const CONFLICTS = '/v1/conflicts'

export const listConflictsOperation = operation({
  name: 'list_conflicts',
  title: 'List conflicts',
  description: 'Contradictions between facts, newest first, with what has become of them.',
  effect: 'read',
  idempotent: true,
  listed: false,
  malformed: 'unprocessable',
  route: { method: 'GET', path: CONFLICTS, status: 200 },
  input: z.strictObject({
    status: z.enum(['unresolved', 'resolved']).optional(),
    cursor: z.string().optional(),
    limit: z.int().min(1).max(500).default(50),
  }),
  output: z.object({ conflicts: z.array(z.record(z.string(), z.unknown())), cursor: z.string().nullable(), has_more: z.boolean() }),
  async run(call, input) {
    const { conflicts, cursor } = await listConflicts(call.context, speakerOf(call), input)
    return {
      conflicts: conflicts.map(({ id, sides, status, resolvedBy, detectedAt }) => ({
        conflict_id: id,
        fact_a: sides[0].id,
        fact_b: sides[1].id,
        status,
        resolved_by: resolvedBy,
        detected_at: toTimestamp(detectedAt),
      })),
      cursor,
      has_more: cursor !== null,
    }
  },
})

export const resolveContradiction = operation({
  name: 'resolve_contradiction',
  title: 'Resolve contradiction',
  description: 'Settle a conflict: one of the two facts wins, or a new value takes the place of both.',
  effect: 'write',
  idempotent: false,
  malformed: 'unprocessable',
  positionals: ['id'],
  route: { method: 'POST', path: `${CONFLICTS}/:id/resolve`, status: 200 },
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
