import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toProbability } from '../../src/core/recall/rank.js'
import { CONTRACT_WEIGHTS, type Recipe } from '../../src/core/recall/recipe/recipe.js'
import { computeAnswerLogOdds } from '../../src/core/recall/results/merge.js'
import type { Engine } from '../../src/engine/engine.js'
import type { Environment } from '../../src/engine/environment.js'
import { recall } from '../../src/engine/recall/recall.js'
import { recallWithCode } from '../../src/engine/recall/recall-with-code.js'
import { TUNED } from '../scored-candidate.js'
import { call, makeProject, openParted, paths, removeTemporaryFolders, temporaryFolder } from './workbench.js'

const results = z.object({
  results: z.array(
    z.looseObject({
      id: z.string(),
      score: z.number(),
      file_path: z.string().optional(),
      name: z.string().optional(),
      source: z.string().optional(),
    }),
  ),
})
const related = z.object({
  entities: z.array(z.looseObject({ name: z.string() })),
  relations: z.array(z.looseObject({ relation_type: z.string(), properties: z.unknown() })),
})

let engine: Engine
let environment: Environment
beforeAll(async () => {
  ;({ engine, environment } = await openParted(temporaryFolder('data')))
  const shop = makeProject('shop', {
    'src/basket.ts': `import { priceOf } from './prices.js'\n\n/** Adds up what lies in the basket. */\nexport function basketTotal(items: string[]): number {\n  let total = 0\n  for (const item of items) total += priceOf(item)\n  return total\n}\n`,
    'src/prices.ts':
      'const table = new Map<string, number>()\n\nexport function priceOf(key: string): number {\n  return table.get(key) ?? 0\n}\n',
    'src/mail.ts': 'export class Mailer extends Transport {\n  send(address: string) {\n    return this.connect(address)\n  }\n}\n',
    'src/transport.ts': 'export class Transport {\n  connect(address: string) {\n    return address\n  }\n}\n',
    'src/errors.ts':
      "const PRICE_TABLE_SIZE = 100\n\nexport class PriceOptions {\n  size = PRICE_TABLE_SIZE\n}\n\nexport const missingPrice = (key: string) => new PriceError('there is no price of \"' + key + '\" in the table')\n",
    'types/errors.d.ts':
      '/** Say that a price is missing. */\nexport declare function missingPrice(key: string): PriceError\nexport declare class PriceOptions {}\n',
    'src/all.ts': "export { missingPrice, PriceOptions } from './errors.js'\n",
    'tools/report.py': 'def monthly_report(rows):\n    """Write the monthly report of the basket."""\n    return rows\n',
  })
  const other = makeProject('other', { 'basket.go': 'package other\n\nfunc BasketTotal(items []string) int {\n\treturn len(items)\n}\n' })
  for (const path of [shop, other]) await call(engine, 'index_project', { path })
  await call(engine, 'store_memory', { content: 'The basket total is rounded to five cents.' })
  await call(engine, 'store_memory', { content: 'Lunch is at noon.' })
})
afterAll(async () => {
  await engine.close()
  removeTemporaryFolders()
})

const search = (query: string, more = {}) => call(engine, 'search_code', { query, ...more })
const recallCode = (query: string, more = {}) => call(engine, 'recall', { query, include_code: true, min_relevance: 0, ...more })
const first = async (query: string, more = {}) => results.parse(await search(query, more)).results[0]

