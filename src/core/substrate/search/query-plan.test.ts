import { describe, expect, it } from 'vitest'
import { fuseStreams } from './fusion.js'
import { isNamed, scoreTexts } from './lexical-score.js'
import { planQuery } from './query-plan.js'
import { sanitizeQuery } from './query-sanitizer.js'

const LONG = 'You are a careful agent. Follow the rules of the house. '.repeat(10)

describe('query within the passed text', () => {
  it.each([
    ['where is  the kettle', { text: 'where is the kettle', wasSanitized: false, method: 'passthrough' }],
    [
      `${LONG}\nQuery: old one\nUser question: which kettle?\n${LONG}`,
      { text: 'which kettle?', wasSanitized: true, method: 'labeled_line' },
    ],
    [`${LONG}\n问题：水壶在哪里\n`, { text: '水壶在哪里', method: 'labeled_line' }],
    [`${LONG} Is it here? It is. Where is the kettle? Thank you.`, { text: 'Where is the kettle?', method: 'question_sentence' }],
    [`${LONG} 水壶是红色的吗？谢谢。`, { text: '水壶是红色的吗？', method: 'question_sentence' }],
    [LONG, { text: LONG.trim().slice(-400).trim(), method: 'tail_truncation' }],
  ])('%s', (text, expected) => {
    expect(sanitizeQuery(text)).toMatchObject({ ...expected, originalLength: text.length })
  })

  it('is found in bounded time in hostile text', () => {
    for (const part of ['. ', '?\n', 'query:\n', 'a'.repeat(100)])
      expect(sanitizeQuery(part.repeat(200_000)).text.length).toBeLessThanOrEqual(400)
  })
})

describe('query plan', () => {
  it.each([
    ['todo', ['work_item'], true],
    ['待办项', ['work_item'], true],
    ['list open tasks', ['work_item'], true],
    ['decisions about SQLite', ['knowledge'], false],
    ['架构', ['source', 'node'], true],
  ])('%s', (text, types, alone) => {
    expect(planQuery(text)).toMatchObject({ inferred: { types }, asksForKindAlone: alone })
  })

  it.each(['the billing task queue crashes', 'kettle', 'why is the resource missing'])('has no filter for %s', (text) => {
    expect(planQuery(text).inferred).toBeNull()
  })

  it('contains words, ids and paths whole, and pairs of characters', () => {
    expect(planQuery('Where does src/net/http.ts use know:12ab?').normalizedTerms).toEqual([
      'where does src/net/http.ts use know:12ab?',
      'src/net/http.ts',
      'use',
      'know:12ab',
    ])
    expect(planQuery('生产部署').normalizedTerms).toEqual(['生产部署', '生产', '产部', '部署'])
    expect(planQuery('todo').normalizedTerms).toEqual(expect.arrayContaining(['todo', '待办项', 'task', 'work_item']))
  })
})

it('fusion: ties are broken by the lexical rank, and exact titles come first', () => {
  const streams = [
    { name: 'lexical', ids: ['a', 'b', 'c'] },
    { name: 'semantic', ids: ['b', 'a'] },
  ]
  expect(fuseStreams(streams, () => false).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(fuseStreams(streams, (id) => id === 'c')[0]).toEqual({ id: 'c', rankScore: 1.015873, ranks: { lexical: 3 } })
})

describe('counted words of a query', () => {
  it('are words of two or more letters, as written', () => {
    expect(planQuery('ci x kettle').tokens).toEqual(['ci', 'kettle'])
    expect(planQuery('kettle decisions').inferred).toMatchObject({ kinds: ['decision'] })
    expect(planQuery('list all')).toMatchObject({ inferred: null, asksForKindAlone: false })
  })

  it('a text of 400 characters is a query, and so may be its first line', () => {
    expect(sanitizeQuery('x'.repeat(400)).method).toBe('passthrough')
    expect(sanitizeQuery(`Question: which kettle?\n${LONG}`)).toMatchObject({ text: 'which kettle?', method: 'labeled_line' })
  })

  it('decide between two results with equal ranks', () => {
    const streams = [
      { name: 'semantic', ids: ['b', 'a'] },
      { name: 'lexical', ids: ['a', 'b'] },
    ]
    expect(fuseStreams(streams, () => false).map(({ id }) => id)).toEqual(['a', 'b'])
  })
})

describe('match of query words and an object', () => {
  const texts = { title: 'Red kettles', summary: 'boil water', names: ['src/net/http.ts'], payload: 'steel', segments: 'whistle' }
  const score = (question: string, input = {}) => scoreTexts(planQuery(question), { ...texts, ...input })

  it.each([
    // By the best position of each word: title 20, summary 10, names 8, payload 5, segments 3; the whole query in the title 20 or 100.
    ['kettle', 20, ['kettle']],
    ['red kettles', 140, ['red', 'kettles']],
    ['water', 10, ['water']],
    ['net/http', 8, ['net/http']],
    ['steel whistle', 8, ['steel', 'whistle']],
    ['glass', 0, []],
    ['ett', 0, []],
    ['the:of', 0, []],
  ])('%s: %i', (question, expected, matched) => {
    expect(score(question)).toEqual({ score: expected, matched })
  })

  it('rises if the title contains the whole query of several words', () => {
    expect(score('red kettles', { title: 'Old red kettles' }).score).toBe(60)
    expect(score('red', { title: 'Old red kettles' }).score).toBe(20)
    expect([isNamed(' Red Kettles', 'red kettles '), isNamed('Red', 'kettle')]).toEqual([true, false])
  })
})
