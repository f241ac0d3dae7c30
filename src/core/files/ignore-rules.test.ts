import { describe, expect, test } from 'vitest'
import { parseIgnoreRules } from './ignore-rules.js'

/** Equal to `git check-ignore`. A path that ends with a slash is a folder. */
const RULES: readonly (readonly [rules: string, ignored: string, others: string])[] = [
  // Classes of characters.
  ['x[ab]', 'xa xb', 'xc x[ x'],
  ['x[!ab]', 'xc x!', 'xa xb'],
  ['x[^ab]', 'xc x^', 'xa xb'],
  ['x[]a]', 'x] xa', 'xb'],
  ['x[!]a]', 'xb', 'x] xa'],
  ['x[a-d]', 'xa xb xd', 'xe x- x`'],
  ['x[a-d-f]', 'xb x- xf', 'xe'],
  ['x[-a]', 'x- xa', 'xb'],
  ['x[a-]', 'xa x-', 'xb x]'],
  ['x[a-\\d]', 'xb xd', 'x\\ xe'],
  ['x[d-a]', 'xd', 'xa xb x-'],
  ['x[\\]]', 'x]', 'x\\'],
  ['x[\\a]', 'xa', 'x\\'],
  ['x[[:digit:]]', 'x5', 'xd x: xa'],
  ['x[[:digit:][:upper:]z]', 'x5 xQ xz', 'xq xd'],
  ['x[[:digit:]-z]', 'x5 x- xz', 'xy'],
  ['x[][:digit:]]', 'x] x5', 'xd'],
  ['x[[:punct:][:space:]]', 'x! x~ x\t', 'xa'],
  ['x[[:y]', 'x[ x: xy', 'xz'],
  ['x[[:]', 'x[ x:', 'xz'],
  ['x[a:b:]', 'xa x: xb', 'xc'],
  ['x[[:nope:]]', '', 'xn x: x]'],
  ['x[[:digit', '', 'x5 x[[:digit'],
  ['x[a', '', 'xa x[a'],
  ['x[a-', '', 'xa x-'],
  ['x[a\\', '', 'xa'],
  ['x[a/]b', 'xab', 'x/b xcb'],
  // Names and paths.
  ['a', 'a x/a a/', 'b'],
  ['/a', 'a', 'x/a'],
  ['d/a', 'd/a', 'x/d/a a'],
  ['a/', 'a/ x/a/', 'a x/a'],
  ['a*/', 'ab/', 'ab'],
  ['*.log', '.log y.log x/y.log', 'log xlog'],
  ['d/*.log', 'd/x.log', 'd/e/x.log x.log'],
  ['?ab', 'xab d/xab', 'ab xxab'],
  ['*/ab', 'x/ab', 'ab x/y/ab'],
  ['d/a?', 'd/ab', 'ab x/d/ab'],
  ['a\n!a', '', 'a'],
  ['!a\na', 'a', ''],
  ['a?\n!ab', 'ac', 'ab'],
  ['!ab\na?', 'ab ac', ''],
  ['*.log\n!y.log', 'x.log', 'y.log'],
  ['a\n!a/', 'a', 'a/'],
  // Lines that are written otherwise.
  ['#a', '', '#a a'],
  ['\\#a', '#a', ''],
  ['a  ', 'a', ''],
  ['a?  ', 'ab', ''],
  ['a\r', 'a', ''],
  ['a\\', '', 'a a\\'],
  ['a\\b', 'ab', 'a\\b'],
  // Two stars.
  ['**/a', 'a x/a x/y/a', 'xa'],
  ['**/b*', 'b x/b/b x/bc/d/bc', 'x/c'],
  ['d/**', 'd/a d/e/a', 'd/ x/d/a'],
  ['d/**/a', 'd/a d/e/a d/e/f/a', 'da d/ea'],
  ['d/**a', 'd/xa d/a', 'd/e/a'],
  ['d/x**', 'd/xa', 'd/ya'],
  ['d**/b', 'd/b da/b db', 'b'],
  ['?**/b', 'xy/b', 'x/y/b'],
  ['?/**/b', 'x/b x/y/z/b', 'b'],
  ['d/**\\/a', 'd/e/a d/e/f/a', 'd/a'],
  ['d/**\\a', 'd/xa', 'd/e/a'],
  ['d/***/a', 'd/a d/e/f/a', 'da'],
]

const listed = (paths: string): readonly string[] => paths.split(' ').filter((path) => path !== '')

describe('ignore rules', () => {
  test.each(RULES)('%j', (text, ignored, others) => {
    const rules = parseIgnoreRules(text, { ignoreCase: false, maxCost: Number.POSITIVE_INFINITY })
    const paths = [...listed(ignored), ...listed(others)]
    const found = paths.filter((path) => rules?.verdict(path.replace(/\/$/, ''), path.endsWith('/')) === 'ignored')
    expect(found).toEqual(listed(ignored))
  })

  test('keeps a trailing space only after a backslash', () => {
    for (const text of ['a\\ ', 'a\\  ']) {
      const rules = parseIgnoreRules(text, { ignoreCase: false, maxCost: 100 })
      expect(['a ', 'a', 'a  '].map((path) => rules?.verdict(path, false))).toEqual(['ignored', 'none', 'none'])
    }
  })

  test('have a cost by their wildcards, and are rejected above a limit', () => {
    // Two places and the end, and the two characters that are read once more.
    expect(parseIgnoreRules('a?\nb', { ignoreCase: false, maxCost: 5 })?.cost).toBe(5)
    expect(parseIgnoreRules('a?\nb', { ignoreCase: false, maxCost: 4 })).toBeNull()
  })
})