describe('search_code', () => {
  it('returns the fields of the contract', async () => {
    expect(await first('basketTotal', { project_id: 'shop' })).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{20}$/),
      project_id: 'shop',
      file_path: 'src/basket.ts',
      content: expect.stringContaining('basketTotal'),
      language: 'typescript',
      start_line: expect.any(Number),
      end_line: expect.any(Number),
      chunk_type: 'function',
      name: 'basketTotal',
      symbol: 'basketTotal',
      line: 4,
      score: 1,
    })
  })

  it('names a method with its class', async () => {
    expect(await first('send an address to the mailer', { path: 'src/mail.ts' })).toMatchObject({
      symbol: expect.stringContaining('Mailer'),
    })
  })

  it('finds the line of a pasted error, with its values filled in', async () => {
    expect(await first('PriceError: there is no price of "plum" in the table')).toMatchObject({
      file_path: 'src/errors.ts',
      symbol: 'missingPrice',
      line: 7,
    })
    expect(await first('PRICE_TABLE_SIZE')).toMatchObject({ file_path: 'src/errors.ts', line: 1 })
  })

  it('ranks a definition before declarations, tests and re-exports, unless the query asks for them', async () => {
    expect((await first('PriceOptions'))?.file_path).toBe('src/errors.ts')
    expect((await first('report a missing price'))?.file_path).toBe('src/errors.ts')
    expect((await first('report a missing price, type declarations'))?.file_path).toBe('types/errors.d.ts')
  })

  it('ranks a name that is spelled out first', async () => {
    expect((await first('where is priceOf defined'))?.file_path).toBe('src/prices.ts')
    expect((await first('BasketTotal'))?.file_path).toBe('basket.go')
  })

  it('filters by project, language, path and kind before the limit', async () => {
    expect(new Set(paths(await search('basket', { project_id: 'other' })))).toEqual(new Set(['basket.go']))
    expect(paths(await search('basket', { language: 'python' }))).toEqual(['tools/report.py'])
    expect(paths(await search('basket total', { path: 'tools/**' }))).toEqual(['tools/report.py'])
    expect(paths(await search('connect address', { chunk_type: 'class', limit: 1 }))[0]).toMatch(/^src\/(?:mail|transport)\.ts$/)
    await expect(search('x', { chunk_type: 'method' })).rejects.toThrow('must be one of function, class')
    await expect(search('x', { path: '{' })).rejects.toThrow('Invalid path')
    await expect(search('x', { limit: 51 })).rejects.toThrow('Invalid limit')
  })

  it('rejects an unknown language, and finds nothing in one without code', async () => {
    expect(paths(await search('basket', { language: ' Python' }))).toEqual(['tools/report.py'])
    expect(paths(await search('basket', { language: 'haskell' }))).toEqual([])
    for (const language of ['klingon', ''])
      for (const tool of [search, recallCode])
        await expect(tool('x', { language })).rejects.toThrow(/^Invalid language: must be one of assembly, bash, c, .*typescript/)
  })

  it('raises what the best match calls', async () => {
    const found = paths(await search('adds up what lies in the basket', { project_id: 'shop' }))
    expect(found[0]).toBe('src/basket.ts')
    expect(found).toContain('src/prices.ts')
  })
})

describe('get_related', () => {
  it('walks calls and inheritance of a code result, marked as best effort', async () => {
    const caller = await first('basketTotal', { project_id: 'shop' })
    const uses = related.parse(await call(engine, 'get_related', { entity_id: caller?.id }))
    expect(uses.entities).toContainEqual(expect.objectContaining({ file_path: 'src/prices.ts' }))
    expect(uses.relations).toContainEqual(
      expect.objectContaining({ relation_type: 'calls', properties: { best_effort: true, name: expect.any(String) } }),
    )
    const base = await first('Transport', { chunk_type: 'class' })
    const heirs = related.parse(await call(engine, 'get_related', { entity_id: base?.id, direction: 'incoming' }))
    expect(heirs.relations).toContainEqual(expect.objectContaining({ relation_type: 'inherits' }))
    await expect(call(engine, 'get_related', { entity_id: 'unknown' })).rejects.toThrow('Entity not found: unknown')
  })
})

