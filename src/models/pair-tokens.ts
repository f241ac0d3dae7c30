/** Token numbers of the vocabulary the reranker was trained with. */
const TOKENS = { start: 101, end: 102, bar: 1064 } as const
/** Tokens of each part that the reranker was trained with. */
export const PAIR_LIMITS = { question: 64, memory: 112, before: 28, after: 20 } as const

export interface Pair {
  readonly ids: readonly number[]
  /** 1 where the memory stands, with the mark that ends it. */
  readonly types: readonly number[]
}

export interface PairParts {
  readonly question: readonly number[]
  readonly memory: readonly number[]
  readonly before: readonly number[] | null
  readonly after: readonly number[] | null
}

/** `[CLS] question [SEP] memory [SEP] end of the turn before | beginning of the turn after [SEP]`; the last part only where there are such turns. */
export function toPair({ question, memory, before, after }: PairParts): Pair {
  const asked = [TOKENS.start, ...question.slice(0, PAIR_LIMITS.question), TOKENS.end]
  const told = [...memory.slice(0, PAIR_LIMITS.memory), TOKENS.end]
  const around = [
    ...(before === null ? [] : before.slice(-PAIR_LIMITS.before)),
    ...(after === null ? [] : [TOKENS.bar, ...after.slice(0, PAIR_LIMITS.after)]),
  ]
  const rest = around.length === 0 ? [] : [...around, TOKENS.end]
  return { ids: [...asked, ...told, ...rest], types: [...asked.map(() => 0), ...told.map(() => 1), ...rest.map(() => 0)] }
}
