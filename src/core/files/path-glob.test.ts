import { describe, expect, it } from 'vitest'
import { pathGlob } from './path-glob.js'

describe('pathGlob', () => {
  it.each([
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['src/**/*.ts', 'lib/a.ts', false],
    ['src/*.ts', 'src/a/b.ts', false],
    ['*.ts', 'deep/down/a.ts', true],
    ['src/auth', 'src/auth/token.ts', true],
    ['src/auth/', 'src/auth/token.ts', true],
    ['src/auth', 'src/authority.ts', false],
    ['./src/a.ts', 'src/a.ts', true],
    ['**/test/**', 'a/test/b/c.py', true],
    ['src/{a,b}.ts', 'src/b.ts', true],
    ['src/?.ts', 'src/ab.ts', false],
    ['a.c', 'abc', false],
    ['a+b(1).ts', 'a+b(1).ts', true],
    ['[x].ts', '[x].ts', true],
    ['*d**/x', 'addx', true],
    ['*d**//x', 'add/x', true],
  ])('%s against %s', (pattern, path, expected) => {
    expect(pathGlob(pattern)(path)).toBe(expected)
  })

  it('rejects invalid patterns', () => {
    expect(() => pathGlob('  ')).toThrow('Invalid path')
    expect(pathGlob(` ${'a'.repeat(500)} `)('a'.repeat(500))).toBe(true)
    expect(() => pathGlob('a'.repeat(501))).toThrow('1 to 500 characters')
    expect(() => pathGlob('src/{a,b')).toThrow('braces')
    expect(() => pathGlob('src/[')).toThrow('brackets')
  })
})
