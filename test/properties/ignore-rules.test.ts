import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IgnoreList, parseIgnoreRules } from '../../src/core/files/ignore-rules.js'

function rulesOf(text: string, { ignoreCase }: { readonly ignoreCase: boolean }): IgnoreList {
  const rules = parseIgnoreRules(text, { ignoreCase, maxCost: Number.POSITIVE_INFINITY })
  if (rules === null) throw new Error('no limit was given')
  return rules
}

const hasGit = spawnSync('git', ['--version']).status === 0

/** Files; the folders above them are entries, too. */
const FILES = [
  'a', 'b', 'ab', 'ba', 'aab', 'A', 'a b', 'b ', 'a*b', 'a?b', '[ab]', 'a-b', '#a', '!a', 'a\\b', 'a]', '1',
  'd/a', 'd/b', 'd/ab', 'd/b1', 'd/e/a', 'd/e/b', 'd/e/f/a', 'd/e/f/ab', 'da/b', 'da/e/b', 'bd/a', 'e/d/a', 'e/d/b', 'e/a b/b',
  'f/a.b', 'f/b.a', 'f/a.b.a', 'f/d/a.b', 'f/d/e/b.a', 'x-/a', 'x-/b/a', '0/a',
] // biome-ignore format: names are compared at a glance
const ENTRIES = [...new Set(FILES.flatMap((file) => file.split('/').map((_, index, steps) => steps.slice(0, index + 1).join('/'))))].sort()
const FOLDERS = new Set(
  FILES.flatMap((file) =>
    file
      .split('/')
      .slice(0, -1)
      .map((_, index, steps) => steps.slice(0, index + 1).join('/')),
  ),
)

const piece = fc.constantFrom(
  'a', 'b', 'd', 'e', 'f', 'a', 'b', 'd', '1', 'A', '*', '*', '**', '***', '?', '/', '/', '/', '.', ' ', '\\', '\\*', '\\ ', '#', '!', '-', ']',
  '[ab]', '[!a]', '[^b]', '[a-d]', '[d-a]', '[]a]', '[!]a]', '[a', '[[:alpha:]]', '[[:digit:][:punct:]]', '[[:nope:]]', '[[:alpha]', '[\\]]', '[a\\-b]', '[-a]', '[a-]', '[/]', '[a/]', '**/', '/**', '/**/', 'd/', 'e/',
) // biome-ignore format: pieces are compared at a glance
const rule = fc.tuple(
  fc.constantFrom('', '', '', '!', '/', '!/', '**/', '\\'),
  fc.array(piece, { maxLength: 5 }),
  fc.constantFrom('', '', '', '/', ' ', '  ', '\\ ', '\t', '\r', '/**'),
)
const line = rule.map(([head, pieces, tail]) => `${head}${pieces.join('')}${tail}`)
const rules = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n'))

/** Like a scan: entries of an excluded folder are never checked. */
function leftOut(path: string, lists: ReadonlyMap<string, IgnoreList>): boolean {
  const steps = path.split('/')
  for (let depth = 1; depth <= steps.length; depth++) {
    const entry = steps.slice(0, depth).join('/')
    let ignored = false
    for (let above = depth - 1; above >= 0; above--) {
      const base = steps.slice(0, above).join('/')
      const verdict = lists.get(base)?.verdict(base === '' ? entry : entry.slice(base.length + 1), FOLDERS.has(entry)) ?? 'none'
      if (verdict === 'none') continue
      ignored = verdict === 'ignored'
      break
    }
    if (ignored) return true
  }
  return false
}

describe.runIf(hasGit)('ignore rules mean what Git says they mean (needs the git command)', () => {
  let root: string
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'rules-'))
    execFileSync('git', ['init', '-q', root])
    execFileSync('git', ['-C', root, 'config', 'core.ignorecase', 'false'])
    for (const file of FILES) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), '')
    }
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const byGit = (): readonly string[] => {
    const { stdout, stderr } = spawnSync('git', ['-C', root, 'check-ignore', '--no-index', '-z', '--stdin'], {
      input: `${ENTRIES.join('\0')}\0`,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    return stdout.split('\0').filter((path) => path !== '')
  }

  it('for random rules in one and in two folders', () => {
    fc.assert(
      fc.property(rules, fc.option(rules), (top, inner) => {
        writeFileSync(join(root, '.gitignore'), top)
        writeFileSync(join(root, 'd', '.gitignore'), inner ?? '')
        const lists = new Map([top, inner ?? ''].map((text, index) => [index === 0 ? '' : 'd', rulesOf(text, { ignoreCase: false })]))
        expect(ENTRIES.filter((path) => leftOut(path, lists))).toEqual([...byGit()].sort())
      }),
      { numRuns: Number(process.env.RULE_RUNS ?? 120) },
    )
  })
})
