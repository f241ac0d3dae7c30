import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SignalName, TraitName } from '../../src/core/recall/recipe/signal-names.js'
import { openEmbedder } from '../../src/models/open.js'
import { startVectorEndpoint } from '../quality/endpoint.js'
import { evaluationFolders, loadSets } from '../quality/sets.js'
import { openVectorCache } from '../quality/vectors.js'
import { root } from '../result.js'
import { type CollectedQuestion, collectSignals, featureNames } from './collect.js'
import { calibrationError, type FitQuestion, fitLogistic } from './logistic.js'

/** Fits the coefficients of assets/recall/memories.json: `npm run bench fit [set,set]`, after `npm run bench quality -- --in-process`. */
const ALL: readonly TraitName[] = ['always', 'notes', 'titled', 'code', 'long', 'longQuery', 'held']
const TRAITS_OF: Readonly<Partial<Record<SignalName | 'link', readonly TraitName[]>>> = {
  base: [...ALL, 'glossed'],
  height: ['always', 'notes', 'titled'],
  margin: ['always', 'notes', 'titled'],
  meaning: ALL,
  words: ALL,
  coverage: ['always', 'notes', 'glossed'],
  author: ['always'],
  subject: ['always'],
  judge: ['always', 'notes', 'titled', 'long', 'longQuery', 'held', 'glossed'],
  link: ['always', 'titled'],
}
/** More of these never speaks against a candidate. */
const MONOTONE: ReadonlySet<string> = new Set(['words', 'coverage', 'author', 'subject', 'judge', 'link'])
/** Where words mislead: these may take away from the rest. */
const MISLEADING: ReadonlySet<TraitName> = new Set<TraitName>(['long', 'titled', 'longQuery', 'code'])
const WITHOUT: Readonly<Record<string, readonly (SignalName | 'link')[]>> = {
  judged: [],
  fast: ['judge'],
  words: ['judge', 'meaning', 'height', 'margin'],
}
/** Sets of one store and many questions count less. */
const SET_WEIGHTS: Readonly<Record<string, number>> = { cosqa: 0.3, hotpotqa: 0.4, musique: 0.6, chat: 0.3 }
const FOLDS = 3
const QUESTIONS_PER_SET = 1000

function fitSet(questions: readonly CollectedQuestion[], without: readonly (SignalName | 'link')[]) {
  const features = featureNames(TRAITS_OF).filter(({ signal }) => !without.includes(signal))
  const counts = new Map<string, number>()
  for (const { set } of questions) counts.set(set, (counts.get(set) ?? 0) + 1)
  const prepared = questions.map(
    ({ set, store, traits, rows }): FitQuestion => ({
      store,
      weight: ((SET_WEIGHTS[set] ?? 1) * QUESTIONS_PER_SET) / (3 * (counts.get(set) ?? 1)),
      rows: rows.map(({ signals, wanted }) => ({ features: features.map(({ signal, trait }) => signals[signal] * traits[trait]), wanted })),
    }),
  )
  const monotone = features.map(({ signal, trait }) => MONOTONE.has(signal) && !(signal === 'words' && MISLEADING.has(trait)))
  const options = { ridge: 0.5, listwise: 1, best: 5, monotone, steps: 2000 }
  const stores = [...new Set(prepared.map(({ store }) => store))].sort()
  const foldOf = (store: string): number => stores.indexOf(store) % FOLDS
  const predictions = Array.from({ length: FOLDS }, (_, fold) => {
    const held = fitLogistic(
      prepared.filter(({ store }) => foldOf(store) !== fold),
      options,
    )
    const scored = prepared.filter(({ store }) => foldOf(store) === fold).flatMap(({ rows }) => rows)
    return scored.map(({ features: values, wanted }) => {
      const logOdds = values.reduce((sum, value, i) => sum + value * (held[i] ?? 0), 0)
      return { probability: 1 / (1 + Math.exp(-logOdds)), wanted }
    })
  }).flat()
  const coefficients: Record<string, Record<string, number>> = {}
  fitLogistic(prepared, options).forEach((value, i) => {
    const feature = features[i]
    if (feature !== undefined && Math.abs(value) > 5e-4)
      coefficients[feature.signal] = { ...coefficients[feature.signal], [feature.trait]: Math.round(value * 1000) / 1000 }
  })
  return { coefficients, calibrationError: calibrationError(predictions) }
}

const cacheFolder = join(root, '.cache')
const sets = loadSets(evaluationFolders(root), process.argv[2]?.split(',') ?? null).filter(
  ({ name }) => !name.startsWith('long-') && name !== 'scifact',
)
const cache = openVectorCache(cacheFolder, 'gte-small', 384, openEmbedder({ provider: 'local' }))
const endpoint = await startVectorEndpoint(cache)
const flags = { embedder: 'openai', embedUrl: endpoint.url, embedModel: 'gte-small', embedDimensions: '384', embedKey: 'unused' }
const questions: CollectedQuestion[] = []
for (const set of sets) {
  process.stderr.write(`${set.name}: ${set.questions.length} questions\n`)
  questions.push(...(await collectSignals(set, cacheFolder, flags)))
}
await endpoint.close()
const path = join(root, 'assets', 'recall', 'memories.json')
const recipe = JSON.parse(readFileSync(path, 'utf8'))
for (const [name, without] of Object.entries(WITHOUT)) {
  const result = fitSet(
    questions.filter(({ isJudged }) => name !== 'judged' || isJudged),
    without,
  )
  process.stdout.write(`${name}: calibration error of held-out stores ${result.calibrationError.toFixed(3)}\n`)
  // No development set has entities, and kinds are too rare to fit: their coefficients stay.
  const { relation, kinds } = recipe.coefficients[name]
  recipe.coefficients[name] = { ...result.coefficients, kinds, relation }
}
writeFileSync(path, `${JSON.stringify(recipe, null, 2)}\n`)
process.exit(0)
