import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { SIGNALS, type SignalName, TRAITS, type TraitName } from '../../src/core/recall/recipe/signal-names.js'
import { computeSignals, computeTraits } from '../../src/core/recall/signals/signals.js'
import { analyseQuery } from '../../src/engine/recall/analyse-query.js'
import { longTexts } from '../../src/engine/recall/excerpts.js'
import { rankFirstStage } from '../../src/engine/recall/first-stage.js'
import { retrieve } from '../../src/engine/recall/retrieval.js'
import { withView } from '../../src/engine/with-view.js'
import { openParts } from '../../src/open.js'
import type { EvalQuestion, EvalSet } from '../quality/sets.js'

/** Candidates of the first stage that the fit reads: those that the judge reads. */
const FITTED = 30

export interface CollectedQuestion {
  readonly set: string
  readonly store: string
  readonly isJudged: boolean
  readonly traits: Readonly<Record<TraitName, number>>
  readonly rows: readonly { readonly signals: Readonly<Record<SignalName | 'link', number>>; readonly wanted: boolean }[]
}

const listing = z.object({ ids: z.array(z.tuple([z.string(), z.array(z.string())])), sessions: z.array(z.tuple([z.number(), z.number()])) })

/** Signals of the candidates of every question of a set, over the store that `bench quality --in-process` has filled. */
export async function collectSignals(
  set: EvalSet,
  cacheFolder: string,
  flags: Readonly<Record<string, string>>,
): Promise<CollectedQuestion[]> {
  const key = createHash('sha256').update(JSON.stringify(set.memories)).digest('hex').slice(0, 12)
  const dataDir = join(cacheFolder, 'quality', 'stores', `${set.name}-${key}`)
  const kept = listing.parse(JSON.parse(readFileSync(join(dataDir, 'listing.json'), 'utf8')))
  const ids = new Map(kept.ids)
  const { environment: env } = await openParts(loadConfig({ flags: { ...flags, dataDir }, env: {} }).config)
  const { signal } = new AbortController()
  const collect = async ({ query, pool, before, gold }: EvalQuestion): Promise<CollectedQuestion> => {
    const asOf =
      before === Number.POSITIVE_INFINITY ? undefined : Math.max(0, ...kept.sessions.filter(([no]) => no < before).map(([, at]) => at))
    const analysed = await analyseQuery(env, query, signal)
    return withView(env, pool, async (view) => {
      const retrieval = await retrieve(env, view, { text: query, owner: pool, limit: 10, asOf, signal }, analysed)
      const { input, ranked } = await rankFirstStage(retrieval)
      const { languages, terms, read } = retrieval
      const excerpts = (best: typeof ranked, most: number) => longTexts(retrieval, best, most)
      // Every candidate is read.
      const whole = { limit: FITTED, gain: 0, order: () => ranked }
      const { scores } = await env.rerankStage.rerankTop(read, { ranked, ...whole, terms, languages, links: view.links, excerpts }, signal)
      const candidates = ranked.slice(0, FITTED)
      const traits = computeTraits(input.candidates, input.query)
      const signals = computeSignals(candidates, input.query, traits, scores)
      const rows = candidates.flatMap(({ header }, i) => {
        const own = signals[i]
        if (own === undefined) return []
        const link = input.links.get(header.rid)?.strength ?? 0
        return [{ signals: { ...own, link }, wanted: (ids.get(header.id) ?? []).some((id) => gold.includes(id)) }]
      })
      return { set: set.name, store: `${set.name}/${pool}`, isJudged: scores.size > 0, traits, rows }
    })
  }
  const collected: CollectedQuestion[] = []
  // A false premise has evidence and no answer: such questions teach nothing about either.
  for (const question of set.questions.filter(({ category }) => category !== 'adversarial')) collected.push(await collect(question))
  await env.rerankStage.close()
  return collected
}

/** The features of a fit: a signal times a trait. */
export const featureNames = (traitsOf: Readonly<Partial<Record<SignalName | 'link', readonly TraitName[]>>>) =>
  ([...SIGNALS, 'link'] as const).flatMap((signal) =>
    TRAITS.filter((trait) => traitsOf[signal]?.includes(trait) === true).map((trait) => ({ signal, trait })),
  )
