import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { RERANK } from '../../src/core/recall/rerank/rerank.js'
import type { Environment, RerankStage } from '../../src/engine/environment.js'
import { recall } from '../../src/engine/recall/recall.js'
import { createRerankStage } from '../../src/engine/recall/rerank-stage.js'
import { openLocalReranker } from '../../src/models/local-reranker.js'
import { openEmbedder } from '../../src/models/open.js'
import { openParts } from '../../src/open.js'
import type { Reranker } from '../../src/ports/reranker.js'
import { startVectorEndpoint } from '../quality/endpoint.js'
import { type EvalSet, evaluationFolders, loadSets } from '../quality/sets.js'
import { openVectorCache } from '../quality/vectors.js'
import { root, saveResult } from '../result.js'

// npm run bench second-stage -- [--set a,b], after `npm run bench quality -- --in-process`
// How often the reranker gives the results of reading every candidate, and how many pairs it reads for that.
const { values } = parseArgs({ args: process.argv.slice(2), options: { set: { type: 'string' }, out: { type: 'string' } } })
const LIMITS = [5, 10]
const listing = z.object({ ids: z.array(z.tuple([z.string(), z.array(z.string())])), sessions: z.array(z.tuple([z.number(), z.number()])) })
const cacheFolder = join(root, '.cache')
const cache = openVectorCache(cacheFolder, 'gte-small', 384, openEmbedder({ provider: 'local' }))
const endpoint = await startVectorEndpoint(cache)
const model = openLocalReranker({ cacheSize: 200_000 })
let read = 0
const counted: Reranker = {
  ...model,
  scorePairs(question, pairs, options) {
    read += pairs.length
    return model.scorePairs(question, pairs, options)
  },
}

interface Outcome {
  readonly ids: readonly string[]
  readonly pairs: number
}

async function compare(set: EvalSet) {
  const key = createHash('sha256').update(JSON.stringify(set.memories)).digest('hex').slice(0, 12)
  const dataDir = join(cacheFolder, 'quality', 'stores', `${set.name}-${key}`)
  if (!existsSync(join(dataDir, 'listing.json'))) return null
  const { ids, sessions } = listing.parse(JSON.parse(readFileSync(join(dataDir, 'listing.json'), 'utf8')))
  const names = new Map(ids)
  const flags = { embedder: 'openai', embedUrl: endpoint.url, embedKey: 'unused', embedModel: 'gte-small', embedDimensions: '384', dataDir }
  const { environment } = await openParts(loadConfig({ flags, env: {} }).config)
  const stage = createRerankStage({ reranker: counted, log: environment.log, candidates: RERANK.candidates, withinMs: 600_000 })
  // Without a gain no candidate is ruled out.
  const whole: RerankStage = { ...stage, rerankTop: (query, input, signal) => stage.rerankTop(query, { ...input, gain: 0 }, signal) }
  const environments = { staged: { ...environment, rerankStage: stage }, whole: { ...environment, rerankStage: whole } }
  const { signal } = new AbortController()
  const ask = async (env: Environment, question: EvalSet['questions'][number], limit: number): Promise<Outcome | null> => {
    const { query: text, pool: owner, before } = question
    const asOf =
      before === Number.POSITIVE_INFINITY ? undefined : Math.max(0, ...sessions.filter(([no]) => no < before).map(([, at]) => at))
    read = 0
    const { results, rerank } = await recall(env, { text, owner, limit, asOf, signal })
    return rerank.state === 'used' ? { ids: results.map(({ fact }) => fact.id), pairs: read } : null
  }
  const share = (part: number, of: number): number => Math.round((10_000 * part) / Math.max(1, of)) / 100
  const results: Record<string, object> = {}
  for (const limit of LIMITS) {
    let [questions, same, sameFirst, pairs, all, found, foundAll, wanted] = [0, 0, 0, 0, 0, 0, 0, 0]
    for (const question of set.questions) {
      const staged = await ask(environments.staged, question, limit)
      const complete = await ask(environments.whole, question, limit)
      if (staged === null || complete === null) continue
      questions++
      if (JSON.stringify(staged.ids) === JSON.stringify(complete.ids)) same++
      if (staged.ids[0] === complete.ids[0]) sameFirst++
      pairs += staged.pairs
      all += complete.pairs
      const hits = ({ ids: ranked }: Outcome): number =>
        question.gold.filter((id) => ranked.some((name) => names.get(name)?.includes(id))).length
      found += hits(staged)
      foundAll += hits(complete)
      wanted += question.gold.length
    }
    results[`first ${limit}`] = {
      questions,
      ...{ samePercent: share(same, questions), sameFirstPercent: share(sameFirst, questions), pairsReadPercent: share(pairs, all) },
      ...{ evidencePercent: share(found, wanted), evidencePercentOfAll: share(foundAll, wanted) },
    }
  }
  return { set: set.name, ...results }
}

const results: object[] = []
for (const set of loadSets(evaluationFolders(root), values.set?.split(',') ?? null)) {
  const compared = await compare(set)
  if (compared === null) continue
  process.stderr.write(`${JSON.stringify(compared)}\n`)
  results.push(compared)
}
await Promise.all([model.close(), endpoint.close?.()])
process.stdout.write(`${JSON.stringify(saveResult('second-stage', results, values.out).results, null, 1)}\n`)
process.exit(0)
