/** Token ids in the reranker's vocabulary. */
const TOKENS = { start: 101, end: 102, bar: 1064 } as const
/** Token limits of each part in the reranker's training. */
export const PAIR_LIMITS = { question: 64, memory: 112, before: 28, after: 20 } as const

export interface Pair {
  readonly ids: readonly number[]
  /** 1 for the memory and the separator after it. */
  readonly types: readonly number[]
}

interface PairParts {
  readonly question: readonly number[]
  readonly memory: readonly number[]
  readonly before: readonly number[] | null
  readonly after: readonly number[] | null
}

/** `[CLS] question [SEP] memory [SEP] end of the previous turn | beginning of the next turn [SEP]`; the last part is optional. */
export function toPair({ question, memory, before, after }: PairParts): Pair {
  const requested = [TOKENS.start, ...question.slice(0, PAIR_LIMITS.question), TOKENS.end]
  const results = [...memory.slice(0, PAIR_LIMITS.memory), TOKENS.end]
  const around = [
    ...(before === null ? [] : before.slice(-PAIR_LIMITS.before)),
    ...(after === null ? [] : [TOKENS.bar, ...after.slice(0, PAIR_LIMITS.after)]),
  ]
  const rest = around.length === 0 ? [] : [...around, TOKENS.end]
  return { ids: [...requested, ...results, ...rest], types: [...requested.map(() => 0), ...results.map(() => 1), ...rest.map(() => 0)] }
}
