import { z } from 'zod'

/** The forms in which clients read a text for the model; an empty object gives none. */
export const hookAnswer = z.strictObject({
  hookSpecificOutput: z.strictObject({ hookEventName: z.string(), additionalContext: z.string() }).optional(),
  additional_context: z.string().optional(),
  context: z.string().optional(),
})

export type HookAnswer = z.output<typeof hookAnswer>
