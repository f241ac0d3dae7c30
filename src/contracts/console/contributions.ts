import { z } from 'zod'
import type { RecalledFact } from '../../engine/recall/recall.js'

export const contributionShape = z.object({ name: z.string(), value: z.number() })

/** The parts of the score of a result; they add up to it. */
export const contributionsOf = ({ contributions }: RecalledFact): z.input<typeof contributionShape>[] => [...contributions]
