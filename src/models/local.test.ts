import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Embedder } from '../ports/embedder.js'
import { type LocalEmbedderOptions, openLocalEmbedder } from './local.js'
import { shippedModelFolder } from './shipped.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
let compiled = ''
let modelFolder = ''

beforeAll(async () => {
  const { buildModel }: { buildModel(): Promise<string> } = await import(new URL('../../scripts/build-model.mjs', import.meta.url).href)
  await buildModel()
  modelFolder = shippedModelFolder()
  // Inside the project, so that the worker finds the packages it imports.
  mkdirSync(join(root, '.cache'), { recursive: true })
  compiled = mkdtempSync(join(root, '.cache', 'worker-test-'))
  const entryPoints = ['onnx-worker.ts', 'local.ts'].map((name) => join(root, 'src', 'models', name))
  const outExtension = { '.js': '.mjs' }
  await build({ entryPoints, bundle: true, packages: 'external', platform: 'node', format: 'esm', outdir: compiled, outExtension })
})

afterAll(() => rmSync(compiled, { recursive: true, force: true }))

function open(options: Partial<LocalEmbedderOptions> = {}): Embedder {
  const embedder = openLocalEmbedder({ folder: modelFolder, workerFile: join(compiled, 'onnx-worker.mjs'), ...options })
  onTestFinished(() => embedder.close())
  return embedder
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-model-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a === undefined || b === undefined ? Number.NaN : a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

describe('the shipped model', () => {
  it('returns unit vectors that reflect meaning', async () => {
    const embedder = open()
    expect(embedder.status()).toMatchObject({ state: 'idle', problem: null })
    const texts = ['A cat sits on the mat', 'A kitten is lying on a rug', 'Quarterly revenue fell by ten percent']
    const [cat, kitten, revenue] = await embedder.embed(texts, { purpose: 'passage' })
    expect(embedder.model).toMatchObject({ id: 'gte-small', dimensions: 384 })
    expect(cat).toHaveLength(384)
    for (const vector of [cat, kitten, revenue]) expect(dot(vector, vector)).toBeCloseTo(1, 5)
    expect(dot(cat, kitten)).toBeGreaterThan(dot(cat, revenue) + 0.1)
    expect(embedder.status()).toMatchObject({ state: 'ready', problem: null })
  })

  it('gives a text the same vector in every batch and thread', async () => {
    const text = 'The billing service is deployed on Fridays'
    const [alone] = await open().embed([text], { purpose: 'passage' })
    const batch = await open().embed(['short', `${'many words '.repeat(200)}`, text, 'last'], { purpose: 'passage' })
    expect(batch[2]).toEqual(alone)
  })

  it('returns the same vectors with several threads as with one', async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `Note ${i} ${'is longer '.repeat(i % 7)}`)
    const [alone, spread] = await Promise.all(
      [0, 2].map((bulkThreads) => open({ bulkThreads, cacheSize: 0 }).embed(texts, { purpose: 'passage' })),
    )
    expect(spread).toEqual(alone)
  })

  it('accepts every string', async () => {
    const embedder = open()
    const huge = 'lorem ipsum dolor '.repeat(600_000)
    const texts = ['', ' ', '\ud800 alone', 'a\0b', '🎉', '日本語', '[SEP] [MASK]', huge, huge.slice(0, 20_000)]
    const vectors = await embedder.embed(texts, { purpose: 'passage' })
    for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 5)
    expect(vectors[7]).toEqual(vectors[8])
    expect(await embedder.embed([], { purpose: 'query' })).toEqual([])
  })

  it.each([
    ['while it loads', 'embedder.warm(); setTimeout(() => process.exit(0), 120)'],
    [
      'while it computes',
      "embedder.embed(['go'], query).then(() => { void embedder.embed([long], query); setTimeout(() => process.exit(0), 20) })",
    ],
    ['with nothing left to do', "await embedder.embed(['go'], query)"],
  ])('lets the process end cleanly %s', async (_, body) => {
    const script = `
      import { openLocalEmbedder } from ${JSON.stringify(join(compiled, 'local.mjs'))}
      const embedder = openLocalEmbedder(${JSON.stringify({ folder: modelFolder, workerFile: join(compiled, 'onnx-worker.mjs') })})
      const query = { purpose: 'query' }, long = 'word '.repeat(500)
      ${body}`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

it('sends no telemetry: the runtime leaves nothing in the home directory', async () => {
  const home = temporaryFolder()
  const options = { folder: modelFolder, workerFile: join(compiled, 'onnx-worker.mjs') }
  const script = `
    import { openLocalEmbedder } from ${JSON.stringify(join(compiled, 'local.mjs'))}
    const embedder = openLocalEmbedder(${JSON.stringify(options)})
    await embedder.embed(['A cat sits on the mat'], { purpose: 'query' })
    await embedder.close()`
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home }
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore', env })
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(readdirSync(home, { recursive: true })).toEqual([])
})

describe('a model that cannot be used', () => {
  const broken: ReadonlyArray<readonly [string, RegExp, (folder: string) => Partial<LocalEmbedderOptions>]> = [
    ['a missing folder', /there is no model\.onnx/, (folder) => ({ folder: join(folder, 'absent') })],
    [
      'a damaged model file',
      /cannot be used: .*model\.onnx/,
      (folder) => {
        writeFileSync(join(folder, 'model.onnx'), readFileSync(join(modelFolder, 'model.onnx')).subarray(0, 1_000_000))
        copyFileSync(join(modelFolder, 'tokenizer.json'), join(folder, 'tokenizer.json'))
        return { folder }
      },
    ],
    [
      'a missing tokenizer',
      /tokenizer\.json/,
      (folder) => {
        copyFileSync(join(modelFolder, 'model.onnx'), join(folder, 'model.onnx'))
        return { folder }
      },
    ],
    ['other dimensions than configured', /384 dimensions, but 100 are configured/, () => ({ dimensions: 100 })],
    ['a missing worker file', /worker file is missing/, (folder) => ({ workerFile: join(folder, 'absent.mjs') })],
  ]
  it.each(broken)('is reported: %s', async (_, expected, prepare) => {
    const embedder = open(prepare(temporaryFolder()))
    embedder.warm()
    const refused = expect(embedder.embed(['text'], { purpose: 'query' })).rejects
    await refused.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(expected),
      hint: expect.stringContaining('npm run build'),
    })
    expect(embedder.status()).toMatchObject({ state: 'error', problem: expect.stringMatching(expected) })
    expect(embedder.status().problem).toContain('npm run build')
  })

  it('is tried again by the next call', async () => {
    const folder = temporaryFolder()
    const embedder = open({ folder })
    await expect(embedder.embed(['text'], { purpose: 'query' })).rejects.toMatchObject({ code: 'unavailable' })
    for (const name of ['model.onnx', 'tokenizer.json', 'tokenizer_config.json']) copyFileSync(join(modelFolder, name), join(folder, name))
    expect(await embedder.embed(['text'], { purpose: 'query' })).toHaveLength(1)
    expect(embedder.status()).toMatchObject({ state: 'ready', problem: null })
  })
})
