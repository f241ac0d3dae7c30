import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findProject, type ScanSkip, scanProject } from './repo-scan.js'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'scan-')))
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

async function scan(path = root) {
  const skips: [string, ScanSkip][] = []
  const paths: string[] = []
  for await (const file of scanProject(path, { onSkip: (skipped, reason) => skips.push([skipped, reason]) })) paths.push(file.path)
  return { paths, skips }
}

describe('scanning', () => {
  it('lists path, size and time of every file', async () => {
    await write({ 'src/a.ts': 'abc', 'b.ts': '' })
    const files = []
    for await (const file of scanProject(root)) files.push(file)
    expect(files).toMatchObject([
      { path: 'b.ts', size: 0 },
      { path: 'src/a.ts', absolute: join(root, 'src/a.ts'), size: 3 },
    ])
    expect(files.every((file) => Number.isSafeInteger(file.mtimeUs) && file.mtimeUs > 1e15)).toBe(true)
  })

  it('omits hidden entries and dependencies', async () => {
    await write({ '.env': '', '.github/x.yml': '', 'node_modules/a/i.js': '', 'src/a.ts': '', 'src/venv/b.py': '' })
    expect((await scan()).paths).toEqual(['src/a.ts'])
  })

  it('omits and reports build output at the root of a project, and reads the same names elsewhere as sources', async () => {
    await write({
      'dist/a.js': '',
      'src/build/plan.ts': '',
      'src/target/aim.rs': '',
      'packages/one/package.json': '{}',
      'packages/one/out/b.js': '',
      'packages/one/src/out/c.ts': '',
    })
    const { paths, skips } = await scan()
    expect(paths).toEqual(['packages/one/package.json', 'packages/one/src/out/c.ts', 'src/build/plan.ts', 'src/target/aim.rs'])
    expect(skips).toEqual([
      ['dist', 'build_folder'],
      ['packages/one/out', 'build_folder'],
    ])
  })

  it('scans node_modules if it is the root, ignoring rules above it', async () => {
    await write({ '.git/HEAD': '', '.gitignore': 'node_modules/\n', 'node_modules/a/i.js': '', 'node_modules/a/dist/b.js': '' })
    expect((await scan(join(root, 'node_modules'))).paths).toEqual(['a/i.js', 'a/dist/b.js'])
  })

  it('honours nested rules, negation and .memoryignore', async () => {
    await write({
      '.gitignore': '*.log\n/private/\n*.gen.ts\n',
      '.memoryignore': 'docs/\n!build/\n',
      'a.log': '',
      'src/a.gen.ts': '',
      'private/x.ts': '',
      'src/private/y.ts': '',
      'docs/d.md': '',
      'build/tool.ts': '',
      'keep/.gitignore': '!*.log\nonly-here.ts\n',
      'keep/b.log': '',
      'keep/only-here.ts': '',
      'src/only-here.ts': '',
    })
    expect((await scan()).paths).toEqual(['build/tool.ts', 'keep/b.log', 'src/only-here.ts', 'src/private/y.ts'])
  })

  it('keeps a folder that a deeper rule file restores, except entries ignored by name', async () => {
    await write({
      '.git/HEAD': '',
      '.gitignore': 'data\n*.log\nodd [name]\n',
      'data/x.ts': '',
      'sub/.gitignore': '!/data\n!/odd*\n',
      'sub/data/a.ts': '',
      'sub/data/b.log': '',
      'sub/data/deep/c.ts': '',
      'sub/data/deep/data/d.ts': '',
      'sub/odd [name]/e.ts': '',
    })
    const kept = ['sub/data/a.ts', 'sub/data/deep/c.ts', 'sub/odd [name]/e.ts']
    expect((await scan()).paths).toEqual(kept)
    expect((await scan(join(root, 'sub/data'))).paths).toEqual(['a.ts', 'deep/c.ts'])
  })

  it('follows the exclude file that all worktrees of a clone share, and that of a submodule', async () => {
    await write({
      'clone/.git/info/exclude': 'mine.ts\n',
      'clone/.git/worktrees/tree/commondir': '../..\n',
      'tree/.git': `gitdir: ${join(root, 'clone/.git/worktrees/tree')}\n`,
      'tree/mine.ts': '',
      'tree/ours.ts': '',
      'clone/.git/modules/part/info/exclude': 'own.ts\n',
      'clone/part/.git': 'gitdir: ../.git/modules/part\n',
      'clone/part/own.ts': '',
      'clone/part/a.ts': '',
    })
    expect((await scan(join(root, 'tree'))).paths).toEqual(['ours.ts'])
    expect((await scan(join(root, 'clone/part'))).paths).toEqual(['a.ts'])
  })

  it('applies the rules of the folders above up to the Git root', async () => {
    await write({
      '.git/info/exclude': 'secret.ts\n',
      '.gitignore': '/packages/*/skip.ts\n*.tmp\n',
      'packages/a/skip.ts': '',
      'packages/a/x.tmp': '',
      'packages/a/secret.ts': '',
      'packages/a/ok.ts': '',
    })
    expect((await scan(join(root, 'packages/a'))).paths).toEqual(['ok.ts'])
  })

  it('tolerates rule files with errors', async () => {
    await write({ '.gitignore': '[z-a\n\\\n!\n(\u0000\nbad.ts\n', 'bad.ts': '', 'good.ts': '' })
    await mkdir(join(root, 'sub', '.gitignore'), { recursive: true })
    await write({ 'sub/x.ts': '' })
    expect((await scan()).paths).toEqual(['good.ts', 'sub/x.ts'])
  })

  it('follows no links, in loops or out of the tree', async () => {
    await write({ 'src/a.ts': '' })
    await symlink(root, join(root, 'src', 'loop'))
    await symlink('/etc/hostname', join(root, 'out.txt'))
    await symlink('nowhere', join(root, 'broken.ts'))
    const { paths, skips } = await scan()
    expect(paths).toEqual(['src/a.ts'])
    expect(skips).toEqual([
      ['broken.ts', 'symlink'],
      ['out.txt', 'symlink'],
      ['src/loop', 'symlink'],
    ])
  })

  it('accepts names with newlines and counts names that are not UTF-8', async () => {
    await write({ 'a\nb.ts': '', 'with space é.ts': '' })
    await writeFile(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff, 0xfe]), Buffer.from('.ts')]), '')
    await mkdir(Buffer.concat([Buffer.from(`${root}/dir`), Buffer.from([0xff])]))
    const { paths, skips } = await scan()
    expect(paths).toEqual(['a\nb.ts', 'with space é.ts'])
    expect(skips.map(([, reason]) => reason)).toEqual(['name', 'name'])
  })

  it('stops when cancelled', async () => {
    await write({ 'a.ts': '', 'b/c.ts': '' })
    const stop = new AbortController()
    const files = scanProject(root, { signal: stop.signal })
    await files.next()
    stop.abort()
    await expect(files.next()).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('paths that cannot be indexed', () => {
  it.each(['/', '', '/no/such/folder', 'a\0b'])('%j is refused', async (path) => {
    await expect(findProject(path)).rejects.toMatchObject({ code: 'invalid_input', message: `Invalid path: ${path}` })
  })

  it('rejects a file', async () => {
    await write({ 'a.ts': '' })
    await expect(findProject(join(root, 'a.ts'))).rejects.toMatchObject({ message: `Invalid path: ${join(root, 'a.ts')}` })
  })

  it.runIf(process.getuid?.() !== 0)('rejects a folder without permission', async () => {
    await chmod(root, 0)
    await expect(findProject(root)).rejects.toMatchObject({ code: 'invalid_input' })
    await chmod(root, 0o700)
  })
})

describe('project of a path', () => {
  it('is the Git root, including one whose .git is a file, otherwise the path', async () => {
    await write({ 'repo/.git': 'gitdir: elsewhere', 'repo/src/a.ts': '', 'plain/a.ts': '' })
    expect(await findProject(join(root, 'repo/src'))).toEqual({
      path: join(root, 'repo/src'),
      root: join(root, 'repo'),
      name: 'repo',
      git: true,
    })
    expect(await findProject(join(root, 'plain'))).toMatchObject({ root: join(root, 'plain'), name: 'plain', git: false })
  })

  it('expands ~ to the home folder', async () => {
    vi.stubEnv('HOME', root)
    await write({ 'repo/a.ts': '' })
    expect((await findProject('~/repo')).path).toBe(join(root, 'repo'))
    expect((await findProject('~')).path).toBe(root)
    await expect(findProject('~repo')).rejects.toMatchObject({ message: 'Invalid path: ~repo' })
    vi.unstubAllEnvs()
  })

  it('resolves a link to it', async () => {
    await write({ 'repo/a.ts': '' })
    await symlink(join(root, 'repo'), join(root, 'link'))
    expect((await findProject(join(root, 'link'))).path).toBe(join(root, 'repo'))
  })
})
