import { z } from 'zod'
import { RECIPE_KEYS } from '../core/recall/recipe/recipe.js'

/** Flags, variables and the file contain text or JSON; a key accepts both forms of its type. */
export const text = () => z.string().min(1)
export const list = () =>
  z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean)
        : value,
    z.array(text()),
  )
export const toggle = () => z.union([z.boolean(), z.stringbool()], { error: 'expected true or false' })
export const number = (schema: z.ZodNumber) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value), schema)
export const count = (min: number, max: number = Number.MAX_SAFE_INTEGER) => number(z.number().int().min(min).max(max))
/** JSON text in a variable or flag, or JSON in the file. */
export const jsonText = <S extends z.ZodType>(what: 'list' | 'object', schema: S) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'string') return value
    try {
      return JSON.parse(value)
    } catch {
      context.addIssue({ code: 'custom', message: `expected a JSON ${what}` })
      return z.NEVER
    }
  }, schema)
/** Only numbers of the recipe can be set; a weight of zero switches a signal off. */
export const recipe = () => jsonText('object', z.partialRecord(z.enum(RECIPE_KEYS), z.number()))
export const ratio = () => number(z.number().min(0).max(1)).optional()
export const daysOrOff = () =>
  z.union([z.literal('off'), number(z.number().gt(0).max(3650))], { error: 'expected a number of days, or off' })
