import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { type AnswerMeasures, type Cut, measureAnswers, measureCuts } from './answers.js'
import { byCategory, type Comparison, compare, type MetricName, type Metrics, type Outcome, percentile, summarise } from './metrics.js'

export interface RunReport {
  readonly set: string
  readonly run: string
  readonly questions: number
  readonly metrics: Metrics
  readonly answers: AnswerMeasures
  readonly cuts: readonly Cut[]
  readonly categories: Readonly<Record<string, Metrics & { questions: number; answers: AnswerMeasures }>>
  readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number }
  readonly store: { readonly memories: number; readonly p50: number; readonly p95: number } | null
}

export interface ComparisonReport extends Comparison {
  readonly set: string
  readonly metric: MetricName
  readonly before: string
  readonly after: string
}

/** The figure by which a set is usually compared; the others are reported too. */
export function headlineMetric(set: string): MetricName {
  if (/musique|hotpotqa|2wiki/.test(set)) return 'recall@5'
  if (set === 'notes') return 'top1'
  if (set === 'chat') return 'any@10'
  return set.startsWith('scifact') ? 'nDCG@10' : 'recall@10'
}

export function reportRun(set: string, run: string, outcomes: readonly Outcome[], storeTimes: readonly number[]): RunReport {
  const headline = outcomes.filter((outcome) => outcome.question.headline)
  const times = outcomes.map((outcome) => outcome.milliseconds)
  const categories = Object.fromEntries(
    [...byCategory(outcomes)].map(([category, group]) => [
      category,
      { questions: group.length, ...summarise(group), answers: measureAnswers(group) },
    ]),
  )
  return {
    set,
    run,
    questions: headline.length,
    metrics: summarise(headline),
    answers: measureAnswers(headline),
    cuts: measureCuts(headline),
    categories,
    latency: { p50: percentile(times, 0.5), p95: percentile(times, 0.95), p99: percentile(times, 0.99) },
    store:
      storeTimes.length === 0 ? null : { memories: storeTimes.length, p50: percentile(storeTimes, 0.5), p95: percentile(storeTimes, 0.95) },
  }
}

export function compareRuns(
  set: string,
  before: { readonly name: string; readonly outcomes: readonly Outcome[] },
  after: { readonly name: string; readonly outcomes: readonly Outcome[] },
): ComparisonReport[] {
  const asked = (outcomes: readonly Outcome[]) => outcomes.filter((outcome) => outcome.question.headline)
  const metrics = new Set<MetricName>(['recall@5', 'recall@10', headlineMetric(set)])
  return [...metrics].map((metric) => ({
    set,
    metric,
    before: before.name,
    after: after.name,
    ...compare(asked(before.outcomes), asked(after.outcomes), metric),
  }))
}

const columns: readonly MetricName[] = ['top1', 'recall@2', 'recall@5', 'recall@10', 'recall@20', 'any@10', 'all@5', 'MRR']

function answersOf({ empty, results, tokens, newerFirst, unlikely, incomplete }: AnswerMeasures): string {
  const rest = [
    newerFirst === null ? '' : `, newer first ${newerFirst}`,
    unlikely === null ? '' : `, probably not stored ${unlikely}`,
    incomplete === 0 ? '' : `, ${incomplete} WITHOUT A MODEL'S PART`,
  ]
  return `empty ${empty}, ${results} results, ${tokens} tokens${rest.join('')}`
}

function row(name: string, questions: number, metrics: Metrics, tail: string): string {
  const figures = columns.map((metric) => metrics[metric].toFixed(1).padStart(9)).join('')
  return `${name.padEnd(26)}${String(questions).padStart(5)}${figures}  ${tail}`
}

export function printRuns(reports: readonly RunReport[], print: (line: string) => void, withCategories: boolean): void {
  const [first] = reports
  if (!first) return
  print('')
  print(`${first.set.padEnd(26)}${'n'.padStart(5)}${columns.map((metric) => metric.padStart(9)).join('')}  p50 / p95 ms`)
  for (const report of reports) {
    print(
      row(
        report.run,
        report.questions,
        report.metrics,
        `${report.latency.p50.toFixed(1)} / ${report.latency.p95.toFixed(1)}; ${answersOf(report.answers)}`,
      ),
    )
    if (report.cuts.some((cut) => cut.results !== report.cuts[0]?.results))
      for (const cut of report.cuts)
        print(`  min_relevance ${cut.from}: recall@10 ${cut.recall}, ${cut.results} results, ${cut.tokens} tokens`)
    if (!withCategories) continue
    for (const [category, metrics] of Object.entries(report.categories))
      print(row(`  ${category}`, metrics.questions, metrics, answersOf(metrics.answers)))
  }
  let shown = ''
  for (const { run, store } of reports) {
    const figures = store === null ? '' : `${store.memories} memories, ${store.p50.toFixed(1)} ms p50, ${store.p95.toFixed(1)} ms p95 each`
    // The modes of one server share one storing.
    if (figures !== '' && figures !== shown) print(`stored for ${run}: ${figures}`)
    shown = figures
  }
}

export function printComparisons(comparisons: readonly ComparisonReport[], print: (line: string) => void): void {
  for (const item of comparisons) {
    const sign = item.difference >= 0 ? '+' : ''
    const interval = `${sign}${item.difference.toFixed(1)} (95 % ${item.low.toFixed(1)} to ${item.high.toFixed(1)})`
    print(`  ${item.set} ${item.metric}: ${item.after} against ${item.before}: ${interval}, n ${item.questions}: ${item.verdict}`)
  }
}

function commitOf(root: string): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

export function describeMachine(root: string) {
  const processors = cpus()
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    commit: commitOf(root),
  }
}
