import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Tokenizer } from '@huggingface/tokenizers'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { analyseQuery } from '../../src/engine/recall/analyse-query.js'
import { longTexts } from '../../src/engine/recall/excerpts.js'
import { rankFirstStage } from '../../src/engine/recall/first-stage.js'
import { createRerankStage } from '../../src/engine/recall/rerank-stage.js'
import { retrieve } from '../../src/engine/recall/retrieval.js'
import { withView } from '../../src/engine/with-view.js'
import { openLocalReranker } from '../../src/models/local-reranker.js'
import { openEmbedder } from '../../src/models/open.js'
import { toPair } from '../../src/models/pair-tokens.js'
import { openParts } from '../../src/open.js'
import type { PairText, Reranker } from '../../src/ports/reranker.js'
import { startVectorEndpoint } from '../quality/endpoint.js'
import { type EvalSet, evaluationFolders, loadSets } from '../quality/sets.js'
import { openVectorCache } from '../quality/vectors.js'
import { root } from '../result.js'

/**
 * Writes what the judge reads for each question of some sets, for `bench/judge/train.py`: `npm run bench judge -- --set a,b --out file`,
 * after `npm run bench quality -- --in-process --set a,b`.
 */
const { values } = parseArgs({ options: { set: { type: 'string' }, out: { type: 'string' } } })
const out = values.out ?? join(root, '.cache', 'judge', 'pairs.jsonl')
const READ = 30
const listing = z.object({ ids: z.array(z.tuple([z.string(), z.array(z.string())])) })

const cacheFolder = join(root, '.cache')
const modelFolder = join(root, 'dist', 'models', 'gte-small')
const readJson = (name: string) => JSON.parse(readFileSync(join(modelFolder, name), 'utf8'))
const tokenizer = new Tokenizer(readJson('tokenizer.json'), readJson('tokenizer_config.json'))
const tokensOf = (text: string): readonly number[] => tokenizer.encode(text, { add_special_tokens: false }).ids

/** The shipped judge, and the pairs that it was last asked for. */
const judge = openLocalReranker()
let asked: { readonly question: string; readonly pairs: readonly PairText[] } = { question: '', pairs: [] }
const recording: Reranker = {
  ...judge,
  scorePairs(question, pairs, options) {
    asked = { question, pairs }
    return judge.scorePairs(question, pairs, options)
  },
}
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const stage = createRerankStage({ reranker: recording, log, candidates: READ, withinMs: 600_000 })

async function collect(set: EvalSet, flags: Readonly<Record<string, string>>): Promise<void> {
  const key = createHash('sha256').update(JSON.stringify(set.memories)).digest('hex').slice(0, 12)
  const dataDir = join(cacheFolder, 'quality', 'stores', `${set.name}-${key}`)
  const ids = new Map(listing.parse(JSON.parse(readFileSync(join(dataDir, 'listing.json'), 'utf8'))).ids)
  const { environment: env } = await openParts(loadConfig({ flags: { ...flags, dataDir }, env: {} }).config)
  const { signal } = new AbortController()
  for (const { id, query, pool, gold, category } of set.questions) {
    const analysed = await analyseQuery(env, query, signal)
    const rows = await withView(env, pool, async (view) => {
      const retrieval = await retrieve(env, view, { text: query, owner: pool, limit: 10, asOf: undefined, signal }, analysed)
      const { ranked } = await rankFirstStage(retrieval)
      const { languages, terms, read } = retrieval
      // One place of each text, so that there is one pair per candidate.
      const excerpts = (best: typeof ranked) => longTexts(retrieval, best, 1)
      const whole = { limit: READ, gain: 0, order: () => ranked }
      const { scores } = await stage.rerankTop(read, { ranked, ...whole, terms, languages, links: view.links, excerpts }, signal)
      const question = tokensOf(asked.question)
      const known = new Map(ranked.map(({ header }) => [header.rid, ids.get(header.id) ?? []]))
      return [...scores].map(([rid, raw], i) => {
        const { memory = '', before = null, after = null } = asked.pairs[i] ?? {}
        const around = { before: before === null ? null : tokensOf(before), after: after === null ? null : tokensOf(after) }
        const answers = (known.get(rid) ?? []).some((name) => gold.includes(name))
        return { ...toPair({ question, memory: tokensOf(memory), ...around }), raw, answers }
      })
    })
    if (rows.length > 0)
      appendFileSync(out, `${JSON.stringify({ set: set.name, pool, id, category, answerable: gold.length > 0, rows })}\n`)
  }
  await env.rerankStage.close()
}

mkdirSync(join(out, '..'), { recursive: true })
writeFileSync(out, '')
const cache = openVectorCache(cacheFolder, 'gte-small', 384, openEmbedder({ provider: 'local' }))
const endpoint = await startVectorEndpoint(cache)
const flags = { embedder: 'openai', embedUrl: endpoint.url, embedModel: 'gte-small', embedDimensions: '384', embedKey: 'unused' }
for (const set of loadSets(evaluationFolders(root), values.set?.split(',') ?? null)) {
  await collect(set, flags)
  process.stderr.write(`${set.name}: ${set.questions.length} questions\n`)
}
await endpoint.close()
await judge.close()
process.exit(0)
