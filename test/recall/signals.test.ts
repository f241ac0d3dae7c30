import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CONTRACT_WEIGHTS, type Recipe, withOverrides } from '../../src/core/recall/recipe/recipe.js'
import { resolveAsOf } from '../../src/engine/as-of.js'
import { searchBothIndexes } from '../../src/engine/recall/hybrid-search.js'
import { type RecalledFact, recall } from '../../src/engine/recall/recall.js'
import { searchByWords } from '../../src/engine/recall/single-index-search.js'
import { openWorld, type World } from '../graph/world.js'
import { TUNED } from '../scored-candidate.js'
import { rememberAll, type Said } from './remember-all.js'

let world: World
afterEach(() => world.close())

const store = (...statements: readonly Said[]): Promise<readonly string[]> => rememberAll(world, statements)
const signal = new AbortController().signal
const ask = (text: string, recipe: Partial<Recipe> = {}, owner: string | undefined = 'default') =>
  recall(world.environment, { text, limit: 40, owner, recipe: { ...TUNED, ...recipe }, signal })
const found = (results: readonly RecalledFact[], id: string | undefined): RecalledFact | undefined =>
  results.find(({ fact }) => fact.id === id)

const withId = z.object({ id: z.string() })
const entity = async (name: string): Promise<string> => withId.parse(await world.call('memory/create_entity', { name })).id
const relate = (from: string | undefined, to: string | undefined) =>
  world.call('memory/create_relation', { from_entity: from, to_entity: to, relation_type: 'shows' })

describe('words and vectors', () => {
  test('each add a contribution, and the score is their sum', async () => {
    world = await openWorld()
    await store({ text: 'The gate code 4471 is on the harbour wall' }, { text: 'Ships wait at the gate for the tide, says Bob' })
    const { results, graphNodes } = await ask('gate code 4471')
    expect(results).toHaveLength(2)
    for (const { contributions, score } of results) {
      expect(contributions.map(({ name }) => name)).toEqual(['base', 'meaning', 'words', 'coverage'])
      expect(contributions.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 12)
    }
    const bases = results.map(({ contributions }) => contributions[0]?.value)
    expect(bases[0]).toBe(bases[1])
    expect(graphNodes).toBe(0)
  })

  test('rank by words a query in a script that the model cannot read, and compare no notes in it', async () => {
    world = await openWorld()
    const [clinic] = await store(
      { text: '歯医者の予約は木曜日の午後三時です' },
      { text: '会議は木曜日の午前に変更されました' },
      { text: '会議は金曜日の午前です' },
    )
    const { embedder } = world.environment
    const env = { ...world.environment, embedder: { ...embedder, model: { ...embedder.model, isEnglishOnly: true } } }
    const { results } = await recall(env, { text: '歯医者の予約', limit: 10, owner: 'default', recipe: TUNED, signal })
    expect(results[0]?.fact.id).toBe(clinic)
    const of = (fact: RecalledFact | undefined, name: string) => fact?.contributions.find((part) => part.name === name)?.value ?? 0
    expect(of(results[0], 'words')).toBeGreaterThan(of(results[0], 'meaning'))
    expect(results.map((fact) => of(fact, 'superseded'))).toEqual(results.map(() => 0))
  })

  test('recognise an answer among two similar notes as well as among many', async () => {
    world = await openWorld()
    await store({ text: 'Staging runs Postgres 15' })
    const alone = (await ask('which Postgres version does staging run')).confidence
    await store({ text: 'Production runs Postgres 16' })
    expect((await ask('which Postgres version does staging run')).confidence).toBeGreaterThan(alone / 2)
  })

  test('count less where the best match holds only part of the question', async () => {
    world = await openWorld()
    await store({ text: 'The harbour office opens late' }, { text: 'A note about weather' })
    const whole = await ask('harbour office')
    expect(whole.results[0]?.lexical).toBe(1)
    const part = await ask('harbour office zebra giraffe')
    expect(part.results[0]?.lexical).toBeGreaterThan(0)
    expect(part.results[0]?.lexical).toBeLessThan(0.9)
    expect(whole.confidence).toBeGreaterThan(part.confidence)
  })

  test('both searches bring as many as they are asked for', async () => {
    world = await openWorld()
    const [gate, other] = await store({ text: 'The gate is open' }, { text: 'The harbour is far' })
    const view = await world.backend.view('default')
    const rids = await view.rows.ridsOf([gate ?? '', other ?? ''])
    const sought = { text: 'gate', pool: resolveAsOf(world.environment.clock), fields: TUNED.fields, words: 5 }
    const vector = world.environment.embedding.query('gate', signal)
    const both = await searchBothIndexes(view, { ...sought, meanings: 5, vector })
    expect(both.lexical.hits.map(({ rid }) => rid)).toEqual([rids.get(gate ?? '')])
    expect(both.dense.map(({ rid }) => rid)).toEqual([gate, other].map((id) => rids.get(id ?? '')))
    expect((await searchBothIndexes(view, { ...sought, meanings: 0, vector })).dense).toEqual([])
    expect((await searchBothIndexes(view, { ...sought, meanings: 5, vector: Promise.resolve(undefined) })).dense).toEqual([])
    view.close()
  })

  test('small words that stand there as they are asked for are a full match', async () => {
    world = await openWorld()
    const [band, other] = await store({ text: 'The Who played in town' }, { text: 'Played in town by others' })
    const { results } = await ask('The Who')
    expect([found(results, band)?.lexical, found(results, other)?.lexical ?? 0]).toEqual([1, 0])
  })

  test('make the confidence of an answer, also without a model', async () => {
    world = await openWorld({ embedder: 'none' })
    expect(await ask('harbour office')).toMatchObject({ results: [], confidence: 0 })
    await store({ text: 'The harbour office opens late' }, { text: 'A note about weather' })
    const { results, confidence } = await ask('harbour office')
    expect(confidence).toBe(results[0]?.relevance)
    expect((await ask('harbour zebra')).confidence).toBeLessThan(confidence)
    await world.close()
    world = await openWorld()
    await store({ text: 'The harbour office opens late' })
    expect(await ask('???')).toMatchObject({ results: [], confidence: 0 })
  })

  test('returns nothing without any signal, also with weights of the caller', async () => {
    world = await openWorld()
    const [seed, next] = await store(
      { text: 'The harbour office opens late' },
      ...[
        'Bread is baked at dawn',
        'Tea is served at noon',
        'Coats hang behind a door',
        'Boats sail every spring',
        'Rain fell on a roof',
      ].map((text) => ({ text })),
    )
    await relate(seed, next)
    for (const weights of [null, CONTRACT_WEIGHTS]) expect((await ask('saturn giraffe', { weights })).results).toEqual([])
    expect((await ask('harbour giraffe')).results).not.toEqual([])
  })

  test('words do alone where there is no model', async () => {
    world = await openWorld({ embedder: 'none' })
    const [id] = await store({ text: 'The harbour office opens late' }, { text: 'A note about weather' })
    const { results } = await ask('harbour office')
    expect(results.map(({ fact, cosine, lexical }) => [fact.id, cosine, lexical])).toEqual([[id, null, 1]])
  })
})

