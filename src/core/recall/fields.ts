/** How many memories of the same session, before and after it, lend a memory their words. */
export const CONTEXT = { before: 6, after: 6 } as const

/** So many terms of a neighbour count in full: more than nearly all turns of a conversation have. */
const TURN = 80

/**
 * What is left of a loan between neighbours by the length of either: a long message mentions much that the ones around it
 * are not about, and has words enough of its own.
 */
export const fading = (tokens: number): number => Math.min(1, TURN / Math.max(1, tokens))

/** Weights of what a term may match. Zero leaves a field out. */
export interface LexicalFields {
  readonly title: number
  readonly text: number
  /** The memory before it in its session. */
  readonly near: number
  /** The others of `CONTEXT`, before and after it. */
  readonly far: number
}
