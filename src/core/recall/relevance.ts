import { createTurnPredicate, type Spoken } from '../facts/turns.js'

interface Weighed {
  readonly relevance: number
  /** Absent for code. */
  readonly memory?: { readonly fact: Spoken & { readonly title: string | null } } | undefined
}

/** Below this confidence the response says that the answer is probably not stored. */
export const LOW_CONFIDENCE = 0.2

interface Tail {
  readonly relevance: number
  /** Of the relevance of the best result. */
  readonly share: number
}
/** Results of less relevance, or of less than this share of the best, are left out: see the trade-off in bench/REPORT.md. */
const TAIL: Tail = { relevance: 0.01, share: 0.03 }
/** One note usually answers alone; turns and titled passages often answer together. */
const TAIL_OF_NOTES: Tail = { relevance: 0.03, share: 0.08 }

/** Results before the tail; the first is always kept. `results` comes best first. */
export function cutTail<R extends Weighed>(results: readonly R[], minRelevance: number | undefined): readonly R[] {
  if (minRelevance !== undefined) return results.filter(({ relevance }) => relevance >= minRelevance)
  const best = results[0]?.relevance ?? 0
  const isTurn = createTurnPredicate(results.flatMap(({ memory }) => memory?.fact ?? []))
  return results.filter((result, place) => {
    const fact = result.memory?.fact
    const isNote = fact !== undefined && fact.title === null && !isTurn(fact)
    const { relevance, share } = isNote ? TAIL_OF_NOTES : TAIL
    return place === 0 || result.relevance >= Math.max(relevance, share * best)
  })
}

/** A token is about four characters. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Results that fit a token budget together with the rest of the answer. Each comes in the forms in which it can be returned, the longest first; the first that
 * fits is taken. The best result is always taken, in its shortest form if none fits.
 */
export function fitToBudget<R>(results: readonly (readonly [R, ...R[]])[], tokenBudget: number | undefined, rest?: object): readonly R[] {
  let left = (tokenBudget ?? Number.POSITIVE_INFINITY) - (rest === undefined ? 0 : costOf(rest))
  const taken: R[] = []
  for (const forms of results) {
    const fitting = forms.find((one) => costOf(one) <= left) ?? (taken.length === 0 ? forms[forms.length - 1] : undefined)
    if (fitting === undefined) continue
    taken.push(fitting)
    left -= costOf(fitting)
  }
  return taken
}

/** Of a serialised result, with the comma behind it. */
const costOf = (result: unknown): number => Math.ceil((JSON.stringify(result).length + 1) / CHARACTERS_PER_TOKEN)
