import type { Fact } from '../facts/fact.js'

/** Current, but not decided: inferred, contradicted, or not verified for long. */
export const isProvisional = ({ status }: Pick<Fact, 'status'>): boolean =>
  status === 'candidate' || status === 'contested' || status === 'stale'

/** Below the last of what is settled, whatever it scored. */
const BELOW = 0.999

/** What is settled before what is not; each keeps its order, and scores go on falling. */
export function rankProvisionalLast<R extends { readonly fact: Fact; readonly score: number }>(results: readonly R[]): readonly R[] {
  const unsettled = results.filter(({ fact }) => isProvisional(fact))
  if (unsettled.length === 0 || unsettled.length === results.length) return results
  const settled = results.filter(({ fact }) => !isProvisional(fact))
  const least = Math.min(...settled.map(({ score }) => score))
  return [...settled, ...unsettled.map((one) => ({ ...one, score: Math.min(one.score, least * BELOW) }))]
}
