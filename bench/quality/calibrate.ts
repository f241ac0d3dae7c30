import { percentile } from './metrics.js'
import { fitRelevance, type RelevanceFit, type Shown } from './relevance-fit.js'
import { createStore, type ServerLaunch } from './run.js'
import { type Answer, type Hit, startServer } from './server.js'
import type { EvalSet } from './sets.js'

export interface Distribution {
  readonly questions: number
  readonly empty: number
  readonly p1: number
  readonly p5: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export interface CalibrationReport {
  readonly set: string
  readonly foreignPool: string
  readonly signal: string
  /** Asked where the evidence is stored. */
  readonly own: Distribution
  /** Asked where nothing relevant is stored. */
  readonly foreign: Distribution
}

export interface Calibration {
  readonly signals: readonly CalibrationReport[]
  /** What `relevanceOf` would be by the questions asked where their evidence is. */
  readonly relevance: RelevanceFit
}

function distribution(values: readonly (number | null)[]): Distribution {
  const present = values.filter((value) => value !== null)
  const at = (share: number) => percentile(present, share)
  return {
    questions: values.length,
    empty: values.length - present.length,
    p1: at(0.01),
    p5: at(0.05),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  }
}

const signals: Readonly<Record<string, (hits: readonly Hit[]) => number | null>> = {
  score: (hits) => hits[0]?.score ?? null,
  'best vector_score': (hits) => (hits.length === 0 ? null : Math.max(...hits.map((hit) => hit.vector_score ?? 0))),
  'best bm25_score': (hits) => (hits.length === 0 ? null : Math.max(...hits.map((hit) => hit.bm25_score ?? 0))),
}

/**
 * Asks every question twice: where its evidence is, and in the memories of another set, where an honest answer is
 * empty. The gap between the two distributions is what a floor for "nothing relevant" has to work with.
 */
export async function calibrate(
  sets: readonly EvalSet[],
  launch: ServerLaunch,
  perSet: number,
  progress: (text: string) => void,
): Promise<Calibration> {
  const store = createStore()
  const server = await startServer({
    command: [process.execPath, launch.entry, 'mcp', '--data-dir', store.folder, ...launch.embedder],
    recipe: null,
  })
  const reports: CalibrationReport[] = []
  const ids = new Map<string, string>()
  const shown: Shown[] = []
  try {
    for (const set of sets) {
      progress(`${set.name}: storing`)
      for (const memory of set.memories) ids.set(await server.store(memory), memory.id)
    }
    await server.settle()
    for (const [at, set] of sets.entries()) {
      const foreignPool = sets[(at + 1) % sets.length]?.memories[0]?.pool ?? ''
      const own: Hit[][] = []
      const foreign: Hit[][] = []
      const step = Math.max(1, Math.floor(set.questions.length / perSet))
      for (const question of set.questions.filter((_, index) => index % step === 0)) {
        const answer = await server.ask('recall', question.query, question.pool, 10)
        own.push([...answer.hits])
        shown.push(...shownOf(answer, question.gold, ids))
        foreign.push([...(await server.ask('recall', question.query, foreignPool, 10)).hits])
      }
      for (const [signal, read] of Object.entries(signals)) {
        reports.push({ set: set.name, foreignPool, signal, own: distribution(own.map(read)), foreign: distribution(foreign.map(read)) })
      }
    }
  } finally {
    await server.close()
    store.remove()
  }
  return { signals: reports, relevance: fitRelevance(shown) }
}

function shownOf({ hits, confidence }: Answer, gold: readonly string[], ids: ReadonlyMap<string, string>): readonly Shown[] {
  const best = Math.max(1e-9, ...hits.map((hit) => hit.score))
  return hits.map((hit) => ({ confidence: confidence ?? 0, score: hit.score / best, wanted: gold.includes(ids.get(hit.id) ?? '') }))
}

export function printCalibration({ signals: reports, relevance }: Calibration, print: (line: string) => void): void {
  const show = (value: Distribution) =>
    `${[value.p1, value.p5, value.p50, value.p95, value.p99].map((figure) => figure.toFixed(3)).join(' ')}, ${value.empty} of ${value.questions} empty`
  print('\ntop result per question: p1 p5 p50 p95 p99')
  for (const report of reports) {
    print(`${report.set} ${report.signal}`)
    print(`  evidence stored:  ${show(report.own)}`)
    print(`  nothing relevant: ${show(report.foreign)} (asked in ${report.foreignPool})`)
  }
  const { confidence, score, base, results } = relevance
  print(`relevance over ${results} results: ${confidence} log-odds of the confidence, ${score} score, ${base}`)
}
