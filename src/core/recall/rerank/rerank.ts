/** Candidates that the judge reads. */
export const RERANK = {
  /** Unless configured otherwise. */
  candidates: 30,
  mostCandidates: 100,
  /** Windows of a long text that are read. */
  readings: 3,
  /** Queries of more tokens are not judged: measured, it makes them worse. */
  maxTokens: 32,
} as const

/** Input of the reranker for a memory or a neighbouring turn. */
interface RerankText {
  readonly title: string | null
  readonly author: string | null
  readonly text: string
}

/** Roles, which do not identify the speaker. */
const ROLES: ReadonlySet<string> = new Set(['', 'user', 'assistant', 'system'])

/** `Title: text`, `Author: text`, or the text alone. */
export function formatForReranker({ title, author, text }: RerankText): string {
  if (title !== null && title !== '') return `${title}: ${text}`
  return author === null || ROLES.has(author.toLowerCase()) ? text : `${author}: ${text}`
}

/** Each match is at least one token. */
const TOKEN_PATTERN = /\p{P}|[$+<=>^`|~]|[^\s\p{P}\p{C}$+<=>^`|~][^\s\p{P}$+<=>^`|~]*/gu

/** A lower bound of the number of tokens, counted up to `maxTokens`; it needs no model. */
export function estimateTokens(query: string): number {
  let found = 0
  for (const _ of query.matchAll(TOKEN_PATTERN)) if (++found >= RERANK.maxTokens) break
  return found
}

/** Adds the odds of the windows of one text. Raw scores are log-odds. */
export function combineLogOdds(raw: readonly number[]): number {
  const most = raw.reduce((max, logOdds) => Math.max(max, logOdds), Number.NEGATIVE_INFINITY)
  return raw.length < 2 ? most : most + Math.log(raw.reduce((sum, logOdds) => sum + Math.exp(logOdds - most), 0))
}
