import { describe, expect, test } from 'vitest'
import { type LayoutUnit, layOut, windowsOf } from './layout.js'
import type { ChunkKind, Definition } from './outline.js'

const LIMITS = { maxLines: 6, maxChars: 1000, wholeLines: 4, smallLines: 3, tinyLines: 1, mergedLines: 4, overlapLines: 2 }

const def = (kind: ChunkKind, startLine: number, endLine: number, parent = -1): Definition => ({
  ...{ name: 'd', kind, scope: [], parent, signature: '', doc: '', start: 0, end: 0, startLine, endLine },
})

/** Lines of ten characters, including the line end; those of `closing` only close something. */
const shown = (lines: number, definitions: readonly Definition[], input: Partial<typeof LIMITS> = {}, closing: readonly number[] = []) => {
  const text = Array.from({ length: lines }, (_, i) => (closing.includes(i + 1) ? '}        \n' : 'some text\n')).join('')
  const starts = Array.from({ length: lines + 1 }, (_, i) => i * 10)
  return layOut(text, starts, definitions, { ...LIMITS, ...input }).map(brief)
}
const brief = ({ start, end, owner, defs }: LayoutUnit): string => `${start}-${end} in ${owner} has ${defs.join(',')}`

describe('layout of a file', () => {
  test('keeps a short class whole and splits a longer one', () => {
    const members = [def('function', 2, 3, 0), def('function', 4, 4, 0)]
    expect(shown(4, [def('class', 1, 4), ...members])).toEqual(['1-4 in -1 has 0,1,2'])
    expect(shown(5, [def('class', 1, 5), ...members], {}, [5])).toEqual(['1-1 in 0 has 0', '2-3 in 0 has 1', '4-5 in 0 has 2'])
    // Far down the file it is as long as at its top.
    const below = members.map((member) => ({ ...member, startLine: member.startLine + 10, endLine: member.endLine + 10 }))
    expect(shown(14, [def('class', 11, 14), ...below]).at(-1)).toBe('11-14 in -1 has 0,1,2')
  })

  test('splits a class of few but long lines', () => {
    const members = [def('function', 2, 3, 0)]
    expect(shown(3, [def('class', 1, 3), ...members], { maxChars: 30 })).toEqual(['1-3 in -1 has 0,1'])
    expect(shown(3, [def('class', 1, 3), ...members], { maxChars: 29 })).toEqual(['1-1 in 0 has 0', '2-3 in 0 has 1'])
    const below = [def('class', 4, 6), def('function', 5, 6, 0)]
    expect(shown(6, below, { maxChars: 30 }).at(-1)).toBe('4-6 in -1 has 0,1')
  })

  test('does not make a module a result in place of its contents', () => {
    expect(shown(2, [def('module', 1, 2), def('function', 2, 2, 0)])).toEqual(['1-1 in 0 has 0', '2-2 in 0 has 1'])
    expect(shown(2, [def('module', 1, 2), def('other', 2, 2, 0)])).toEqual(['1-2 in -1 has 0,1'])
  })

  test('separates only inner functions of a long function that are not small', () => {
    const outer = def('function', 1, 7)
    expect(shown(7, [outer, def('function', 2, 3, 0), def('function', 4, 6, 0)])).toEqual([
      '1-3 in 0 has 0,1',
      '4-6 in 0 has 2',
      '7-7 in 0 has ',
    ])
    expect(shown(6, [{ ...outer, endLine: 6 }, def('function', 2, 5, 0)])).toEqual(['1-6 in -1 has 0,1'])
  })

  test('keeps definitions on one line in one unit', () => {
    expect(shown(3, [def('function', 2, 2), def('function', 2, 2)])).toEqual(['1-1 in -1 has ', '2-2 in -1 has 0,1', '3-3 in -1 has '])
    expect(shown(2, [def('function', 0, 0), def('function', 1, 2)])).toEqual(['1-1 in -1 has 0', '2-2 in -1 has 1'])
  })

  test('merges one-line constants up to a size', () => {
    const constants = (count: number): readonly Definition[] => Array.from({ length: count }, (_, i) => def('other', i + 1, i + 1))
    expect(shown(4, constants(4))).toEqual(['1-4 in -1 has 0,1,2,3'])
    expect(shown(5, constants(5))).toEqual(['1-4 in -1 has 0,1,2,3', '5-5 in -1 has 4'])
    expect(shown(4, constants(4), { maxChars: 20 })).toEqual(['1-2 in -1 has 0,1', '3-4 in -1 has 2,3'])
    // Behind other lines as well, and never with them.
    expect(shown(7, [def('function', 1, 4), def('other', 5, 5), def('other', 6, 6)])).toEqual([
      '1-4 in -1 has 0',
      '5-6 in -1 has 1,2',
      '7-7 in -1 has ',
    ])
    expect(shown(2, [def('other', 1, 1), def('function', 2, 2)])).toEqual(['1-1 in -1 has 0', '2-2 in -1 has 1'])
    expect(shown(4, [def('other', 1, 2), def('other', 3, 4)])).toEqual(['1-2 in -1 has 0', '3-4 in -1 has 1'])
  })

  test('assigns brackets and blank lines to the preceding unit, at the top to the next', () => {
    expect(shown(4, [def('function', 2, 3)], {}, [1, 4])).toEqual(['1-4 in -1 has 0'])
    expect(shown(2, [], {}, [1, 2])).toEqual(['1-2 in -1 has '])
  })

  test('cuts long units into windows', () => {
    expect(shown(6, [def('function', 1, 6)])).toEqual(['1-6 in -1 has 0'])
    expect(shown(7, [def('function', 1, 7)])).toEqual(['1-6 in 0 has 0', '5-7 in 0 has '])
    expect(shown(8, [def('function', 1, 8)])).toEqual(['1-6 in 0 has 0', '5-8 in 0 has '])
    expect(shown(3, [def('function', 1, 3)], { maxChars: 30 })).toEqual(['1-3 in -1 has 0'])
    expect(shown(3, [def('function', 1, 3)], { maxChars: 29 })).toEqual(['1-2 in 0 has 0', '3-3 in 0 has '])
    expect(shown(16, [def('other', 1, 9), def('function', 10, 15)]).slice(-2)).toEqual(['10-15 in -1 has 1', '16-16 in -1 has '])
  })
})

describe('windows', () => {
  const starts = Array.from({ length: 30 }, (_, i) => i * 10)
  const windows = (start: number, end: number, size: { lines: number; chars: number; overlap: number }): readonly string[] =>
    windowsOf({ start, end, owner: 7, defs: [] }, starts, size).map(brief)

  test('overlap by at most half of a window', () => {
    expect(windows(1, 10, { lines: 5, chars: 1000, overlap: 2 })).toEqual(['1-5 in 7 has ', '4-8 in 7 has ', '7-10 in 7 has '])
    expect(windows(1, 5, { lines: 3, chars: 1000, overlap: 2 })).toEqual(['1-3 in 7 has ', '3-5 in 7 has '])
  })

  test('contain a bounded number of characters and at least one line', () => {
    expect(windows(11, 14, { lines: 5, chars: 20, overlap: 0 })).toEqual(['11-12 in 7 has ', '13-14 in 7 has '])
    expect(windows(11, 13, { lines: 5, chars: 5, overlap: 2 })).toEqual(['11-11 in 7 has ', '12-12 in 7 has ', '13-13 in 7 has '])
  })
})
