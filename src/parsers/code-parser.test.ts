import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SourceText } from '../ports/code-parser.js'
import { openCodeParser } from './code-parser.js'
import { openParseThread } from './parse-thread.js'

const body = Array.from({ length: 12 }, (_, index) => `  step(${index})`).join('\n')
const source = (path: string): SourceText => ({ path, language: 'javascript', text: `function ${path}() {\n${body}\n}\n` })
const names = Array.from({ length: 50 }, (_, index) => `f${index}`)

describe("parsing on the caller's thread", () => {
  it('answers in order', async () => {
    const parser = openCodeParser({ threads: 0 })
    const parsed = await parser.parse(['a', 'b'].map(source))
    expect(parsed.map((file) => [file.path, file.parsed, file.chunks[0]?.name])).toEqual([
      ['a', true, 'a'],
      ['b', true, 'b'],
    ])
    expect(parsed[0]?.references).toEqual([{ ordinal: 0, kind: 'calls', name: 'step', module: null }])
    await parser.close()
    await expect(parser.parse([source('c')])).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('parsing in threads', () => {
  let folder: string
  let built: URL
  let crashing: URL
  beforeAll(async () => {
    folder = await mkdtemp(join(process.cwd(), 'node_modules', '.parse-worker-'))
    const outfile = join(folder, 'parse-worker.mjs')
    await build({
      entryPoints: [join(import.meta.dirname, 'parse-worker.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
    })
    built = pathToFileURL(outfile)
    const crash = join(folder, 'crash.mjs')
    await writeFile(
      crash,
      `import { parentPort } from 'node:worker_threads'
      parentPort.on('message', ({ files, byLines }) => {
        const isOne = (name) => files.some((file) => file.path === name)
        if (isOne('poison') && !byLines) process.exit(1)
        if (isOne('endless') && !byLines) for (;;);
        if (isOne('hopeless')) /^(a+)+$/.test('a'.repeat(60) + 'b')
        parentPort.postMessage({ parsed: files.map((file) => ({ path: file.path, parsed: !byLines, chunks: [], references: [] })) })
      })`,
    )
    crashing = pathToFileURL(crash)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('gives the same answer as without', async () => {
    const here = openCodeParser({ threads: 0 })
    const threaded = openCodeParser({ threads: 2, workerUrl: built })
    const files = names.map(source)
    expect(await threaded.parse(files)).toEqual(await here.parse(files))
    await Promise.all([here.close(), threaded.close()])
  })

  it('chunks a file that crashes a thread by lines', async () => {
    const parser = openCodeParser({ threads: 2, workerUrl: crashing })
    const parsed = await parser.parse([...names, 'poison', 'last'].map(source))
    expect(parsed.filter((file) => !file.parsed).map((file) => file.path)).toEqual(['poison'])
    expect(parsed.map((file) => file.path)).toEqual([...names, 'poison', 'last'])
    await parser.close()
  })

  it('ends a thread that exceeds its time, and continues without that file', async () => {
    const parser = openCodeParser({ threads: 2, workerUrl: crashing, limitMs: 1_000 })
    const parsed = await parser.parse(['a', 'endless', 'b', 'hopeless', 'c'].map(source))
    expect(parsed.map((file) => file.path)).toEqual(['a', 'endless', 'b', 'hopeless', 'c'])
    expect(parsed.filter((file) => /less$/.test(file.path)).map((file) => file.parsed)).toEqual([false, false])
    await parser.close()
  })

  it('chunks files without a usable grammar by lines in a thread', async () => {
    const thread = openParseThread(built, { budgetMs: 1_000 })
    const [parsed] = (await thread.parse({ files: [source('a')], byLines: true })) ?? []
    expect([parsed?.parsed, parsed?.chunks[0]?.kind]).toEqual([false, 'other'])
    await thread.end()
  })

  it('stops on a signal and on close', async () => {
    const parser = openCodeParser({ threads: 1, workerUrl: built })
    const stop = new AbortController()
    const cancelled = parser.parse(names.map(source), { signal: stop.signal })
    stop.abort()
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
    const closing = parser.parse(names.map(source))
    const outcome = expect(closing).rejects.toMatchObject({ code: 'cancelled' })
    await parser.close()
    await outcome
  })

  it('parses here when there is no compiled worker', async () => {
    const parser = openCodeParser({ threads: 2, workerUrl: pathToFileURL(join(tmpdir(), 'no-such-worker.js')) })
    expect((await parser.parse([source('a')]))[0]?.parsed).toBe(true)
    await parser.close()
  })
})