describe('recall with code', () => {
  it('merges both sources on one scale', async () => {
    const answer = await call(engine, 'recall', { query: 'basket total', include_code: true, limit: 20, min_relevance: 0 })
    const found = results.parse(answer).results
    expect(answer).toMatchObject({ memories_count: 2, code_count: found.length - 2 })
    const scores = found.filter((entry) => entry.source === 'code').map((entry) => entry.score)
    expect(scores.length).toBeGreaterThan(5)
    // Distances from the mean of the kind, all raised by what supports the kind.
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
    expect(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length).toBeCloseTo(1, 3)
    expect(found.map((entry) => entry.score)).toEqual(found.map((entry) => entry.score).toSorted((a, b) => b - a))
    expect(found.find((entry) => entry.source === 'code')).toMatchObject({
      file_path: expect.any(String),
      start_line: expect.any(Number),
      end_line: expect.any(Number),
    })
  })

  it('returns code alone, of one project and language, with the graph walk as a signal', async () => {
    const answer = await call(engine, 'recall', {
      query: 'basket total price',
      include_memories: false,
      include_code: true,
      project_id: 'shop',
      language: 'typescript',
      explain: true,
    })
    expect(answer).toMatchObject({ memories_count: 0 })
    expect(Number(answer.subgraph_nodes)).toBeGreaterThan(1)
    expect(JSON.stringify(answer)).toMatch(/"ppr_score":0\.\d|"ppr_score":1/)
    expect(paths(answer).every((path) => String(path).endsWith('.ts'))).toBe(true)
  })

  it('returns the same first results for every limit', async () => {
    const found = async (limit: number) =>
      results.parse(await call(engine, 'recall', { query: 'basket total', include_code: true, limit, min_relevance: 0 })).results
    const many = await found(20)
    for (const limit of [1, 3, 7]) expect(await found(limit)).toEqual(many.slice(0, limit))
  })

  it('computes the relevance of code from its similarity relative to the best, above the floor of the model', async () => {
    const floor = 0.05
    const env = { ...environment, embedder: { ...environment.embedder, model: { ...environment.embedder.model, floor } } }
    const { signal } = new AbortController()
    const found = (await recallWithCode(env, { text: 'priceOf in the basket', limit: 20, memories: false, code: {}, signal })).results
    const likeness = found.map(({ cosine }) => cosine ?? 0)
    const cosines = likeness.toSorted((a, b) => b - a)
    expect(likeness).not.toEqual(cosines)
    const sure = toProbability(computeAnswerLogOdds(cosines, floor) ?? 0)
    const share = (cosine: number): number => Math.max(0, cosine - floor) / ((cosines[0] ?? 0) - floor)
    expect(found.map(({ relevance }) => relevance)).toEqual(likeness.map((value) => expect.closeTo(sure * share(value), 9)))
    expect(found.some(({ relevance }) => relevance > 0 && relevance < sure)).toBe(true)
    expect(found[0]?.score).toBe(1)
  })

  it('keeps the scores of memories, and gives the best full relevance', async () => {
    const { signal } = new AbortController()
    const recipe: Recipe = { ...TUNED, weights: CONTRACT_WEIGHTS }
    const request = { text: 'basket total', limit: 5, recipe, signal }
    const plain = await recall(environment, request)
    const { results: mixed, confidence } = await recallWithCode(environment, { ...request, memories: true })
    expect(mixed.map(({ score }) => score)).toEqual(plain.results.map(({ score }) => score))
    expect(mixed[0]?.score).toBeLessThan(1)
    expect(mixed[0]?.relevance).toBe(confidence)
  })

  it('handles a deviation of zero', async () => {
    const answer = await call(engine, 'recall', { query: 'BasketTotal', include_code: true, project_id: 'other', limit: 5 })
    const found = results.parse(answer).results
    expect(found.some((entry) => entry.source === 'code')).toBe(true)
    expect(found.every((entry) => Number.isFinite(entry.score))).toBe(true)
  })

  it.each([
    [{ include_memories: false }, 'at least one of include_memories and include_code'],
    [{ project_id: 'shop' }, 'Invalid project_id: needs include_code = true'],
    [{ language: 'go' }, 'Invalid language: needs include_code = true'],
    [{ include_code: true, project_id: 'nope' }, 'Project not found: nope'],
  ])('refuses %j', async (input, message) => {
    await expect(call(engine, 'recall', { query: 'x', ...input })).rejects.toThrow(message)
  })
})
