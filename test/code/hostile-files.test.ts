import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { languageOf } from '../../src/core/code/languages.js'
import { shortenLines } from '../../src/core/files/generated-files.js'
import { whySkipped } from '../../src/core/files/skipped-files.js'
import { outlineMarkdown } from '../../src/parsers/markdown.js'
import { scanProject } from '../../src/readers/repo-scan.js'
import { readSource } from '../../src/readers/repo-source.js'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hostile-'))
  await writeFile(join(root, 'a.ts'), 'export const a = 1\n')
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function scanned(): Promise<readonly string[]> {
  const paths: string[] = []
  for await (const file of scanProject(root)) paths.push(file.path)
  return paths
}

const MILLION = 1_000_000

describe('texts of hostile files are read in one pass', () => {
  it('a header of a million blank lines', () => {
    const blank = '\n'.repeat(MILLION)
    expect(languageOf('a.h', blank)).toBe('c')
    expect(languageOf('a.h', `${blank}\u00a0 class Owl {};`)).toBe('cpp')
    expect(languageOf('a.h', ' '.repeat(MILLION))).toBe('c')
    expect(whySkipped('a.cpp', { size: 1 }, `${blank}class Owl {};`)).toBeNull()
    expect(shortenLines(blank)).toBe(blank)
  })

  it.each([
    ['padded by spaces', `# Owls${' '.repeat(9_000)}x`, ['Owls']],
    ['closed by signs', `## Owls ${'#'.repeat(9_000)}`, ['Owls']],
    ['of signs between spaces', `# ${'# '.repeat(4_500)}`, [`${'# '.repeat(100)}`]],
    ['with brackets that nothing closes', `# ${'['.repeat(9_000)}`, ['['.repeat(200)]],
    ['with links that nothing closes', `# ${'[a]('.repeat(2_000)}`, ['[a]('.repeat(50)]],
    ['with links', '# See ![the owl](o.png) and [more](http://x)', ['See the owl and more']],
  ])('the time of a Markdown heading %s is linear', (_, line, titles) => {
    const text = `${line}\n\n`.repeat(100)
    const names = outlineMarkdown(text).definitions.map((definition) => definition.name)
    expect(names).toHaveLength(100)
    expect([...new Set(names)]).toEqual(titles)
  })

  it('ignore rules that are exponential as regular expressions', async () => {
    const rules = ['**/'.repeat(100), `${'*a'.repeat(100)}b`, `${'a*'.repeat(40)}b`, `${'[a-z]*'.repeat(60)}!`]
    await writeFile(join(root, '.gitignore'), `${rules.join('\n')}\nlog\n`)
    for (const name of ['a'.repeat(250), 'log', 'kept.ts']) await writeFile(join(root, name), 'x')
    expect(await scanned()).toEqual(['a.ts', 'a'.repeat(250), 'kept.ts'].sort())
  })

  it('rule files above the cost limit exclude their folder', async () => {
    await mkdir(join(root, 'sub'))
    await writeFile(join(root, 'sub', '.gitignore'), '*a*b\n'.repeat(5_000))
    await writeFile(join(root, 'sub', 'b.ts'), 'x')
    expect(await scanned()).toEqual(['a.ts'])
  })
})

describe.skipIf(process.platform === 'win32')('only regular files are read', () => {
  const pipe = (...path: string[]): void => void execFileSync('mkfifo', [join(root, ...path)])

  it('does not read a rule file or Git folder that is a pipe, a device or a socket', async () => {
    pipe('.gitignore')
    pipe('.memoryignore')
    pipe('.git')
    expect(await scanned()).toEqual(['a.ts'])
    await rm(join(root, '.gitignore'))
    await rm(join(root, '.git'))
    await symlink('/dev/zero', join(root, '.gitignore'))
    await symlink('/dev/zero', join(root, '.git'))
    expect(await scanned()).toEqual(['a.ts'])
    await rm(join(root, '.git'))
    await mkdir(join(root, '.git', 'info'), { recursive: true })
    pipe('.git', 'info', 'exclude')
    expect(await scanned()).toEqual(['a.ts'])
  })

  it('does not read an endless pointer to a Git folder', async () => {
    await writeFile(join(root, '.git'), `gitdir: ${join(root, 'elsewhere')}\n`)
    await mkdir(join(root, 'elsewhere'))
    await symlink('/dev/zero', join(root, 'elsewhere', 'commondir'))
    expect(await scanned()).toEqual(['a.ts'])
  })

  it('does not read a source file replaced by a pipe, a device or a socket', async () => {
    pipe('b.ts')
    await symlink('/dev/zero', join(root, 'c.ts'))
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(join(root, 'd.ts'), resolve))
    try {
      expect(await scanned()).toEqual(['a.ts'])
      for (const path of ['b.ts', 'c.ts', 'd.ts'])
        expect((await readSource({ path, absolute: join(root, path) })).skipped, path).toMatch(/gone|unreadable/)
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