test('a number in groups of digits is found by its digits, and the other way round', async () => {
  world = await openWorld({ embedder: 'none' })
  const [rent, flat, people] = await store(
    { text: 'The rent is 1,310 euros' },
    { text: 'Deposit for the flat: €1.250,00' },
    { text: 'The region has 12500000 people' },
    { text: 'Release 1.250.3 is out' },
  )
  const recalled = async (text: string) => (await ask(text)).results.map(({ fact }) => fact.id)
  const worded = async (text: string) =>
    (await searchByWords(world.environment, { text, limit: 5, owner: 'default', signal })).map(({ fact }) => fact.id)
  for (const look of [recalled, worded]) {
    expect([await look('1310'), await look('1250'), await look('12 500 000'), await look('310')]).toEqual([
      [rent],
      [flat],
      [people],
      [rent],
    ])
  }
})

describe('what a question names', () => {
  test('lifts facts about it: a name of several words, or one that a single fact is about', async () => {
    world = await openWorld()
    const [ann, otto, eva, other] = await store(
      { text: 'collects stamps', subject: 'Ann Miller' },
      { text: 'paints boats', subject: 'Otto' },
      { text: 'grows roses', subject: 'Eva' },
      { text: 'grows tulips', subject: 'Eva' },
    )
    const boosts = async (question: string, recipe = {}) => {
      const { results } = await ask(question, recipe)
      return [ann, otto, eva, other].map((id) => found(results, id)?.contributions.some(({ name }) => name === 'subject') ?? false)
    }
    expect(await boosts('which stamps has Ann Miller')).toEqual([true, false, false, false])
    expect(await boosts('which boats has Otto')).toEqual([false, true, false, false])
    expect(await boosts('which roses has Eva')).toEqual([false, false, false, false])
    expect(await boosts('which boats has Otto', withOverrides(TUNED, { subject: 0 }))).toEqual([false, false, false, false])
    await store(...Array.from({ length: 19 }, (_, i) => ({ text: `stamps number ${i}`, subject: 'Ann Miller' })))
    expect(await boosts('which stamps has Ann Miller')).toEqual([true, false, false, false])
    await store({ text: 'and one of the stamps more', subject: 'Ann Miller' })
    expect(await boosts('which stamps has Ann Miller')).toEqual([false, false, false, false])
  })

  test('raises facts of the one named author, and none if two are named', async () => {
    world = await openWorld()
    const [zoe, yan] = await store({ text: 'The tea is hot', author: 'Zoe' }, { text: 'The tea is cold', author: 'Yan' })
    const authors = async (question: string, recipe = {}, owner: string | undefined = 'default') => {
      const { results } = await ask(question, recipe, owner)
      return [zoe, yan].map((id) => found(results, id)?.contributions.some(({ name }) => name === 'author') ?? false)
    }
    expect(await authors('what did Zoe say about tea')).toEqual([true, false])
    expect(await authors('what did Zoe say about tea', {}, undefined)).toEqual([true, false])
    expect(await authors('what did Zoe and Yan say about tea')).toEqual([false, false])
    expect(await authors('what did Zoe say about tea', withOverrides(TUNED, { author: 0 }))).toEqual([false, false])
  })
})

