import { describe, expect, it } from 'vitest'
import { selectExcerpts, selectRerankWindow } from './excerpt.js'

const TEXT = 'otters swim. herons stand. rivers flow.'
const pieces = (...cosines: readonly (number | null)[]) =>
  [
    { start: 0, end: 12 },
    { start: 13, end: 26 },
    { start: 27, end: 39 },
  ].map((span, i) => ({ ...span, cosine: cosines[i] ?? null }))
const chosen = (cosines: readonly (number | null)[], ...terms: readonly string[]) => {
  const [span] = selectExcerpts(TEXT, pieces(...cosines), terms, 1)
  return span === undefined ? null : TEXT.slice(span.start, span.end)
}

it('is the nearest, unless another holds the words', () => {
  expect(chosen([0.7, 0.9, 0.8])).toBe('herons stand.')
  expect(chosen([0.7, 0.82, 0.85], 'heron')).toBe('herons stand.')
  expect(chosen([0.7, 0.7, 0.9], 'otter')).toBe('rivers flow.')
  // All words of the question weigh no more than one that is the only one.
  expect(chosen([0.9, 0.7, 0.8], 'heron', 'stand')).toBe('otters swim.')
})

it('goes by words where no vectors are, and begins at the beginning where nothing tells', () => {
  expect(chosen([null, null, null], 'river')).toBe('rivers flow.')
  expect(chosen([null, null, null])).toBe('otters swim.')
  expect(selectExcerpts('', [], ['x'], 3)).toEqual([])
})

it('is followed by the next best, as many as are asked for', () => {
  const excerpts = (most: number) => selectExcerpts(TEXT, pieces(0.7, 0.9, 0.8), [], most).map(({ start, end }) => TEXT.slice(start, end))
  expect(excerpts(2)).toEqual(['herons stand.', 'rivers flow.'])
  expect(excerpts(9)).toEqual(['herons stand.', 'rivers flow.', 'otters swim.'])
  // Of a text of two pieces the best alone.
  expect(selectExcerpts(TEXT, pieces(0.7, 0.9).slice(0, 2), [], 9)).toEqual([{ start: 13, end: 26 }])
})

describe('what the reranker reads of a text', () => {
  const filler = (name: string): string => Array.from({ length: 12 }, (_, i) => `The ${name} came by on day ${i}, as usual.`).join(' ')
  const long = `${filler('gull')} Otters swim at night. ${filler('heron')}`

  it('is all of it where it is short', () => {
    expect(selectRerankWindow('Otters swim.', { start: 0, end: 12 }, ['otter'])).toEqual({
      text: 'Otters swim.',
      before: null,
      after: null,
    })
    expect(selectRerankWindow('', { start: 0, end: 0 }, ['otter'])).toEqual({ text: '', before: null, after: null })
  })

  it('is the part that contains the terms of the query, with its surroundings', () => {
    const { text, before, after } = selectRerankWindow(long, { start: 0, end: long.length }, ['otter', 'swim', 'night'])
    expect(text).toContain('Otters swim at night.')
    expect(text.length).toBeLessThan(long.length / 2)
    expect(long).toContain(`${before} ${text} ${after}`)
  })

  it('is as many whole sentences as fit into what it reads', () => {
    // A sentence has 11 tokens, the short one 5: nine of the first fit into a hundred, and eight with the short one.
    const sentences = (text: string): number => text.split('. ').length
    expect(sentences(selectRerankWindow(long, { start: 0, end: long.length }, []).text)).toBe(9)
    expect(sentences(selectRerankWindow(long, { start: 0, end: long.length }, ['otter']).text)).toBe(9)
    const endless = `${'gull '.repeat(150)}otter ${'heron '.repeat(150)}`
    expect(selectRerankWindow(endless, { start: 0, end: endless.length }, ['otter']).text.split(' ').length).toBe(100)
    const exact = Array.from({ length: 30 }, () => 'Gulls cry at night.').join(' ')
    expect(sentences(selectRerankWindow(exact, { start: 0, end: exact.length }, []).text)).toBe(20)
  })

  it('finds the words in a stretch that begins further on', () => {
    const start = long.indexOf('Otters')
    expect(selectRerankWindow(long, { start, end: long.length }, ['heron', '11']).text.endsWith('on day 11, as usual.')).toBe(true)
    expect(selectRerankWindow(long, { start, end: long.length }, ['heron', '11']).text.startsWith('The heron came by on day 3')).toBe(true)
  })

  it('stays within the stretch that was chosen, and begins at its beginning where no word tells', () => {
    const start = long.indexOf('Otters')
    const { text, before } = selectRerankWindow(long, { start, end: long.length }, ['gull'])
    expect(text.startsWith('Otters swim')).toBe(true)
    expect(before?.endsWith('as usual.')).toBe(true)
  })
})
