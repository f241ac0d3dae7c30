import type { Fact } from '../facts/fact.js'

/** True for facts that are current but undecided: inferred, contradicted, or due for verification. */
export const isProvisional = ({ status }: Pick<Fact, 'status'>): boolean =>
  status === 'candidate' || status === 'contested' || status === 'stale'

/** Distance in score to the last result that is not provisional. */
const PROVISIONAL_DISTANCE = 0.01

/** Penalties that rank provisional results after all others. */
export function provisionalValues(results: readonly { readonly fact: Fact; readonly score: number }[]): readonly number[] {
  const settled = results.filter(({ fact }) => !isProvisional(fact))
  const most = settled.reduce((least, { score }) => Math.min(least, score), Number.POSITIVE_INFINITY) - PROVISIONAL_DISTANCE
  return results.map(({ fact, score }) => (isProvisional(fact) ? Math.min(0, most - score) : 0))
}
