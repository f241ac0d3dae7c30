import { afterEach, describe, expect, test } from 'vitest'
import { CONTRACT_WEIGHTS } from '../../src/core/recall/recipe/recipe.js'
import { type RecalledFact, recall } from '../../src/engine/recall/recall.js'
import { recallAcrossOwners } from '../../src/engine/recall/recall-across-owners.js'
import { searchByWords } from '../../src/engine/recall/single-index-search.js'
import { aFact } from '../contract/samples.js'
import { openWorld, type World } from '../graph/world.js'
import { TUNED } from '../scored-candidate.js'
import { rememberAll, type Said } from './remember-all.js'

let world: World
afterEach(() => world.close())

const store = (...statements: readonly Said[]): Promise<readonly string[]> => rememberAll(world, statements)
const signal = new AbortController().signal

describe('a second look', () => {
  const looks = async (query: Partial<Parameters<typeof recall>[1]> = {}): Promise<number> => {
    let count = 0
    const { environment } = world
    const rerankTop: typeof environment.rerankStage.rerankTop = async () => {
      count++
      return { outcome: { state: 'used', reason: null }, scores: new Map() }
    }
    const env = { ...environment, rerankStage: { ...environment.rerankStage, rerankTop } }
    await recall(env, { text: 'harbour office', limit: 5, owner: 'default', recipe: TUNED, signal, ...query })
    return count
  }

  test('is used in addition to keywords and vectors, unless the query is fast or has weights', async () => {
    world = await openWorld()
    await store({ text: 'The harbour office opens late' })
    expect([await looks(), await looks({ effort: 'best' }), await looks({ effort: 'fast' })]).toEqual([1, 1, 0])
    expect(await looks({ recipe: { ...TUNED, weights: CONTRACT_WEIGHTS } })).toBe(0)
    expect(await looks({ text: '???' })).toBe(0)
  })

  test('is not taken without a model', async () => {
    world = await openWorld({ embedder: 'none' })
    await store({ text: 'The harbour office opens late' })
    expect(await looks()).toBe(0)
  })
})

test('a query of function words alone is searched unchanged, up to eight words', async () => {
  world = await openWorld()
  const eight = Array.from({ length: 4 }, () => 'the who').join(' ')
  const [band, chant] = await store(
    { text: 'The Who played in town' },
    { text: `They sang ${eight} the again` },
    { text: 'Who has the keys?' },
  )
  const words = async (text: string) =>
    (await searchByWords(world.environment, { text, limit: 5, owner: 'default', signal })).map(({ fact }) => fact.id).sort()
  expect(await words('The Who')).toEqual([band, chant].sort())
  expect(await words(eight)).toEqual([chant])
  expect(await words(`${eight} the`)).toEqual([])
  expect(await words('')).toEqual([])
})

describe('notes that are much the same', () => {
  const replaced = async (text: string, env = world.environment, updates = TUNED.updates) => {
    const recipe = { ...TUNED, updates }
    const { results } = await recall(env, { text, limit: 10, owner: 'default', recipe, signal })
    return results.map(({ supersededBy }) => supersededBy !== null)
  }

  test('replace one another by likeness, not by one word and news alone', async () => {
    world = await openWorld()
    await store({ text: 'The office is cold' }, { text: 'Ann moved her old bicycle into a shed near Otto, far from any office' })
    expect(await replaced('office')).toEqual([false, false])
  })

  test('are both returned while one of them waits for its vector', async () => {
    world = await openWorld()
    const [was, is] = [
      'Our office is on the third floor of the old mill',
      'Since June our office is now on the fifth floor of the old mill',
    ]
    await store({ text: was })
    const fact = aFact({ id: 'later', owner: 'default', text: is, autoLink: false })
    await world.backend.store.commit({ actor: 'test', owners: ['default'] }, () => [{ op: 'fact.put', fact }])
    const { environment } = world
    const env = { ...environment, embedding: { ...environment.embedding, embedPending: async () => undefined } }
    const anyPair = { threshold: 0.5, coefficients: { base: 10 } }
    expect(await replaced('floor of the office', env, anyPair)).toEqual([false, false])
    expect(await replaced('floor of the office', environment, anyPair)).toContain(true)
  })
})

describe('several owners', () => {
  test('are asked each for itself, and their answers stand in one order', async () => {
    world = await openWorld()
    await store(
      { text: 'The harbour is far', owner: 'u1' },
      { text: 'Weather notes of spring', owner: 'u1' },
      { text: 'The harbour office opens late', owner: 'u2' },
      { text: 'The harbour office opens early', owner: 'u3' },
    )
    const among = (more = {}) =>
      recallAcrossOwners(world.environment, ['u1', 'u2'], { text: 'harbour office opens', limit: 2, signal, ...more })
    const judged = await among()
    expect(judged.map(({ memory }) => memory.fact.owner)).toEqual(['u2', 'u1'])
    expect(judged[0]?.relevance).toBeGreaterThan(judged[1]?.relevance ?? 1)
    const some = await among({ isWanted: ({ fact }: RecalledFact) => fact.owner === 'u1' })
    expect(some.map(({ memory }) => memory.fact.owner).every((owner) => owner === 'u1')).toBe(true)
    expect(some.length).toBeGreaterThan(0)
  })
})
