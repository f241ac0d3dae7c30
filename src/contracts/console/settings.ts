import { z } from 'zod'
import { operation } from '../operation.js'

const output = z.object({ settings: z.array(z.object({ key: z.string(), value: z.unknown(), origin: z.string() })) })
export type SettingsAnswer = z.output<typeof output>

export const settings = operation({
  name: 'settings',
  title: 'Settings',
  description: 'Every setting in force and where its value comes from',
  effect: 'read',
  idempotent: true,
  right: 'admin',
  input: z.strictObject({}),
  output,
  async run({ settings: describe }) {
    return { settings: (describe?.() ?? []).map((row) => ({ ...row })) }
  },
})
