import type { LexicalFields } from './fields.js'

/** How the signals of one question become one order. A contract is a recipe; nothing else differs between them. */
export interface Recipe {
  readonly name: string
  /** Candidates taken from each side before both scores are filled in for all of them. */
  readonly candidates: number
  readonly fields: LexicalFields
  /** Share of the vector side in the fused score, for prose and for code. */
  readonly denseWeight: number
  readonly codeDenseWeight: number
  /** The same where the candidates are long texts, which say more in words than one vector keeps. */
  readonly longDenseWeight: number
  /** What the vector side loses where all words of the question are numbers or codes, which vectors hardly tell apart. */
  readonly exactness: number
  /** Rarities (in nats) of matched words that make the best match in words a full one. */
  readonly evidence: number
  /** What is left of a match of one word, where the question has more. */
  readonly singleWord: number
  /** Largest share of words near to those of the question: members of a kind that it names. */
  readonly nearWords: number
  /** How many of the best by words alone are among the first ten in any case. */
  readonly wordSeats: number
  /** What each further message of a session counts less in the answer to a long question. */
  readonly spread: number
  /** How far under the cosine of unrelated texts the zero of the vector side lies. */
  readonly floorMargin: number
  /** Added when the question names exactly one author and the fact is theirs. */
  readonly authorBoost: number
  /** Added when the question names what the fact is about. */
  readonly subjectBoost: number
  /** How many of the best results pass their score on along links, and how it falls with their rank. */
  readonly seeds: number
  readonly sharpness: number
  /** Largest share a link can add; shares of a back link and of shared names. */
  readonly linkGain: number
  readonly backLink: number
  readonly sharedNames: number
  /** What is left of a link through a name that the question itself holds: such a bridge leads back to where it started. */
  readonly namedLink: number
  /** Weight of the walk over entities and relations that the question or the best results name. */
  readonly graphGain: number
  /** What is left of the walk at a fact that names the asked entity itself. */
  readonly besideWalk: number
  /** Prior for newer facts, with its half-life. */
  readonly recency: number
  readonly recencyHalfLifeDays: number
  /** Fixed weights of a contract in place of the fusion above. */
  readonly weights: Weights | null
}

export interface Weights {
  readonly vector: number
  readonly bm25: number
  readonly ppr: number
}

export const TUNED: Recipe = {
  name: 'tuned',
  candidates: 100,
  fields: { title: 3, text: 1, near: 0.5, far: 0.2 },
  denseWeight: 0.65,
  codeDenseWeight: 0.95,
  longDenseWeight: 0.5,
  exactness: 0.2,
  evidence: 15,
  singleWord: 0.4,
  nearWords: 0.3,
  wordSeats: 2,
  spread: 0.04,
  floorMargin: 0.06,
  authorBoost: 0.1,
  subjectBoost: 0.3,
  seeds: 5,
  sharpness: 4,
  linkGain: 0.4,
  backLink: 0.25,
  sharedNames: 0.3,
  namedLink: 0.4,
  graphGain: 0.45,
  besideWalk: 0.2,
  recency: 0,
  recencyHalfLifeDays: 90,
  weights: null,
}

/** The memory contract's own weights, for callers who pass any. */
export const CONTRACT_WEIGHTS: Weights = { vector: 0.4, bm25: 0.15, ppr: 0.45 }

/** Near words are looked for in what a fact says itself. */
export const NEAR_WORDS: LexicalFields = { title: 1, text: 1, near: 0, far: 0 }

/** Keyword search matches the fact's own words only. */
export const OWN_WORDS: LexicalFields = { title: 3, text: 1, near: 0, far: 0 }

const NUMBERS = [
  'candidates',
  'denseWeight',
  'codeDenseWeight',
  'longDenseWeight',
  'exactness',
  'evidence',
  'singleWord',
  'nearWords',
  'wordSeats',
  'spread',
  'floorMargin',
  'authorBoost',
  'subjectBoost',
  'seeds',
  'sharpness',
  'linkGain',
  'backLink',
  'sharedNames',
  'namedLink',
  'graphGain',
  'besideWalk',
  'recency',
  'recencyHalfLifeDays',
] as const
const FIELDS = ['title', 'near', 'far'] as const

/** What may be overridden one by one; a part is switched off by a weight of zero. */
export const RECIPE_KEYS = [...NUMBERS, ...FIELDS] as const
export type RecipeOverrides = { readonly [key in (typeof RECIPE_KEYS)[number]]?: number | undefined }

export function withOverrides(recipe: Recipe, overrides: RecipeOverrides): Recipe {
  const chosen = (key: (typeof RECIPE_KEYS)[number], fallback: number): number => overrides[key] ?? fallback
  const numbers = Object.fromEntries(NUMBERS.map((key) => [key, chosen(key, recipe[key])]))
  const fields = Object.fromEntries(FIELDS.map((key) => [key, chosen(key, recipe.fields[key])]))
  return { ...recipe, ...numbers, fields: { ...recipe.fields, ...fields } }
}
