/** Number of turns before and after, in the same session, that contribute context terms. */
export const CONTEXT = { before: 6, after: 6 } as const

/** Terms up to which a text counts as a turn; nearly all turns of conversations have fewer. */
const TURN = 80

/** 1 for texts as short as a turn, decreasing towards 0 for long messages. */
export const shortness = (terms: number): number => Math.min(1, TURN / Math.max(1, terms))

/**
 * What is left of a loan between neighbours by the length of either: a long message mentions much that the ones around it
 * are not about, and has words enough of its own.
 */
export const attenuateContext = (terms: number): number => shortness(terms) ** 2

/** A word that is borrowed in full weighs at least this much; what weighs less counts as held in proportion. */
export const computeMinContextWeight = ({ near, far }: LexicalFields): number => (far > 0 ? far : near)

/** Weights of what a term may match. Zero leaves a field out. */
export interface LexicalFields {
  readonly title: number
  readonly text: number
  /** The memory before it in its session. */
  readonly near: number
  /** The others of `CONTEXT`, before and after it. */
  readonly far: number
}
