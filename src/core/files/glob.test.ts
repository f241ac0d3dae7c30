import { describe, expect, it } from 'vitest'
import { anything, compileGlob, exactly, type GlobPart, inName } from './glob.js'
import { type IgnoreList, parseIgnoreRules } from './ignore-rules.js'
import { pathGlob } from './path-glob.js'

function rulesOf(text: string, { ignoreCase }: { readonly ignoreCase: boolean }): IgnoreList {
  const rules = parseIgnoreRules(text, { ignoreCase, maxCost: Number.POSITIVE_INFINITY })
  if (rules === null) throw new Error('no limit was given')
  return rules
}

const LONG = `${'a/'.repeat(2_000)}${'a'.repeat(250)}b`

describe('no regular expression is built from input', () => {
  it.each([
    ['folders twenty times', '**/'.repeat(20), true],
    ['stars between letters', '*a'.repeat(15), false],
    ['stars between letters, crossing folders', `${'**a'.repeat(100)}c`, false],
    ['stars that fit', `**${'a**'.repeat(100)}b`, true],
    ['nested choices', `**/${'{a,'.repeat(80)}a*${'}'.repeat(80)}c`, false],
    ['one of two, a hundred times', `${'{a,a/}'.repeat(80)}**/*c`, false],
    ['any character after a star', `**a${'?'.repeat(400)}c`, false],
  ])('a path pattern of %s ends', (_, pattern, expected) => {
    expect(pathGlob(pattern)(LONG)).toBe(expected)
  })

  it.each(['my-file.ts', 'a-b/c-d.ts', 'a^b$.ts', 'a|b.ts', 'x-.ts'])('signs of expressions in %s stand for themselves', (path) => {
    expect(pathGlob(path)(path)).toBe(true)
    expect(pathGlob(path)(path.replace(/[-^|]/, 'x'))).toBe(false)
  })

  it.each(['**/'.repeat(500), '*a'.repeat(500), `[${'[:'.repeat(2_000)}]*`, `*${'[a-z]'.repeat(500)}`, `**/*${'a*'.repeat(500)}/x`])(
    'a rule of %j ends',
    (rule) => {
      const rules = rulesOf(`${`${rule}\n`.repeat(5)}kept\n!b*`, { ignoreCase: false })
      expect(rules.verdict('kept', false)).toBe('ignored')
      expect(rules.verdict('b'.repeat(200), false)).toBe('kept')
      expect(['ignored', 'none']).toContain(rules.verdict(LONG, false))
    },
  )

  it('limits its cache without changing results', () => {
    const either = (letter: string): GlobPart => ({ takes: 'either', choices: [[exactly(letter)], [exactly('b')]] })
    const glob = compileGlob([{ takes: 'any', accepts: anything }, either('a'), ...Array.from({ length: 60 }, () => either('c'))])
    let text = ''
    for (let i = 1; i < 20_000; i++) text += (i * 2_654_435_761) % 4_294_967_296 > 2_147_483_648 ? 'b' : 'c'
    expect(glob.matches(`${text}a${'c'.repeat(60)}`)).toBe(true)
    expect(glob.matches(`${text}a${'c'.repeat(59)}a`)).toBe(false)
  })
})

describe('a glob', () => {
  it('matches characters, not halves of surrogate pairs', () => {
    const matcher = compileGlob([{ takes: 'one', accepts: inName }])
    expect(['é', '🦉', '🦉🦉', '\uffffa', '/', ''].map(matcher.matches)).toEqual([true, true, false, false, false, false])
  })

  it('of an ignore rule counts characters, and folds case if the file system does', () => {
    expect(rulesOf('caf?', { ignoreCase: false }).verdict('café', false)).toBe('ignored')
    expect(rulesOf('*.LOG\nTemp', { ignoreCase: true }).verdict('x/a.log', false)).toBe('ignored')
    expect(rulesOf('*.LOG\nTemp', { ignoreCase: false }).verdict('x/a.log', false)).toBe('none')
  })
})
