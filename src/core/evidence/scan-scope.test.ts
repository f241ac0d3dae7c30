import { expect, it } from 'vitest'
import { checkPatterns, type ScanPatterns, scanScope } from './scan-scope.js'

const UNRESTRICTED_SCAN: ScanPatterns = { include: [], exclude: [], force: false }

const verdicts = (patterns: Parameters<typeof scanScope>[0], ...paths: readonly string[]) =>
  paths.map((path) => scanScope(patterns)(path.replace(/\/$/, ''), path.endsWith('/')))

it('accepts paths, base names and whole folders; a star crosses folders', () => {
  expect(
    verdicts(
      { ...UNRESTRICTED_SCAN, exclude: ['docs', '*.log', 'src/*/gen'] },
      'docs/',
      'a/docs/',
      'a/b.log',
      'src/a/b/gen/x.ts',
      'src/a.ts',
    ),
  ).toEqual(['leave', 'leave', 'leave', 'leave', 'take'])
  expect(verdicts({ ...UNRESTRICTED_SCAN, include: ['*.md', 'src'] }, 'a.md', 'x/y/b.md', 'src/', 'lib/', 'src/a.ts', 'lib/a.ts')).toEqual([
    'take',
    'take',
    'take',
    'take',
    'take',
    'leave',
  ])
})

it('captures hidden files only if a pattern contains the dot, and state of agents only with force', () => {
  const paths = ['.env', '.github/', '.github/workflows/', '.codex/', '.codex/a.md', '.git/', 'x/.codex/']
  expect(verdicts({ ...UNRESTRICTED_SCAN, include: ['*'] }, ...paths)).toEqual(['take', 'take', 'take', 'take', 'take', 'leave', 'take'])
  expect(verdicts({ ...UNRESTRICTED_SCAN, include: ['.github/workflows/*.yml'] }, '.github/', '.env')).toEqual(['named', 'leave'])
  expect(verdicts({ ...UNRESTRICTED_SCAN, force: true }, ...paths)).toEqual(['take', 'take', 'take', 'named', 'take', 'leave', 'take'])
  expect(verdicts(UNRESTRICTED_SCAN, 'sub/dist/', 'sub/target/', 'sub/dist')).toEqual(['leave', 'leave', 'take'])
})

it('rejects invalid patterns', () => {
  expect(() => checkPatterns([''], 'exclude_patterns')).toThrow('Invalid exclude_patterns.0')
  expect(() => checkPatterns(['x'.repeat(600)], 'include_patterns')).toThrow('Invalid include_patterns.0')
  expect(() => checkPatterns(['a[b', '(', '*'.repeat(400)], 'include_patterns')).not.toThrow()
})

it('applies force to the state of agents only, and enters hidden folders only', () => {
  expect(verdicts({ include: ['*.md'], exclude: [], force: true }, '.codex/a.txt', 'lib/a.txt')).toEqual(['take', 'leave'])
  expect(verdicts({ include: ['*.md'], exclude: [], force: false }, '.codex/a.txt')).toEqual(['leave'])
  expect(verdicts({ ...UNRESTRICTED_SCAN, include: ['*', '.github/x/a.yml'] }, '.github/', '.github', '.other/')).toEqual([
    'named',
    'take',
    'take',
  ])
})

it('limits the length and number of patterns', () => {
  expect(() => checkPatterns(['x'.repeat(500)], 'p')).not.toThrow()
  const many = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`)
  expect(() => checkPatterns(many(200), 'p')).not.toThrow()
  expect(() => checkPatterns(many(201), 'p')).toThrow('at most 200 patterns')
  expect(() => checkPatterns(['x'.repeat(501)], 'p')).toThrow('1 to 500 characters')
})
