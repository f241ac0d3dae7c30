import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UPDATE_SIGNALS, type UpdateSignal } from '../../src/core/recall/recipe/update-recipe.js'
import { rescaleCosine } from '../../src/core/recall/statements/stages.js'
import { compareNotes } from '../../src/core/recall/updates/revisions.js'
import { queryTerms } from '../../src/core/text/text.js'
import { recall } from '../../src/engine/recall/recall.js'
import { type FitQuestion, type FitRow, fitLogistic } from '../fit/logistic.js'
import { root } from '../result.js'
import { type Pair, readPairs, withPairStore } from './pairs.js'

/** Fits `updates` of assets/recall/memories.json on the development pairs: `npm run bench updates -- --fit`. */

/** Signals that never speak for an update; their coefficients are bounded at 0 from above. */
const AGAINST: ReadonlySet<UpdateSignal> = new Set<UpdateSignal>([
  ...(['addition', 'condition', 'relative', 'past', 'subjectGained', 'subjectLost', 'modifierGained', 'partOfSubject', 'lost'] as const),
  ...(['contrastName', 'contrastLabel', 'contrastCode', 'contrastSubject', 'askedOlder', 'askedNewer', 'askedByNeither'] as const),
])
/** Signals that never speak against one. */
const FOR: ReadonlySet<UpdateSignal> = new Set<UpdateSignal>([
  ...(['alike', 'nearest', 'change', 'dated', 'newerHeld', 'olderHeld', 'judgeNewer', 'subjectKnown'] as const),
])
/** Weight of the pair that a query asks about, relative to the other pairs among its results. */
const OWN_WEIGHT = 3
const OPTIONS = { ridge: 10, listwise: 0, best: 0, steps: 3000 }
const { signal } = new AbortController()

const collect = (pairs: readonly Pair[]): Promise<readonly FitQuestion[]> =>
  withPairStore(pairs, async ({ env, idOf }) => {
    const replaced = new Set(pairs.filter(({ kind }) => kind === 'update').map((one) => `${idOf(one, 'older')} ${idOf(one, 'newer')}`))
    const recipe = { ...env.settings.recipe, updates: { threshold: 1, coefficients: { base: -100 } } }
    const questions: FitQuestion[] = []
    for (const one of pairs) {
      const { results } = await recall(env, { text: one.query, limit: 15, owner: 'default', recipe, signal })
      const texts = await env.embedder.embed(
        results.map(({ fact }) => fact.text),
        { purpose: 'passage', signal },
      )
      const likeness = (i: number, j: number): number | null => {
        const [a, b] = [texts[i], texts[j]]
        if (a === undefined || b === undefined) return null
        return rescaleCosine(
          a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0),
          env.embedder.model.floor,
        )
      }
      const compared = compareNotes({ results, likeness, now: env.clock.now(), query: { text: one.query, terms: queryTerms(one.query) } })
      for (const { older, newer, signals } of compared) {
        const isOwn = older.id === idOf(one, 'older') && newer.id === idOf(one, 'newer')
        const row: FitRow = {
          features: UPDATE_SIGNALS.map((name) => (AGAINST.has(name) ? -signals[name] : signals[name])),
          wanted: replaced.has(`${older.id} ${newer.id}`),
        }
        questions.push({ store: String(one.store), weight: isOwn ? OWN_WEIGHT : 1, rows: [row] })
      }
    }
    return questions
  })

const questions: FitQuestion[] = []
// One at a time: each store has models of its own.
for (const pairs of readPairs('development')) questions.push(...(await collect(pairs)))
const monotone = UPDATE_SIGNALS.map((name) => AGAINST.has(name) || FOR.has(name))
const fitted = fitLogistic(questions, { ...OPTIONS, monotone })
const coefficients = Object.fromEntries(
  UPDATE_SIGNALS.map((name, i) => [name, Math.round(1000 * (AGAINST.has(name) ? -1 : 1) * (fitted[i] ?? 0)) / 1000]).filter(
    ([, value]) => value !== 0,
  ),
)
const path = join(root, 'assets', 'recall', 'memories.json')
const recipe = JSON.parse(readFileSync(path, 'utf8'))
recipe.updates = { ...recipe.updates, coefficients }
writeFileSync(path, `${JSON.stringify(recipe, null, 2)}\n`)
process.stdout.write(`${JSON.stringify(coefficients)}\n`)
