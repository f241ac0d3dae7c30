import type { Recipe } from '../core/recall/recipe.js'

/** What an operator may set; the surfaces fill it from the configuration. */
export interface EngineSettings {
  readonly defaultOwner: string
  readonly maxContentBytes: number
  readonly maxMetadataBytes: number
  readonly recipe: Recipe
}
