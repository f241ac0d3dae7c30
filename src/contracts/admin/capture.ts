import { resolve } from 'node:path'
import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import { forgetLast } from '../../engine/hooks/forget-last.js'
import { pauseCapture, pausedUntil } from '../../engine/hooks/pause-capture.js'
import { confirmFolder } from '../../engine/hooks/project-folders.js'
import { operation } from '../operation.js'
import { wordOf } from '../plain-text.js'
import { checkServerFile } from './server-files.js'

const MINUTE_US = 60e6
/** Until hooks are resumed. */
const FOR_EVER = 3650 * 24 * 60

export const pause = operation({
  name: 'pause',
  title: 'Pause',
  description: 'Suspend hook capture and recall; 0 resumes',
  effect: 'write',
  keyed: false,
  idempotent: true,
  positionals: ['minutes'],
  input: z.strictObject({
    minutes: z.number().min(0, { error: 'must be 0 or more' }).default(FOR_EVER).describe('Unlimited if omitted'),
  }),
  output: z.object({ paused: z.boolean(), until: z.string().nullable() }),
  text: (answer, reader) =>
    answer.paused === true
      ? `Hook capture and recall are suspended until ${reader.time(wordOf(answer.until))}. \`mneme pause 0\` resumes them.`
      : 'Hook capture and recall are active.',
  async run({ context }, { minutes }) {
    await pauseCapture(context, context.clock.now() + Math.round(minutes * MINUTE_US))
    const until = await pausedUntil(context)
    return { paused: until !== null, until: until === null ? null : formatInstant(until) }
  },
})

export const forgetLastCaptured = operation({
  name: 'forget_last',
  title: 'Forget what was captured last',
  description: 'Delete what hooks captured from the last prompt',
  effect: 'destroy',
  keyed: false,
  idempotent: false,
  input: z.strictObject({}),
  output: z.object({ forgotten: z.array(z.object({ id: z.string(), content: z.string() })) }),
  async run({ context, actor }) {
    const gone = await forgetLast(context, actor)
    return { forgotten: gone.map(({ id, text }) => ({ id, content: text })) }
  },
})

export const projectConfirm = operation({
  name: 'project_confirm',
  title: 'Confirm a project folder',
  description: 'Share the memory of the repository that the remote of a folder names',
  effect: 'write',
  keyed: false,
  idempotent: true,
  command: 'project confirm',
  positionals: ['folder'],
  input: z.strictObject({ folder: z.string().default('.').describe('The clone; the current folder if omitted') }),
  output: z.object({ folder: z.string(), owner: z.string() }),
  text: (answer) => `${wordOf(answer.folder)} shares the memory ${wordOf(answer.owner)}.`,
  async run(call, { folder }) {
    const { context, actor, cwd = process.cwd() } = call
    checkServerFile(call, folder)
    const { root, owner } = await confirmFolder(context, resolve(cwd, folder), actor)
    return { folder: root, owner }
  },
})
