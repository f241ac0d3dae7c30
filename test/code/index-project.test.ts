import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import { call, dump, freshDump, makeProject, open, paths, removeTemporaryFolders, temporaryFolder, writeTree } from './workbench.js'

let dataDir: string
let engine: Engine

beforeEach(async () => {
  dataDir = temporaryFolder('data')
  engine = await open(dataDir)
})
afterEach(() => engine.close())
afterAll(removeTemporaryFolders)

const APP = {
  'src/token.ts': 'export function verifyToken(token: string): boolean {\n  return token.length > 3\n}\n',
  'src/login.ts':
    "import { verifyToken } from './token.js'\n\nexport function login(token: string) {\n  if (!verifyToken(token)) throw new Error('denied')\n}\n",
  'README.md': '# App\n\nSigns people in.\n',
}

const index = (path: string): Promise<Record<string, unknown>> => call(engine, 'index_project', { path })
const status = (project: string): Promise<Record<string, unknown>> => call(engine, 'get_index_status', { project_id: project })
const search = (query: string, more = {}): Promise<Record<string, unknown>> => call(engine, 'search_code', { query, ...more })

describe('index_project', () => {
  it('makes a folder searchable and reports it', async () => {
    const root = makeProject('app', APP)
    expect(await index(root)).toMatchObject({ project_id: 'app', files_indexed: 3, files_changed: 3, files_removed: 0 })
    expect(await status('app')).toMatchObject({ status: 'completed', total_files: 3, indexed_files: 3, progress_percent: 100, path: root })
    expect(paths(await search('verify the token'))[0]).toBe('src/token.ts')
  })

  it('updates only what changed, and follows renames and deletions', async () => {
    const root = makeProject('app', APP)
    await index(root)
    expect(await index(root)).toMatchObject({ files_changed: 0, files_removed: 0, files_indexed: 3 })
    appendFileSync(join(root, 'src/token.ts'), 'export const secondFactor = () => 42\n')
    renameSync(join(root, 'src/login.ts'), join(root, 'src/sign-in.ts'))
    rmSync(join(root, 'README.md'))
    expect(await index(root)).toMatchObject({ files_changed: 2, files_removed: 2, files_indexed: 2 })
    expect(paths(await search('secondFactor'))[0]).toBe('src/token.ts')
    expect(dump(dataDir, 'app')).toEqual(await freshDump(root, 'app'))
  })

  it('keeps the id of a function that an edit elsewhere only moved', async () => {
    const body = Array.from({ length: 40 }, (_, i) => `  const value${i} = ${i}`).join('\n')
    const root = makeProject('app', { 'a.ts': `export function kept() {\n${body}\n}\n` })
    await index(root)
    const before = await search('kept')
    writeFileSync(
      join(root, 'a.ts'),
      `export function added() {\n${body.replaceAll('value', 'other')}\n}\n\n${readFileSync(join(root, 'a.ts'), 'utf8')}`,
    )
    await index(root)
    const after = await search('kept')
    expect(resultsOf(after)[0]).toMatchObject({ id: resultsOf(before)[0]?.id, name: 'kept', start_line: 44 })
  })

  it('does not read a file again whose time alone changed', async () => {
    const root = makeProject('app', APP)
    await index(root)
    const before = dump(dataDir, 'app')
    utimesSync(join(root, 'src/token.ts'), 1_600_000_000, 1_600_000_000)
    expect(await index(root)).toMatchObject({ files_changed: 1 })
    expect(dump(dataDir, 'app')).toEqual(before)
    expect(await index(root)).toMatchObject({ files_changed: 0 })
  })

  it('is visible immediately to another process on the same store', async () => {
    const root = makeProject('app', APP)
    const other = await open(dataDir)
    try {
      expect(await call(other, 'search_code', { query: 'verify the token' })).toMatchObject({ count: 0 })
      await index(root)
      expect(paths(await call(other, 'search_code', { query: 'verifyToken' }))[0]).toBe('src/token.ts')
      writeTree(root, { 'src/token.ts': 'export function checkTicket() {}\n' })
      await index(root)
      expect(paths(await call(other, 'search_code', { query: 'checkTicket' }))[0]).toBe('src/token.ts')
      expect(JSON.stringify(await call(other, 'search_code', { query: 'verifyToken' }))).not.toContain('function verifyToken')
      await call(other, 'delete_project', { project_id: 'app' })
      expect(await search('checkTicket')).toMatchObject({ count: 0 })
    } finally {
      await other.close()
    }
  })

  it('serves concurrent callers, in one process and in two', async () => {
    const root = makeProject('app', APP)
    const other = await open(dataDir)
    try {
      const answers = await Promise.all([
        index(root),
        index(root),
        call(other, 'index_project', { path: root }),
        call(other, 'index_project', { path: root }),
      ])
      for (const answer of answers) expect(answer).toMatchObject({ project_id: 'app', files_indexed: 3 })
      expect(await call(engine, 'list_projects', {})).toEqual({ projects: ['app'], count: 1 })
      expect(dump(dataDir, 'app')).toEqual(await freshDump(root, 'app'))
    } finally {
      await other.close()
    }
  })

  it('keeps two folders with the same name apart permanently', async () => {
    const [value, two] = [makeProject('app', { 'a.py': 'def one(): pass\n' }), makeProject('app', { 'b.py': 'def two(): pass\n' })]
    const first = await index(value)
    const second = await index(two)
    expect(first.project_id).toBe('app')
    expect(second.project_id).toMatch(/^app-[0-9a-f]{4}$/)
    expect(await index(two)).toMatchObject({ project_id: second.project_id })
    expect(paths(await search('two', { project_id: second.project_id }))).toEqual(['b.py'])
  })

  it('names a project after its Git root', async () => {
    const root = makeProject('whole', { 'packages/part/a.ts': 'export const a = 1\n', 'other.ts': 'export const b = 2\n' })
    mkdirSync(join(root, '.git'))
    expect(await index(join(root, 'packages/part'))).toMatchObject({ project_id: 'whole', files_indexed: 1 })
  })

  it('stops when cancelled, reports it, and continues from there', async () => {
    const root = makeProject(
      'app',
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}.py`, `def f${i}():\n    return ${i}\n`])),
    )
    const abort = new AbortController()
    const cancelled = call(
      engine,
      'index_project',
      { path: root },
      { signal: abort.signal, progress: (done) => (done > 100 ? abort.abort() : undefined) },
    )
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
    const halfway = await status('app')
    expect(halfway).toMatchObject({ status: 'failed', completed_at: null, error_message: expect.stringContaining('cancelled') })
    expect(halfway.indexed_files).toBeLessThan(300)
    expect(await index(root)).toMatchObject({ files_indexed: 300, files_changed: 300 - Number(halfway.indexed_files) })
    expect(await status('app')).toMatchObject({ status: 'completed' })
  })
})

describe('bad input', () => {
  it.each([
    ['no such folder', '/no/such/folder'],
    ['nothing', ''],
    ['the root of the file system', '/'],
  ])('refuses %s', async (_what, path) => {
    await expect(index(path)).rejects.toThrow(`Invalid path: ${path}`)
    expect(await call(engine, 'list_projects', {})).toEqual({ projects: [], count: 0 })
  })

  it('rejects a file', async () => {
    const root = makeProject('app', APP)
    await expect(index(join(root, 'README.md'))).rejects.toThrow('Invalid path')
  })

  it('names an unknown project', async () => {
    for (const tool of ['get_index_status', 'delete_project'])
      await expect(call(engine, tool, { project_id: 'nope' })).rejects.toThrow('Project not found: nope')
    await expect(search('x', { project_id: 'nope' })).rejects.toThrow('Project not found: nope')
  })

  it('skips and counts links, special and unreadable names, huge and binary files', async () => {
    const root = makeProject('app', {
      'a.ts': 'export const a = 1\n',
      'line\nbreak.ts': 'export const b = 2\n',
      '.gitignore': '[\n***/\n\\\nsecret.ts\n',
      'secret.ts': 'export const c = 3\n',
    })
    symlinkSync(root, join(root, 'loop'))
    symlinkSync('/etc', join(root, 'outside'))
    execFileSync('mkfifo', [join(root, 'pipe.ts')])
    writeFileSync(join(root, 'blob.ts'), Buffer.from([0, 1, 2, 0]))
    writeFileSync(join(root, 'min.js'), `var a=1;${'x=1;'.repeat(20_000)}`)
    writeFileSync(join(root, 'big.ts'), '')
    truncateSync(join(root, 'big.ts'), 200 * 1024 * 1024)
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.ts')]), 'export const d = 4\n')
    expect(await index(root)).toMatchObject({ files_indexed: 2, files_changed: 2 })
    expect((await status('app')).files_skipped).toMatchObject({ symlink: 2, special: 1, binary: 1, minified: 1, oversized: 1, name: 1 })
    expect(await index(root)).toMatchObject({ files_changed: 0 })
  })

  it('reads text of any name, and counts build folders that it leaves out', async () => {
    const root = makeProject('app', {
      LICENSE: 'Permission is granted.\n',
      Procfile: 'web: node server.js\n',
      'views/page.j2': '<p>{{ greeting }}</p>\n',
      'out/a.js': 'let a\n',
      'lib/build/plan.ts': 'export const plan = 1\n',
    })
    expect(await index(root)).toMatchObject({ files_indexed: 4, files_changed: 4 })
    expect((await status('app')).files_skipped).toEqual({ build_folder: 1 })
    expect(paths(await search('greeting'))[0]).toBe('views/page.j2')
  })

  it('counts a file that became something else as removed', async () => {
    const root = makeProject('app', APP)
    await index(root)
    writeFileSync(join(root, 'README.md'), Buffer.from([0, 1, 2]))
    expect(await index(root)).toMatchObject({ files_indexed: 2, files_changed: 0, files_removed: 1 })
    rmSync(join(root, 'README.md'))
    expect(await index(root)).toMatchObject({ files_indexed: 2, files_changed: 0, files_removed: 0 })
  })

  it('rejects a missing folder, reports it in its state, and keeps its index', async () => {
    const root = makeProject('app', APP)
    await index(root)
    renameSync(root, `${root}-away`)
    await expect(index(`${root}/../app`)).rejects.toThrow('Invalid path')
    expect(await status('app')).toMatchObject({ status: 'failed', error_message: expect.stringContaining('Invalid path') })
    renameSync(`${root}-away`, root)
    expect(await index(root)).toMatchObject({ files_changed: 0 })
    expect(await status('app')).toMatchObject({ status: 'completed' })
    await expect(index('')).rejects.toThrow('Invalid path')
    rmSync(root, { recursive: true })
    await expect(index(root)).rejects.toThrow('Invalid path')
    expect(await call(engine, 'list_projects', {})).toEqual({ projects: ['app'], count: 1 })
    expect(paths(await search('verifyToken'))[0]).toBe('src/token.ts')
  })
})

describe('delete_project', () => {
  it('returns the number of deleted chunks and leaves none', async () => {
    const root = makeProject('app', APP)
    const { chunks_created } = await index(root)
    expect(await call(engine, 'delete_project', { project_id: 'app' })).toEqual({ chunks_deleted: chunks_created })
    expect(await call(engine, 'list_projects', {})).toEqual({ projects: [], count: 0 })
    expect(await search('verify the token')).toMatchObject({ count: 0 })
    expect(await index(root)).toMatchObject({ project_id: 'app', files_indexed: 3 })
  })

  it('is included in a reset of the memory', async () => {
    await index(makeProject('app', APP))
    expect(await call(engine, 'reset_all_memory', { confirm: true })).toMatchObject({ reset: true })
    expect(await search('verify the token')).toMatchObject({ count: 0 })
    expect(await call(engine, 'list_projects', {})).toEqual({ projects: [], count: 0 })
  })
})

function resultsOf(answer: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
  const { results } = answer
  return Array.isArray(results) ? results : []
}
