import type { LexicalFields } from '../../recall/lexical/fields.js'

/** Coefficients of code search; the file is `assets/recall/code.json`. */
export interface CodeRecipe {
  /** Candidates taken from each side. */
  readonly candidates: number
  readonly fields: LexicalFields
  /** Weight of the vector score, with the model's vectors and with rough ones. */
  readonly denseWeight: number
  readonly roughWeight: number
  /** Share of the rough vector if both exist: it distinguishes words that the model blurs. */
  readonly roughShare: number
  /** Share of the file's lexical score: a file with many matching passages is the likelier location. */
  readonly fileShare: number
  /** Factor for each further passage of a file, so that one file does not fill the results. */
  readonly crowding: number
  /** Factors for passages of these roles, unless the query asks for them. */
  readonly roles: Readonly<Record<CodeRole, number>>
  /** Factor for each further passage with the same text. */
  readonly copyShare: number
  /** Added if the passage defines a name that the query spells out. */
  readonly nameBoost: number
  readonly literals: LiteralWeights
  /** Number of top passages that raise the passages they call, and the maximum they add. */
  readonly seeds: number
  readonly sharpness: number
  readonly linkGain: number
}

/**
 * What a passage is in a search for code: a test, a file of declarations without bodies, a section of prose, a list of imports and exports,
 * plain lines between definitions, a type without code, another definition that is not a function, or a function.
 */
export const CODE_ROLES = ['test', 'declarations', 'prose', 'reExport', 'plain', 'type', 'definition', 'function'] as const
export type CodeRole = (typeof CODE_ROLES)[number]

/** How literals of a query raise the passages that hold them. */
export interface LiteralWeights {
  /** Candidates whose texts are compared, by rarity of the matched words. */
  readonly candidates: number
  /** Share of the query that must match for the literal to decide the order: with signs of code or quotes, and without. */
  readonly marked: number
  readonly plain: number
  /** Added for a deciding literal, in addition to the matched share. */
  readonly boost: number
  /** Added for an exact match, and for a whole string or an assigned name. */
  readonly exact: number
  readonly whole: number
  /** At most added for a quoted part of a longer question. */
  readonly part: number
}
