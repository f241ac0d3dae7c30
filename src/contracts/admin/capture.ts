import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import { operation } from '../operation.js'

const MINUTE = 60e6
/** Until further notice. */
const FOR_EVER = 3650 * 24 * 60

export const pause = operation({
  name: 'pause',
  title: 'Pause',
  description: 'Let hooks keep and tell nothing for a while; --minutes 0 ends the pause',
  effect: 'write',
  keyed: false,
  idempotent: true,
  positionals: ['minutes'],
  input: z.strictObject({
    minutes: z.number().min(0, { error: 'must be 0 or more' }).default(FOR_EVER).describe('Until further notice unless given'),
  }),
  output: z.object({ paused: z.boolean(), until: z.string().nullable() }),
  text: (answer) =>
    answer.paused === true
      ? `Hooks keep and tell nothing until ${String(answer.until).slice(0, 16)}. mneme pause 0 ends that.`
      : 'Hooks are at work again.',
  async run({ engine }, { minutes }) {
    await engine.capture.pause(engine.clock.now() + Math.round(minutes * MINUTE))
    const until = await engine.capture.pausedUntil()
    return { paused: until !== null, until: until === null ? null : formatInstant(until) }
  },
})

export const forgetLastCaptured = operation({
  name: 'forget_last',
  title: 'Forget what was captured last',
  description: 'Delete what hooks kept of the last prompt that held anything to keep',
  effect: 'destroy',
  keyed: false,
  idempotent: false,
  input: z.strictObject({}),
  output: z.object({ forgotten: z.array(z.object({ id: z.string(), content: z.string() })) }),
  async run({ engine, actor }) {
    const gone = await engine.capture.forgetLast(actor)
    return { forgotten: gone.map(({ id, text }) => ({ id, content: text })) }
  },
})
