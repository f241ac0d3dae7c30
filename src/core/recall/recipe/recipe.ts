import type { LexicalFields } from '../lexical/fields.js'
import { SIGNALS, type SignalName, type TraitName } from './signal-names.js'
import type { UpdateRecipe } from './update-recipe.js'

/** A coefficient per trait of the store and the query; their sum multiplies the signal. */
export type Coefficients = Readonly<Partial<Record<SignalName | 'link' | 'relation', Readonly<Partial<Record<TraitName, number>>>>>>

/** Data of the ranking of memories; the file is `assets/recall/memories.json`. */
export interface Recipe {
  readonly name: string
  /** Candidates taken from each index before both scores are computed for all of them. */
  readonly candidates: number
  readonly fields: LexicalFields
  /** Results whose links are followed, and how fast the weight of a seed falls with its score. */
  readonly seeds: number
  readonly sharpness: number
  /** Strength of a link to a fact that mentions the seed's subject, and of names that both mention. */
  readonly backLink: number
  readonly sharedNames: number
  /** Factor for a link through a name in the query: such a bridge leads back to its start. */
  readonly namedLink: number
  /** Factor of the graph walk for a fact that names the entity itself. */
  readonly besideWalk: number
  /** Fitted coefficients: with the judge, without it, and without vectors. */
  readonly coefficients: Readonly<Record<CoefficientSet, Coefficients>>
  /** Recognition of notes that state later what another note states. */
  readonly updates: UpdateRecipe
  /** Fixed weights of the contract in place of the coefficients. */
  readonly weights: Weights | null
}

export const COEFFICIENT_SETS = ['judged', 'fast', 'words'] as const
export type CoefficientSet = (typeof COEFFICIENT_SETS)[number]

export interface Weights {
  readonly vector: number
  readonly bm25: number
  readonly ppr: number
}

/** The memory contract's own weights, for callers who pass any. */
export const CONTRACT_WEIGHTS: Weights = { vector: 0.4, bm25: 0.15, ppr: 0.45 }

/** Hyponyms are looked up in the fact's own words. */
export const HYPONYM_FIELDS: LexicalFields = { title: 1, text: 1, near: 0, far: 0 }

/** Keyword search matches the fact's own words only. */
export const OWN_WORDS: LexicalFields = { title: 3, text: 1, near: 0, far: 0 }

const NUMBERS = ['candidates', 'seeds', 'sharpness', 'backLink', 'sharedNames', 'namedLink', 'besideWalk'] as const
const FIELDS = ['title', 'near', 'far'] as const
const FACTORS = [...SIGNALS, 'link', 'relation'] as const

/** Keys that a setting may override: numbers and fields by value, coefficients by a factor, where 0 disables a signal. */
export const RECIPE_KEYS = [...NUMBERS, ...FIELDS, ...FACTORS] as const
type RecipeOverrides = { readonly [key in (typeof RECIPE_KEYS)[number]]?: number | undefined }

export function withOverrides(recipe: Recipe, overrides: RecipeOverrides): Recipe {
  const pick = <K extends (typeof RECIPE_KEYS)[number]>(keys: readonly K[]): readonly [K, number][] =>
    keys.flatMap((key): [K, number][] => (overrides[key] === undefined ? [] : [[key, overrides[key]]]))
  const factors = new Map<string, number>(pick(FACTORS))
  const scale = (coefficients: Coefficients): Coefficients =>
    Object.fromEntries(
      Object.entries(coefficients).map(([name, byTrait]) => {
        const factor = factors.get(name) ?? 1
        return [name, Object.fromEntries(Object.entries(byTrait).map(([trait, value]) => [trait, value * factor]))]
      }),
    )
  const { judged, fast, words } = recipe.coefficients
  return {
    ...recipe,
    ...Object.fromEntries(pick(NUMBERS)),
    fields: { ...recipe.fields, ...Object.fromEntries(pick(FIELDS)) },
    coefficients: { judged: scale(judged), fast: scale(fast), words: scale(words) },
  }
}
