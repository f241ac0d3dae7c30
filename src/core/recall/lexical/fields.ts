/** Number of turns before and after, in the same session, that contribute context terms. */
export const CONTEXT_TURNS = { before: 6, after: 6 } as const

/** Terms up to which a text counts as a turn; nearly all turns of conversations have fewer. */
const TURN_TERMS = 80

/** 1 for texts as short as a turn, decreasing towards 0 for long messages. */
export const shortness = (terms: number): number => Math.min(1, TURN_TERMS / Math.max(1, terms))

/** Factor of a context term by the length of either text: a long message mentions much that its neighbours are not about. */
export const attenuateContext = (terms: number): number => shortness(terms) ** 2

/** Weight of a context term of full strength. A lower weight counts as a match in proportion. */
export const computeMinContextWeight = ({ near, far }: LexicalFields): number => (far > 0 ? far : near)

/** Weights of what a term may match. Zero leaves a field out. */
export interface LexicalFields {
  readonly title: number
  readonly text: number
  /** The previous turn of its session. */
  readonly near: number
  /** The other context turns, before and after it. */
  readonly far: number
}
