/** How the second look is weighed. Chosen with the model: other values were not measured. */
export const RERANK = {
  /** Candidates that are looked at again unless configured otherwise. */
  candidates: 30,
  mostCandidates: 100,
  /** So many places of a long text are read. */
  readings: 3,
  weight: 0.5,
  /** What is left of the weight among notes that stand for themselves: there the model has no turns around them to read. */
  aloneWeight: 0.25,
  /** How much more it has among long texts, whose best places it reads where the first stage goes by the whole. */
  longGain: 0.4,
  /** Questions up to this many tokens count in full, from the other on not at all. */
  fullTo: 16,
  noneFrom: 32,
} as const

/** What the model reads of a memory or of the turn beside it. */
export interface RerankText {
  readonly title: string | null
  readonly author: string | null
  readonly text: string
}

/** Roles rather than names: they say nothing about who spoke. */
const ROLES: ReadonlySet<string> = new Set(['', 'user', 'assistant', 'system'])

/** `Title: text`, `Author: text`, or the text alone. */
export function formatForReranker({ title, author, text }: RerankText): string {
  if (title !== null && title !== '') return `${title}: ${text}`
  return author === null || ROLES.has(author.toLowerCase()) ? text : `${author}: ${text}`
}

/** Each of these is one token or more. */
const TOKEN_PATTERN = /\p{P}|[$+<=>^`|~]|[^\s\p{P}\p{C}$+<=>^`|~][^\s\p{P}$+<=>^`|~]*/gu

/** Fewer tokens than this a question cannot have, so that a long one needs no model to be found out. */
export function leastTokens(question: string): number {
  let found = 0
  for (const _ of question.matchAll(TOKEN_PATTERN)) if (++found >= RERANK.noneFrom) break
  return found
}

/** Of the candidates, each from 0 to 1: without a title and no code, outside of sessions, long. */
export interface Shares {
  readonly plain: number
  readonly alone: number
  readonly long: number
}

/**
 * The share of the model in the order. Titled passages and code keep the order of the first stage, as do long questions: a
 * model that sees one memory at a time cannot follow a link to the next.
 */
export function rerankWeight(questionTokens: number, { plain, alone, long }: Shares): number {
  const { weight, aloneWeight, longGain, fullTo, noneFrom } = RERANK
  return (
    (weight - alone * (weight - aloneWeight)) *
    (1 + longGain * long) *
    plain *
    Math.max(0, Math.min(1, (noneFrom - questionTokens) / (noneFrom - fullTo)))
  )
}

/**
 * What each score adds, from nothing for the least to the whole weight for the best. What was not judged (null) gets the mean of
 * the others, so that it neither rises nor falls among them.
 */
export function computeRerankShares(raw: readonly (number | null)[], weight: number): readonly number[] {
  const judged = raw.filter((one) => one !== null)
  const least = judged.reduce((min, one) => Math.min(min, one), Number.POSITIVE_INFINITY)
  const range = judged.reduce((max, one) => Math.max(max, one), Number.NEGATIVE_INFINITY) - least
  const shareOf = (one: number): number => (range > 0 ? (weight * (one - least)) / range : 0)
  const mean = judged.reduce((sum, one) => sum + shareOf(one), 0) / Math.max(1, judged.length)
  return raw.map((one) => (one === null ? mean : shareOf(one)))
}

/** Scores are log-odds: of a text that was read in several places each of them speaks for it. */
export function combineLogOdds(raw: readonly number[]): number {
  const most = raw.reduce((max, one) => Math.max(max, one), Number.NEGATIVE_INFINITY)
  return raw.length < 2 ? most : most + Math.log(raw.reduce((sum, one) => sum + Math.exp(one - most), 0))
}
