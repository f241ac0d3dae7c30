import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens, MOST_PIECES, piecesOf } from './pieces.js'

const sentence = (i: number): string => `Sentence number ${i} says that the river rises in spring and falls again in late summer. `
const long = (sentences: number): string => Array.from({ length: sentences }, (_, i) => sentence(i)).join('')

describe('the pieces of a long text', () => {
  it('are none where the text is short', () => {
    for (const text of ['', 'short', long(10), ' '.repeat(100_000)]) expect(piecesOf(text)).toEqual([])
  })

  it('cover all of it in order, overlap, and end with sentences', () => {
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
    expect(pieces.length).toBeLessThanOrEqual(MOST_PIECES)
    for (const { start, end } of pieces) expect(end).toBeGreaterThan(start)
  })

  it('are at most 64, longer for a longer text, and leave the end of a huge one out', () => {
    const book = long(900)
    const pieces = piecesOf(book)
    expect(pieces.length).toBeLessThanOrEqual(MOST_PIECES)
    expect(pieces.at(-1)?.end).toBe(book.length)
    const huge = piecesOf(long(20_000))
    expect(huge).toHaveLength(MOST_PIECES)
    expect(piecesOf(long(20_000).repeat(6))).toEqual(huge)
  })

  it('are the same each time', () => {
    expect(piecesOf(long(300))).toEqual(piecesOf(long(300)))
  })
})

it('tokens are counted as by runs of letters, of digits, and signs', () => {
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
