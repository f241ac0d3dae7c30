import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens, MAX_PIECES, piecesOf, unitsOf } from './pieces.js'

const sentence = (i: number): string => `Sentence number ${i} says that the river rises in spring and falls again in late summer. `
const long = (sentences: number): string => Array.from({ length: sentences }, (_, i) => sentence(i)).join('')

describe('pieces of a long text', () => {
  it('are none for a short text', () => {
    for (const text of ['', 'short', long(10), ' '.repeat(100_000)]) expect(piecesOf(text)).toEqual([])
  })

  it('cover the text in order, overlap, and end with sentences', () => {
    const text = long(120)
    const pieces = piecesOf(text)
    expect(pieces.length).toBeGreaterThan(8)
    expect(pieces[0]?.start).toBe(0)
    expect(pieces.at(-1)?.end).toBe(text.length)
    for (const [i, { start, end }] of pieces.entries()) {
      expect(text.slice(start, start + 8)).toBe('Sentence')
      expect(text.slice(start, end).trimEnd().at(-1)).toBe('.')
      expect(estimateTokens(text.slice(start, end))).toBeLessThanOrEqual(200)
      if (i === 0) continue
      expect(start).toBeLessThan(pieces[i - 1]?.end ?? 0)
      expect(start).toBeGreaterThan(pieces[i - 1]?.start ?? 0)
    }
  })

  it.each([
    ['one endless line of words', 'word '.repeat(5000)],
    ['no spaces at all', 'x'.repeat(20_000)],
    ['characters without spaces', '漢字'.repeat(5000)],
    ['emoji', '🎉'.repeat(5000)],
    ['lines', 'a line of a log without a stop\n'.repeat(2000)],
  ])('cut %s somewhere', (_, text) => {
    const pieces = piecesOf(text)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.length).toBeLessThanOrEqual(MAX_PIECES)
    for (const { start, end } of pieces) expect(end).toBeGreaterThan(start)
  })

  it('are at most 64, longer for a longer text, and omit the end of a huge one', () => {
    const book = long(900)
    const pieces = piecesOf(book)
    expect(pieces.length).toBeLessThanOrEqual(MAX_PIECES)
    expect(pieces.at(-1)?.end).toBe(book.length)
    const huge = piecesOf(long(20_000))
    expect(huge).toHaveLength(MAX_PIECES)
    expect(piecesOf(long(20_000).repeat(6))).toEqual(huge)
  })

  it('are deterministic', () => {
    expect(piecesOf(long(300))).toEqual(piecesOf(long(300)))
  })
})

it('tokens are counted by runs of letters, runs of digits, and signs', () => {
  const byExpression = (text: string): number =>
    [...text.matchAll(/[A-Za-z]+|\d+|[^\sA-Za-z\d]/gu)].reduce((sum, [run]) => sum + (run.length <= 7 ? 1 : Math.ceil(run.length / 5)), 0)
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', 'Z', 'abcdefgh', '1', '23456789', ' ', '\n', '\u00a0', '\u3000', 'é', '東', '🦉', '.', '_', '\ud800'),
      }),
      (text) => {
        expect(estimateTokens(text)).toBe(byExpression(text))
      },
    ),
  )
})

describe('token counting', () => {
  it.each([
    ['az', 1],
    ['aAZ', 1],
    ['109', 1],
    ['a1', 2],
    ['a\tb\rc', 3],
    ['a\u00a0b', 2],
    ['abcdefg', 1],
    ['abcdefgh', 2],
    ['abcdefghijk', 3],
    ['a-b', 3],
    ['\ud800\udc00', 1],
    ['\udbff\udfff', 1],
    ['\udc00\udc00', 2],
    ['éé', 2],
  ])('%j: %i', (text, tokens) => expect(estimateTokens(text)).toBe(tokens))

  it('treats a sentence that fits as one unit, a longer one as words', () => {
    expect(unitsOf('One two three. Four.', 4)).toEqual([
      { start: 0, end: 15, tokens: 4 },
      { start: 15, end: 20, tokens: 2 },
    ])
    expect(unitsOf('One two three.', 3).map(({ start }) => start)).toEqual([0, 4, 8])
  })
})

describe('bounds of pieces', () => {
  it('a text of 250 tokens has no pieces', () => {
    expect(piecesOf('!'.repeat(250))).toEqual([])
    expect(piecesOf('!'.repeat(251))).toEqual([
      { start: 0, end: 200 },
      { start: 200, end: 251 },
    ])
  })

  it('a piece holds 200 tokens, of which the next repeats up to 50', () => {
    expect(piecesOf('word '.repeat(400))).toEqual([
      { start: 0, end: 1000 },
      { start: 750, end: 1750 },
      { start: 1500, end: 2000 },
    ])
    // Longer words behind do not count for what is said again of the shorter ones before them.
    expect(piecesOf(`${'word '.repeat(200)}${'wonderfully '.repeat(100)}`)[1]?.start).toBe(750)
  })

  it('long sentences are split', () => {
    const sentence = `${'word '.repeat(89)}end. `
    expect(piecesOf(sentence.repeat(6))[0]?.end).toBeGreaterThan(sentence.length * 2)
  })
})
