/** Weights of what a term may match. Zero leaves a field out. */
export interface LexicalFields {
  readonly title: number
  readonly text: number
  /** The memory before it in its session. */
  readonly near: number
  /** The second and third before it, the first and second after it. */
  readonly far: number
}
