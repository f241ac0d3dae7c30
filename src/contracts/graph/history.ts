import { z } from 'zod'
import type { JsonObject } from '../../core/encoding/json.js'
import { FACT_STATUSES } from '../../core/facts/fact.js'
import { lifeOf } from '../../core/facts/lifecycle.js'
import { noLaterThan } from '../../core/time/instants.js'
import type { Version } from '../../engine/history/versions.js'
import { versionsOf } from '../../engine/history/versions.js'
import { operation } from '../operation.js'
import { ownerOf } from './checks.js'
import { nodeId, ownerId, toMilliseconds } from './shapes.js'

export const getNodeChangeHistory = operation({
  name: 'get_node_change_history',
  title: 'Get node change history',
  description: 'What a node was before each change, newest first.',
  effect: 'read',
  idempotent: true,
  positionals: ['node_id'],
  input: z.strictObject({ node_id: nodeId, owner_id: ownerId }),
  output: z.object({ success: z.boolean(), versions: z.array(z.record(z.string(), z.unknown())), count: z.int() }),
  async run({ context }, input) {
    const versions = await versionsOf(context, input.node_id, ownerOf(context, input.owner_id))
    return {
      success: true,
      versions: versions.map((version) => toVersion(version, input.node_id, context.clock.now())),
      count: versions.length,
    }
  },
})

const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)

const past = (at: number | null, now: number): number | null => (at === null ? null : noLaterThan(at, now))

function statusOf(state: JsonObject | null, asOf: number): string | null {
  const status = FACT_STATUSES.find((known) => known === state?.status)
  return status === undefined ? null : lifeOf({ status, validUntil: number(state?.validUntil) }, asOf)
}

const toVersion = (
  { at, state, after, operation: what, actor, reason, snapshot }: Version,
  id: string,
  now: number,
): Record<string, unknown> => ({
  version_id: `${id}@${at}`,
  text: state?.text ?? state?.name ?? null,
  metadata: state?.metadata ?? null,
  status: statusOf(state, at - 1),
  ttl_days: state?.ttlDays ?? null,
  expires_at: toMilliseconds(number(state?.expiresAt)),
  version_timestamp: toMilliseconds(noLaterThan(at, now)),
  original_created_at: toMilliseconds(past(number(state?.recordedAt ?? state?.createdAt), now)),
  operation: what,
  status_after: statusOf(after, at),
  changed_by: actor,
  ...(reason === null ? {} : { reason }),
  snapshot,
})
