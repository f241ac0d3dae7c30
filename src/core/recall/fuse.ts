import type { Instant } from '../facts/fact.js'
import { computeIdf, SATURATION } from './bm25.js'
import type { Candidate, ScoredCandidate } from './candidate.js'
import { attenuateContext, shortness } from './fields.js'
import type { Recipe } from './recipe.js'

export interface FusionInput {
  readonly at: Instant
  /** Cosine of unrelated texts for the model in use: the zero of the vector side. */
  readonly cosineFloor: number
  /** The one author the question names, if it names exactly one. */
  readonly author: string | null
  /** Subjects the question names, in normal form. */
  readonly subjects: ReadonlySet<string>
  /** How many terms the question has. */
  readonly terms: number
  /** Share of its terms that hold a digit: numbers, versions, codes. */
  readonly exact: number
  /** How many facts it is put to. */
  readonly documents: number
  /** How much of the question the best match in words holds, 0 to 1. */
  readonly strength: number
}

const DAY = 86_400e6
const NO_BOOSTS: ScoredCandidate['boosts'] = []

/** Both sides on one scale from 0 to 1, weighted, with what the question says about author and subject. */
export function fuse(candidates: readonly Candidate[], question: FusionInput, recipe: Recipe): ScoredCandidate[] {
  let bestCosine = question.cosineFloor + 1e-9
  let bestBm25 = 1e-9
  for (const { cosine, bm25 } of candidates) {
    if (cosine !== null && cosine > bestCosine) bestCosine = cosine
    if (bm25 > bestBm25) bestBm25 = bm25
  }
  const alone = candidates.filter(({ sketch }) => sketch.session === null).length / Math.max(1, candidates.length)
  const trust = createLexicalTrust(alone, question, recipe)
  const long = longShare(candidates)
  const prose = recipe.denseWeight + long * (recipe.longDenseWeight - recipe.denseWeight) - recipe.exactness * question.exact
  const code = candidates.filter(({ sketch }) => sketch.isCode).length / Math.max(1, candidates.length)
  const codeDense = prose + code * (recipe.codeDenseWeight - prose)
  const brief = computeShortQueryWeight(question.terms)
  const fullNear = (SATURATION + 1) * Math.min(recipe.evidence, FULL_NEAR * computeIdf(1, Math.max(1, question.documents)))
  const scored = candidates.map(({ sketch, cosine, bm25, matches, near, length }): ScoredCandidate => {
    const trusted = trust(matches)
    const lexical = (bm25 / bestBm25) * (sketch.isCode ? trusted + code * (1 - trusted) : trusted)
    let boosts = NO_BOOSTS
    // Code goes by meaning among code. A few snippets among notes are measured as these are, or they would stand above all.
    const dense = sketch.isCode ? codeDense : prose
    // Without a vector yet, the words alone have to carry it: scaled so that a fresh fact is not buried.
    const vector = cosine === null ? 0 : Math.max(0, (cosine - question.cosineFloor) / (bestCosine - question.cosineFloor))
    let score = cosine === null ? lexical * Math.max(1 - dense, 0.5) : dense * vector + (1 - dense) * lexical
    const kindred = sketch.isCode || sketch.subject !== null ? 0 : brief * attenuateContext(length) * Math.min(1, near / fullNear)
    if (kindred > 0) {
      score += recipe.nearWords * kindred
      boosts = [...boosts, 'near words']
    }
    if (recipe.authorBoost > 0 && question.author !== null && sketch.author === question.author) {
      score += recipe.authorBoost
      boosts = [...boosts, 'author']
    }
    if (recipe.subjectBoost > 0 && sketch.subject !== null && question.subjects.has(sketch.subject)) {
      score += recipe.subjectBoost
      boosts = [...boosts, 'subject']
    }
    if (recipe.recency > 0) {
      score += recipe.recency * 0.5 ** (Math.max(0, question.at - sketch.recordedAt) / DAY / recipe.recencyHalfLifeDays)
      boosts = [...boosts, 'recency']
    }
    return { sketch, cosine, bm25, matches, near, length, score, vector, lexical, graph: 0, via: null, boosts }
  })
  return scaled(scored)
}

/** A match that holds so much of the question counts in full among turns of a conversation. */
const ENOUGH_AMONG_TURNS = 0.5

/**
 * The best match in words may be an accident: it counts by how much of the question it holds, and one word out of several
 * hardly. Turns of a conversation share their words with their neighbours and are short of words of their own, so there half
 * of the question is enough and one word as good as any; between them it goes by how many candidates stand for themselves.
 * In code words have a small share in any case.
 */
function createLexicalTrust(alone: number, question: FusionInput, recipe: Recipe): (matches: number) => number {
  const strength = alone * question.strength + (1 - alone) * Math.min(1, question.strength / ENOUGH_AMONG_TURNS)
  const single = 1 - alone * (1 - recipe.singleWord)
  return (matches) => strength * (matches < Math.min(2, question.terms) ? single : 1)
}

/** So many near words that nobody else holds say all that near words can: in a small store none is as rare as in a large one. */
const FULL_NEAR = 3

/** Questions of up to so many terms ask for one thing; from the other on they name kinds of things by the way. */
const SHORT_QUERY_TERMS = { fullTo: 6, noneFrom: 12 } as const

/**
 * What members of a kind tell that the question names. Long texts name much that they are not about, what has a subject is
 * looked for by its name, and so is code.
 */
export const computeShortQueryWeight = (terms: number): number =>
  Math.max(0, Math.min(1, (SHORT_QUERY_TERMS.noneFrom - terms) / (SHORT_QUERY_TERMS.noneFrom - SHORT_QUERY_TERMS.fullTo)))

/** From 0 where all are as short as turns of a conversation to 1 where all are long. */
export const longShare = (candidates: readonly Pick<Candidate, 'length'>[]): number =>
  candidates.reduce((sum, { length }) => sum + 1 - shortness(length), 0) / Math.max(1, candidates.length)

/** The best becomes 1. */
function scaled(scored: ScoredCandidate[]): ScoredCandidate[] {
  const best = scored.reduce((max, one) => Math.max(max, one.score), 0)
  if (best > 0) for (const one of scored) one.score /= best
  return scored
}

export const byScore = (a: ScoredCandidate, b: ScoredCandidate): number =>
  b.score - a.score || b.sketch.recordedAt - a.sketch.recordedAt || a.sketch.rid - b.sketch.rid
