import { recall } from '../../src/engine/recall/recall.js'
import { saveResult } from '../result.js'
import { type Pair, readPairs, withPairStore } from './pairs.js'

/** Notes that replace an earlier note, and notes that only read alike: `npm run bench updates`. With `--fit` the coefficients are fitted first. */
if (process.argv.includes('--fit')) await import('./fit.js')

interface Outcome {
  readonly kind: Pair['kind']
  readonly newerFirst: boolean
  readonly olderMarked: boolean
  /** Marks of notes that no later note replaces. */
  readonly otherMarks: number
}

const { signal } = new AbortController()

const askStore = (pairs: readonly Pair[], effort: 'fast' | 'best'): Promise<readonly Outcome[]> =>
  withPairStore(pairs, async ({ env, idOf }) => {
    const replaced = new Set(pairs.filter(({ kind }) => kind === 'update').map((one) => idOf(one, 'older')))
    const outcomes: Outcome[] = []
    for (const one of pairs) {
      const { results } = await recall(env, { text: one.query, limit: 10, owner: 'default', effort, signal })
      const placeOf = (id: string): number => results.findIndex(({ fact }) => fact.id === id)
      const [older, newer] = [placeOf(idOf(one, 'older')), placeOf(idOf(one, 'newer'))]
      const marked = results.flatMap(({ fact, supersededBy }) => (supersededBy === null ? [] : [fact.id]))
      outcomes.push({
        ...{ kind: one.kind, newerFirst: newer >= 0 && (older < 0 || newer < older), olderMarked: marked.includes(idOf(one, 'older')) },
        otherMarks: marked.filter((id) => id !== idOf(one, 'older') && !replaced.has(id)).length,
      })
    }
    return outcomes
  })

const percent = (outcomes: readonly Outcome[], test: (outcome: Outcome) => boolean): number =>
  Math.round((1000 * outcomes.filter(test).length) / Math.max(1, outcomes.length)) / 10

const results: Record<string, unknown> = {}
for (const name of ['development', 'held-out'])
  for (const effort of ['best', 'fast'] as const) {
    const outcomes: Outcome[] = []
    for (const pairs of readPairs(name)) outcomes.push(...(await askStore(pairs, effort)))
    const of = (kind: Pair['kind']) => outcomes.filter((one) => one.kind === kind)
    const summary = {
      updates: of('update').length,
      newerFirst: percent(of('update'), ({ newerFirst }) => newerFirst),
      updatesMarked: percent(of('update'), ({ olderMarked }) => olderMarked),
      lookalikes: of('lookalike').length,
      lookalikesMarked: percent(of('lookalike'), ({ olderMarked }) => olderMarked),
      lookalikesNewerFirst: percent(of('lookalike'), ({ newerFirst }) => newerFirst),
      otherMarksPerQuery: Math.round((1000 * outcomes.reduce((sum, one) => sum + one.otherMarks, 0)) / outcomes.length) / 1000,
    }
    process.stdout.write(`${name}, ${effort}: ${JSON.stringify(summary)}\n`)
    results[`${name} ${effort}`] = summary
  }
saveResult('updates', results)
process.exit(0)
