import { z } from 'zod'
import type { RecalledFact } from '../../engine/recall/recall.js'

export const contributionShape = z.object({ name: z.string(), value: z.number() })

/** The contributions of a result; they add up to its score. */
export const contributionsOf = ({ contributions }: RecalledFact): z.input<typeof contributionShape>[] => [...contributions]
