import type { EvalQuestion } from './sets.js'

export interface Outcome {
  readonly question: EvalQuestion
  readonly ranked: readonly string[]
  readonly milliseconds: number
  /** Characters of each of the first ten results. */
  readonly lengths: readonly number[]
  /** What the answer says about itself, where it says it. */
  readonly confidence: number | null
  readonly relevances: readonly number[]
  /** It came without its vector or without the reranker, however often it was asked: its figures are not those of the program. */
  readonly incomplete: boolean
}

export const metricNames = ['top1', 'recall@2', 'recall@5', 'recall@10', 'recall@20', 'any@10', 'all@5', 'MRR', 'nDCG@10'] as const
export type MetricName = (typeof metricNames)[number]
export type Metrics = Readonly<Record<MetricName, number>>

function recallAt(outcome: Outcome, k: number): number {
  const top = new Set(outcome.ranked.slice(0, k))
  const { gold } = outcome.question
  return gold.length === 0 ? 0 : gold.filter((id) => top.has(id)).length / gold.length
}

function reciprocalRank(outcome: Outcome): number {
  const index = outcome.ranked.findIndex((id) => outcome.question.gold.includes(id))
  return index < 0 ? 0 : 1 / (index + 1)
}

function gainAt10(outcome: Outcome): number {
  const gold = new Set(outcome.question.gold)
  const gain = outcome.ranked.slice(0, 10).reduce((sum, id, index) => sum + (gold.has(id) ? 1 / Math.log2(index + 2) : 0), 0)
  let ideal = 0
  for (let index = 0; index < Math.min(10, gold.size); index += 1) ideal += 1 / Math.log2(index + 2)
  return ideal === 0 ? 0 : gain / ideal
}

export function measure(outcome: Outcome, metric: MetricName): number {
  switch (metric) {
    case 'top1':
      return recallAt(outcome, 1) > 0 ? 1 : 0
    case 'recall@2':
      return recallAt(outcome, 2)
    case 'recall@5':
      return recallAt(outcome, 5)
    case 'recall@10':
      return recallAt(outcome, 10)
    case 'recall@20':
      return recallAt(outcome, 20)
    case 'any@10':
      return recallAt(outcome, 10) > 0 ? 1 : 0
    case 'all@5':
      return recallAt(outcome, 5) === 1 ? 1 : 0
    case 'MRR':
      return reciprocalRank(outcome)
    case 'nDCG@10':
      return gainAt10(outcome)
  }
}

/** In per cent, one decimal, averaged over the questions. */
export function summarise(outcomes: readonly Outcome[]): Metrics {
  const mean = (metric: MetricName) => {
    if (outcomes.length === 0) return 0
    const total = outcomes.reduce((sum, outcome) => sum + measure(outcome, metric), 0)
    return Math.round((total / outcomes.length) * 1000) / 10
  }
  return {
    top1: mean('top1'),
    'recall@2': mean('recall@2'),
    'recall@5': mean('recall@5'),
    'recall@10': mean('recall@10'),
    'recall@20': mean('recall@20'),
    'any@10': mean('any@10'),
    'all@5': mean('all@5'),
    MRR: mean('MRR'),
    'nDCG@10': mean('nDCG@10'),
  }
}

export function byCategory(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  const groups = new Map<string, Outcome[]>()
  for (const outcome of outcomes) {
    const group = groups.get(outcome.question.category)
    if (group) group.push(outcome)
    else groups.set(outcome.question.category, [outcome])
  }
  return groups
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const index = Math.min(sorted.length - 1, Math.floor(share * sorted.length))
  return Math.round((sorted[index] ?? 0) * 1000) / 1000
}

export interface Comparison {
  /** Mean of after minus before, in points. */
  readonly difference: number
  readonly low: number
  readonly high: number
  readonly standardError: number
  readonly questions: number
  readonly verdict: 'better' | 'worse' | 'no difference shown'
}

/** A small seeded generator (mulberry32): the interval of two given runs is always the same. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Paired bootstrap over questions that both runs answered: 95 % interval of the mean difference. */
export function compare(before: readonly Outcome[], after: readonly Outcome[], metric: MetricName, resamples = 2000): Comparison {
  const earlier = new Map(before.map((outcome) => [outcome.question.id, outcome]))
  const differences: number[] = []
  for (const outcome of after) {
    const other = earlier.get(outcome.question.id)
    if (other) differences.push(100 * (measure(outcome, metric) - measure(other, metric)))
  }
  const n = differences.length
  if (n === 0) return { difference: 0, low: 0, high: 0, standardError: 0, questions: 0, verdict: 'no difference shown' }
  const mean = differences.reduce((sum, value) => sum + value, 0) / n
  const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, n - 1)
  const random = seededRandom(n)
  const means: number[] = []
  for (let round = 0; round < resamples; round += 1) {
    let total = 0
    for (let draw = 0; draw < n; draw += 1) total += differences[Math.floor(random() * n)] ?? 0
    means.push(total / n)
  }
  const low = percentile(means, 0.025)
  const high = percentile(means, 0.975)
  const round = (value: number) => Math.round(value * 10) / 10
  return {
    difference: round(mean),
    low: round(low),
    high: round(high),
    standardError: round(Math.sqrt(variance / n)),
    questions: n,
    verdict: low > 0 ? 'better' : high < 0 ? 'worse' : 'no difference shown',
  }
}
