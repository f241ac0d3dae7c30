/** How many memories of the same session, before and after it, lend a memory their words. */
export const CONTEXT = { before: 6, after: 6 } as const

/** Weights of what a term may match. Zero leaves a field out. */
export interface LexicalFields {
  readonly title: number
  readonly text: number
  /** The memory before it in its session. */
  readonly near: number
  /** The others of `CONTEXT`, before and after it. */
  readonly far: number
}
