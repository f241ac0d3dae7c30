import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CODE_ROLES, type CodeRecipe } from '../core/code/search/recipe.js'
import { COEFFICIENT_SETS, type Recipe } from '../core/recall/recipe/recipe.js'
import { SIGNALS, TRAITS } from '../core/recall/recipe/signal-names.js'
import { UPDATE_SIGNALS } from '../core/recall/recipe/update-recipe.js'
import { shippedRecipeFolder } from '../models/shipped.js'

const coefficients = z.partialRecord(z.enum([...SIGNALS, 'link', 'relation']), z.partialRecord(z.enum(TRAITS), z.number()))

const fields = z.strictObject({ title: z.number(), text: z.number(), near: z.number(), far: z.number() })

const recipe = z.strictObject({
  name: z.string(),
  candidates: z.int(),
  fields,
  seeds: z.int(),
  sharpness: z.number(),
  backLink: z.number(),
  sharedNames: z.number(),
  namedLink: z.number(),
  besideWalk: z.number(),
  coefficients: z.record(z.enum(COEFFICIENT_SETS), coefficients),
  updates: z.strictObject({ threshold: z.number(), coefficients: z.partialRecord(z.enum(UPDATE_SIGNALS), z.number()) }),
})

/** The recipe of the ranking of memories. */
export function loadRecipe(folder: string = shippedRecipeFolder()): Recipe {
  return { ...recipe.parse(JSON.parse(readFileSync(join(folder, 'memories.json'), 'utf8'))), weights: null }
}

const codeRecipe = z.strictObject({
  candidates: z.int(),
  fields,
  denseWeight: z.number(),
  roughWeight: z.number(),
  roughShare: z.number(),
  fileShare: z.number(),
  crowding: z.number(),
  roles: z.record(z.enum(CODE_ROLES), z.number()),
  copyShare: z.number(),
  nameBoost: z.number(),
  literals: z.strictObject({
    candidates: z.int(),
    marked: z.number(),
    plain: z.number(),
    boost: z.number(),
    exact: z.number(),
    whole: z.number(),
    part: z.number(),
  }),
  seeds: z.int(),
  sharpness: z.number(),
  linkGain: z.number(),
})

/** The recipe of code search. */
export function loadCodeRecipe(folder: string = shippedRecipeFolder()): CodeRecipe {
  return codeRecipe.parse(JSON.parse(readFileSync(join(folder, 'code.json'), 'utf8')))
}
