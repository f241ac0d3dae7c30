import { z } from 'zod'
import { onHook } from '../../engine/hooks/hook.js'
import { operation } from '../operation.js'
import { DIALECTS, parseHookEvent } from './dialects.js'
import { hookAnswer } from './hook-answer.js'

const payload = z.record(z.string(), z.json())

export const hook = operation({
  name: 'hook',
  title: 'Hook',
  description:
    "For a client's hooks: a step of a conversation, answered in the client's own form. It never fails; unknown steps are ignored",
  effect: 'write',
  keyed: false,
  listed: false,
  idempotent: true,
  positionals: ['client', 'event'],
  input: z.object({
    client: z.string(),
    event: z.string().optional().describe('Unless the payload names it'),
    payload: payload.optional(),
  }),
  output: hookAnswer,
  async run({ context }, input) {
    const dialect = DIALECTS.find((known) => known.client === input.client)
    const body = input.payload ?? {}
    const event = input.event ?? body.hook_event_name ?? body.agent_action_name
    const kind = typeof event === 'string' ? dialect?.events[event] : undefined
    if (dialect === undefined || kind === undefined || typeof event !== 'string') return {}
    const outcome = await onHook(context, parseHookEvent(dialect, kind, body), context.signal)
    return outcome.context === undefined ? {} : (dialect.context[kind]?.(event, outcome.context) ?? {})
  },
})
