import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { EVENTUALLY } from '../../test/eventually.js'
import type { PairText, Reranker } from '../ports/reranker.js'
import { type LocalRerankerOptions, openLocalReranker } from './local-reranker.js'
import { shippedRerankerFolder } from './shipped.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
let compiled = ''

beforeAll(async () => {
  const { buildModel }: { buildModel(): Promise<string> } = await import(new URL('../../scripts/build-model.mjs', import.meta.url).href)
  await buildModel()
  // Inside the project, so that the worker finds the packages it imports.
  mkdirSync(join(root, '.cache'), { recursive: true })
  compiled = mkdtempSync(join(root, '.cache', 'worker-test-'))
  const entryPoints = [join(root, 'src', 'models', 'pair-worker.ts')]
  const outExtension = { '.js': '.mjs' }
  await build({ entryPoints, bundle: true, packages: 'external', platform: 'node', format: 'esm', outdir: compiled, outExtension })
})

afterAll(() => rmSync(compiled, { recursive: true, force: true }))

function open(options: LocalRerankerOptions = {}): Reranker {
  const reranker = openLocalReranker({ workerFile: join(compiled, 'pair-worker.mjs'), ...options })
  onTestFinished(() => reranker.close())
  return reranker
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-reranker-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const QUESTION = 'Where does Ann work?'
const LIMITS = { tooLong: 32, withinMs: 60_000 }
const pair = (memory: string, before: string | null = null, after: string | null = null): PairText => ({ memory, before, after })
const many = (count: number): readonly PairText[] => Array.from({ length: count }, (_, i) => pair(`Ann: note number ${i} about nothing`))

describe('the shipped reranker', () => {
  it('separates answers from other texts', async () => {
    const reranker = open()
    expect(reranker.status()).toEqual({ state: 'idle', problem: null })
    const pairs = [
      pair('Ann: I started at the bakery last week.'),
      pair('Ann: I started at the bakery last week.', 'Bob: So what is new with you?', 'Bob: Congratulations!'),
      pair('Bob: The weather is awful today.', null, 'Ann: Indeed.'),
      pair('Prefers tabs over spaces'),
    ]
    const scores = await reranker.scorePairs(QUESTION, pairs, LIMITS)
    for (const [i, expected] of [1.85, 2.26, -8.23, -8.46].entries()) expect(Math.abs((scores[i] ?? 0) - expected)).toBeLessThan(0.5)
    expect(reranker.status()).toEqual({ state: 'ready', problem: null })
  })

  it('gives a pair the same score in every batch and thread', async () => {
    const text = pair('Ann: I started at the bakery last week.', 'Bob: So what is new with you?')
    const alone = await open().scorePairs(QUESTION, [text], LIMITS)
    const among = await open().scorePairs(QUESTION, [...many(13), text, ...many(3)], LIMITS)
    expect(among).toHaveLength(17)
    expect(among[13]).toBe(alone[0])
  })

  it('accepts every string, and only measures a query that is too long', async () => {
    const reranker = open()
    const odd = ['', ' ', '\ud800 alone', 'a\0b', '🎉', '日本語', '[SEP] [MASK]', 'lorem ipsum '.repeat(500_000)]
    const scores = await reranker.scorePairs(
      '🎉 \ud800',
      odd.map((text) => pair(text, text, text)),
      LIMITS,
    )
    for (const score of scores) expect(Number.isFinite(score)).toBe(true)
    expect(await reranker.scorePairs('word '.repeat(10_000), many(3), LIMITS)).toEqual([])
    expect(await reranker.scorePairs(QUESTION, [], LIMITS)).toEqual([])
  })

  it('queues twenty concurrent queries and ends a cancelled one', async () => {
    const reranker = open()
    const controller = new AbortController()
    const calls = Array.from({ length: 20 }, (_, i) =>
      reranker.scorePairs(`${QUESTION} ${i}`, many(10), { ...LIMITS, ...(i === 7 ? { signal: controller.signal } : {}) }),
    )
    controller.abort()
    const ended = await Promise.allSettled(calls)
    ended.forEach((call, i) => {
      if (i === 7) expect(call).toMatchObject({ status: 'rejected', reason: { code: 'cancelled' } })
      else expect(call).toMatchObject({ status: 'fulfilled' })
    })
    await expect(reranker.scorePairs(QUESTION, many(2), { ...LIMITS, signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    })
  })

  it('rejects immediately what it cannot score in time', async () => {
    const reranker = open()
    for (const memory of ['one', 'two']) await reranker.scorePairs(QUESTION, [pair(memory)], LIMITS)
    await expect(reranker.scorePairs(QUESTION, many(2), { ...LIMITS, withinMs: 0 })).rejects.toMatchObject({ code: 'unavailable' })
    expect(reranker.status().state).toBe('ready')
  })

  it('caches scores of pairs up to its size', async () => {
    const reranker = open({ cacheSize: 3 })
    // The time of a pair is known from the second call on.
    for (const memory of ['one', 'two']) await reranker.scorePairs(QUESTION, [pair(memory)], LIMITS)
    const [first, second] = [await reranker.scorePairs(QUESTION, many(3), LIMITS), await reranker.scorePairs(QUESTION, many(2), LIMITS)]
    expect(second).toEqual(first.slice(0, 2))
    // No time is left to read anything.
    const known = { ...LIMITS, withinMs: 0 }
    expect(await reranker.scorePairs(QUESTION, [...many(3), ...many(1)], known)).toEqual([...first, first[0]])
    for (const [question, pairs, options] of [
      ['Where does Bob work?', many(1), known],
      [QUESTION, [pair('Ann: note number 0 about nothing', 'before')], known],
      [QUESTION, many(1), { ...known, fresh: true }],
    ] as const)
      await expect(reranker.scorePairs(question, pairs, options)).rejects.toMatchObject({ code: 'unavailable' })
    await reranker.scorePairs(QUESTION, [pair('a fourth')], LIMITS)
    await expect(reranker.scorePairs(QUESTION, many(3), known)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('is unloaded when idle and loaded again', async () => {
    const reranker = open({ idleMs: 1 })
    await reranker.scorePairs(QUESTION, many(1), LIMITS)
    await vi.waitFor(() => expect(reranker.status().state).toBe('idle'), EVENTUALLY)
    expect(await reranker.scorePairs(`${QUESTION} Again?`, many(1), LIMITS)).toHaveLength(1)
  })
})

describe('a reranker that cannot be used', () => {
  const broken: ReadonlyArray<readonly [string, RegExp, (folder: string) => LocalRerankerOptions]> = [
    ['a missing file', /there is no reranker-int8\.onnx/, (folder) => ({ folder })],
    [
      'a damaged file',
      /is damaged: its sha256 is/,
      (folder) => {
        const bytes = readFileSync(join(shippedRerankerFolder(), 'reranker-int8.onnx'))
        bytes.fill(0, 10_000_000, 10_000_100)
        writeFileSync(join(folder, 'reranker-int8.onnx'), bytes)
        return { folder }
      },
    ],
    ['a missing tokenizer', /tokenizer\.json/, (folder) => ({ tokenizerFolder: folder })],
    ['a missing worker file', /worker file is missing/, (folder) => ({ workerFile: join(folder, 'absent.mjs') })],
  ]
  it.each(broken)('is reported: %s', async (_, expected, prepare) => {
    const reranker = open(prepare(temporaryFolder()))
    await expect(reranker.scorePairs(QUESTION, many(1), LIMITS)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(expected),
      hint: expect.stringContaining('Recall works without it'),
    })
    expect(reranker.status()).toMatchObject({ state: 'error', problem: expect.stringMatching(expected) })
  })
})