describe('links of the best results', () => {
  const linked = async () => {
    world = await openWorld()
    const [seed, bridge] = await store(
      { text: 'The harbour office belongs to Ann Miller' },
      { text: 'collects stamps', subject: 'Ann Miller' },
      ...Array.from({ length: 8 }, (_, i) => ({ text: `A note about weather number ${i}` })),
    )
    return { seed, bridge }
  }

  test('facts about what they mention', async () => {
    const { seed, bridge } = await linked()
    const { results, graphNodes } = await ask('harbour office')
    expect(found(results, bridge)).toMatchObject({ via: { seed, name: 'ann miller' } })
    expect(graphNodes).toBeGreaterThan(0)
    // Also if the searches did not find it.
    const narrow = await ask('harbour office', { candidates: 1 })
    expect(found(narrow.results, bridge)).toMatchObject({ via: { seed }, cosine: expect.any(Number) })
    const without = await ask('harbour office', withOverrides(TUNED, { link: 0 }))
    expect([found(without.results, bridge)?.via ?? null, without.graphNodes]).toEqual([null, 0])
    // Weights of the caller determine the order alone.
    expect(found((await ask('harbour office', { weights: CONTRACT_WEIGHTS })).results, bridge)?.via ?? null).toBeNull()
  })

  test('facts related to an entity named in the query are found whatever their words', async () => {
    world = await openWorld()
    const [output, untold] = await store({ text: 'Coffee is served at noon' }, { text: 'Bread is baked at dawn' })
    const lighthouse = await entity('Lighthouse')
    await relate(lighthouse, output)
    const { results, graphNodes } = await ask('Lighthouse?')
    expect(found(results, output)).toMatchObject({ graph: expect.closeTo(1, 6) })
    expect(found(results, untold)?.graph ?? 0).toBe(0)
    expect(graphNodes).toBe(2)
    expect(found((await ask('Lighthouse?', withOverrides(TUNED, { relation: 0 }))).results, output)?.graph ?? 0).toBe(0)
    // Also if the searches did not find it.
    await store({ text: 'Lighthouse oil is expensive' })
    expect(found((await ask('Lighthouse?', { candidates: 1 })).results, output)?.graph).toBeCloseTo(1, 6)
    // Without an owner, all owners are searched, including the default one.
    await store({ text: 'Lighthouse keepers sleep by day', owner: 'bea' })
    const all = await ask('Lighthouse?', {}, 'default')
    expect(found(all.results, output)?.graph).toBeCloseTo(1, 6)
    const everyone = await recall(world.environment, { text: 'Lighthouse keepers?', limit: 20, recipe: TUNED, signal })
    expect(found(everyone.results, output)?.graph).toBeCloseTo(1, 6)
    const bea = await ask('Lighthouse keepers?', {}, 'bea')
    expect(found(bea.results, output)).toBeUndefined()
    // Of the owner of the nearest fact, if that owner knows it.
    const [own] = await store({ text: 'Tea is served at noon', owner: 'bea' })
    const hers = withId.parse(await world.call('memory/create_entity', { name: 'Lighthouse', user_id: 'bea' })).id
    await relate(hers, own)
    const nearest = await recall(world.environment, { text: 'Lighthouse keepers?', limit: 20, recipe: TUNED, signal })
    expect([found(nearest.results, own)?.graph, found(nearest.results, output)?.graph ?? 0]).toEqual([expect.closeTo(1, 6), 0])
  })

  test('relations of the best facts, where a caller gives weights', async () => {
    world = await openWorld()
    const [seed, next] = await store({ text: 'The harbour office opens late' }, { text: 'Bread is baked at dawn' })
    await relate(seed, next)
    const weighed = await ask('harbour office', { weights: CONTRACT_WEIGHTS })
    expect(found(weighed.results, next)?.graph).toBeGreaterThan(0)
    expect(found((await ask('harbour office')).results, next)?.graph ?? 0).toBe(0)
  })
})
