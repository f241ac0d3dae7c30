import type { Candidate } from '../candidate.js'
import { computeIdf, SATURATION } from '../lexical/bm25.js'
import { attenuateContext, shortness } from '../lexical/fields.js'
import type { Contribution } from '../rank.js'
import type { Coefficients } from '../recipe/recipe.js'
import { SIGNALS, type SignalName, type Signals, TRAITS, type Traits } from '../recipe/signal-names.js'

export interface QuerySignals {
  /** Cosine of unrelated texts for the model in use. */
  readonly floor: number
  /** The best cosines of the pool, best first. */
  readonly cosines: readonly number[]
  /** Sum of the rarities of all terms of the query. */
  readonly rarity: number
  /** Share of the query, by IDF, that the best lexical match contains: accidental matches count less. */
  readonly held: number
  /** Number of its terms. */
  readonly terms: number
  /** True if the query was glossed. */
  readonly glossed: boolean
  /** Tokens of the query. */
  readonly tokens: number
  /** Number of facts that were searched. */
  readonly documents: number
  /** The one author the query names, if it names exactly one. */
  readonly author: string | null
  /** Subjects the query names, in normal form. */
  readonly subjects: ReadonlySet<string>
}

/** Number of cosines after the best whose mean is the usual cosine of the query. */
const RUNNER_UP_COUNT = 5
/** Raw scores of the judge lie between -10 and 8. An unread candidate gets the lowest raw score of the query. */
export const JUDGE_SCALE = 3
const LONG_QUERY = { from: 16, to: 32 } as const
/** Traits are measured on the best candidates, so that they do not depend on the number of candidates. */
const TRAIT_SAMPLE_SIZE = 30

const longShare = (candidates: readonly Pick<Candidate, 'length'>[]): number =>
  candidates.reduce((sum, { length }) => sum + 1 - shortness(length), 0) / Math.max(1, candidates.length)

const shareOf = <C>(candidates: readonly C[], test: (candidate: C) => boolean): number =>
  candidates.filter(test).length / Math.max(1, candidates.length)

export function computeTraits(candidates: readonly Candidate[], { tokens, held, glossed }: QuerySignals): Traits {
  const best = [...candidates].sort((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0)).slice(0, TRAIT_SAMPLE_SIZE)
  const { from, to } = LONG_QUERY
  return {
    always: 1,
    notes: shareOf(best, ({ header }) => header.session === null),
    titled: shareOf(best, ({ header }) => header.subject !== null && !header.isCode),
    code: shareOf(best, ({ header }) => header.isCode),
    long: longShare(best),
    longQuery: Math.max(0, Math.min(1, (tokens - from) / (to - from))),
    held,
    glossed: glossed ? 1 : 0,
  }
}

/** Signals of each candidate. `judged` has the raw scores of the candidates that the judge read, by row. */
export function computeSignals(
  candidates: readonly Candidate[],
  query: QuerySignals,
  traits: Traits,
  judged: ReadonlyMap<number, number> = new Map(),
): readonly Signals[] {
  const { floor, cosines } = query
  const [best = floor, ...rest] = cosines
  // Missing cosines count as unrelated, so that a single related note in a small store does not raise the usual cosine.
  const usual =
    Array.from({ length: RUNNER_UP_COUNT }, (_, i) => rest[i] ?? floor).reduce((sum, cosine) => sum + cosine, 0) / RUNNER_UP_COUNT
  const nearest = candidates.reduce((most, { cosine }) => Math.max(most, cosine ?? 0), Math.max(best, floor + 1e-9))
  const bestBm25 = candidates.reduce((most, { bm25 }) => Math.max(most, bm25), 1e-9)
  const lowest = [...judged.values()].reduce((least, raw) => Math.min(least, raw), 0)
  const trust = createLexicalTrust(query, traits)
  const brief = computeShortQueryWeight(query.terms)
  const fullKinds = (SATURATION + 1) * Math.min(MAX_HYPONYM_RARITY, FULL_HYPONYM_COUNT * computeIdf(1, Math.max(1, query.documents)))
  return candidates.map(({ header, cosine, bm25, rarity, matches, kinds, length }) => {
    const lexical = bm25 / bestBm25
    const words = lexical * trust(matches)
    return {
      base: 1,
      height: cosines.length === 0 ? 0 : (best - floor) / (1 - floor),
      margin: cosines.length === 0 ? 0 : (best - usual) / (1 - floor),
      // A fact without a vector yet is ranked by its words.
      meaning: cosine === null ? words : Math.max(0, (cosine - floor) / (nearest - floor)),
      words,
      coverage: query.rarity === 0 ? 0 : Math.min(1, rarity / query.rarity),
      // Long texts mention much that they are not about; titled facts and code are matched by name.
      kinds: header.isCode || header.subject !== null ? 0 : brief * attenuateContext(length) * Math.min(1, kinds / fullKinds),
      author: query.author !== null && header.author === query.author ? 1 : 0,
      subject: header.subject !== null && query.subjects.has(header.subject) ? 1 : 0,
      judge: judged.size === 0 ? 0 : (judged.get(header.rid) ?? lowest) / JUDGE_SCALE,
    }
  })
}

/** Number of unique hyponyms that reach the full value. */
const FULL_HYPONYM_COUNT = 3
const MAX_HYPONYM_RARITY = 15

/** Query terms up to which hyponyms count in full, and from which they do not count: long queries mention categories in passing. */
const SHORT_QUERY_TERMS = { fullTo: 6, noneFrom: 12 } as const

export const computeShortQueryWeight = (terms: number): number =>
  Math.max(0, Math.min(1, (SHORT_QUERY_TERMS.noneFrom - terms) / (SHORT_QUERY_TERMS.noneFrom - SHORT_QUERY_TERMS.fullTo)))

/** Factor of a match of one term of several. */
const SINGLE_TERM_FACTOR = 0.4
/** Turns of a conversation have context terms, so half of the query is a full match. */
const FULL_MATCH_AMONG_TURNS = 0.5

/** Factor of a lexical match by the share of the query that it contains. */
function createLexicalTrust({ held, terms }: QuerySignals, { notes }: Traits): (matches: number) => number {
  const strength = notes * held + (1 - notes) * Math.min(1, held / FULL_MATCH_AMONG_TURNS)
  const single = 1 - notes * (1 - SINGLE_TERM_FACTOR)
  return (matches) => strength * (matches < Math.min(2, terms) ? single : 1)
}

/** The coefficient of a signal in a query: a sum over its traits. */
export const coefficientOf = (coefficients: Coefficients, name: keyof Coefficients, traits: Traits): number =>
  TRAITS.reduce((sum, trait) => sum + (coefficients[name]?.[trait] ?? 0) * traits[trait], 0)

/** Signals of the query, equal for all candidates; together they are the contribution `base`. */
const QUERY_SIGNALS: ReadonlySet<SignalName> = new Set<SignalName>(['base', 'height', 'margin'])

/** Each signal times its coefficient. */
export function contributionsOf(signals: Signals, traits: Traits, coefficients: Coefficients): readonly Contribution[] {
  let base = 0
  const found: Contribution[] = []
  for (const name of SIGNALS) {
    const value = coefficientOf(coefficients, name, traits) * signals[name]
    if (QUERY_SIGNALS.has(name)) base += value
    else if (value !== 0) found.push({ name, value })
  }
  return [{ name: 'base', value: base }, ...found]
}
