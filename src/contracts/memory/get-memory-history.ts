import { z } from 'zod'
import { noLaterThan } from '../../core/time/instants.js'
import { findFact } from '../../engine/facts/revise.js'
import { type Version, versionsOf } from '../../engine/history/versions.js'
import { operation } from '../operation.js'
import { idInput, nullToUndefined, userId } from './shapes.js'

const output = z.object({
  versions: z.array(
    z.object({
      version_id: z.string(),
      text: z.string().nullable(),
      metadata: z.record(z.string(), z.unknown()).nullable(),
      version_timestamp: z.int().describe('Milliseconds since 1970'),
      operation: z.enum(['updated', 'deleted']),
      changed_by: z.string(),
      reason: z.string().nullable(),
    }),
  ),
})

/** Called by the clients; agents use `get_memory`. Unlike the graph contract, owners may have any name. */
export const getMemoryHistory = operation({
  name: 'get_memory_history',
  title: 'Get memory history',
  description: 'What a memory was before each change, newest first.',
  effect: 'read',
  idempotent: true,
  listed: false,
  input: z.strictObject({ id: idInput, user_id: userId }),
  output,
  async run({ context }, { id, user_id }) {
    const owner = nullToUndefined(user_id) ?? (await findFact(context, id, undefined))?.owner ?? context.settings.defaultOwner
    const versions = await versionsOf(context, id, owner)
    return { versions: versions.map((version) => toVersion(version, id, context.clock.now())) }
  },
})

const toVersion = ({ at, state, operation: what, actor, reason }: Version, id: string, now: number) => ({
  version_id: `${id}@${at}`,
  text: typeof state?.text === 'string' ? state.text : null,
  metadata: typeof state?.metadata === 'object' && state.metadata !== null && !Array.isArray(state.metadata) ? { ...state.metadata } : null,
  version_timestamp: Math.floor(noLaterThan(at, now) / 1000),
  operation: what,
  changed_by: actor,
  reason,
})
