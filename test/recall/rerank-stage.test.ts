import { describe, expect, test } from 'vitest'
import type { ScoredCandidate } from '../../src/core/recall/candidate.js'
import type { RerankInput, RerankStage } from '../../src/engine/environment.js'
import { createRerankStage } from '../../src/engine/recall/rerank-stage.js'
import { MemoryError } from '../../src/errors.js'
import type { PairText, Reranker, ScorePairsOptions } from '../../src/ports/reranker.js'
import type { TurnContext } from '../../src/ports/view.js'

const scored = (rid: number, score: number, isCode = false): ScoredCandidate => ({
  sketch: {
    rid,
    id: `f${rid}`,
    owner: 'ann',
    subject: null,
    author: null,
    session: 's',
    status: 'active',
    recordedAt: rid,
    validFrom: 0,
    validUntil: null,
    expiresAt: null,
    isCode,
  },
  cosine: 0.8,
  bm25: 1,
  matches: 1,
  near: 0,
  length: 10,
  score,
  vector: 1,
  lexical: 1,
  graph: 0,
  via: null,
  boosts: [],
})

interface Bench {
  readonly look: Omit<RerankStage, 'rerankTop'> & {
    reorder(question: string, ranking: Omit<RerankInput, 'links'>, signal: AbortSignal): ReturnType<RerankStage['rerankTop']>
  }
  readonly asked: PairText[][]
  readonly warnings: string[]
}

type Judge = (pairs: readonly PairText[], options: ScorePairsOptions) => Promise<readonly number[]>

const plain = (text: string): TurnContext => ({ title: null, author: null, text, before: null, after: null })

function bench(input: {
  readonly judge?: Judge
  readonly facts?: Readonly<Record<number, TurnContext>>
  readonly candidates?: number
  readonly withinMs?: number
  readonly state?: () => 'ready' | 'error'
  readonly tokens?: number
}): Bench {
  const requested: PairText[][] = []
  const warnings: string[] = []
  const reranker: Reranker = {
    status: () => ({ state: input.state?.() ?? 'ready', problem: null }),
    async scorePairs(_, pairs, options) {
      requested.push([...pairs])
      return { tokens: input.tokens ?? 5, scores: await (input.judge ?? (async () => pairs.map((_one, i) => i)))(pairs, options) }
    },
    close: async () => undefined,
  }
  const look = createRerankStage({
    reranker,
    log: { warn: (message, details) => void warnings.push(`${message}: ${String(details?.failure)}`) },
    candidates: input.candidates ?? 30,
    withinMs: input.withinMs ?? 60_000,
  })
  const links = {
    surroundings: async (rids: readonly number[]) => new Map(rids.map((rid) => [rid, input.facts?.[rid] ?? plain(`text ${rid}`)])),
  }
  const reorder = (question: string, ranking: Omit<RerankInput, 'links'>, signal: AbortSignal) =>
    look.rerankTop(question, { ...ranking, links }, signal)
  return { look: { ...look, reorder }, asked: requested, warnings }
}

const first = (scored: ScoredCandidate[], ...results: readonly string[]) => ({
  scored,
  told: new Set(results),
  terms: [],
  languages: [],
  excerpts: async () => new Map(),
})
const never = new AbortController().signal
const order = (list: readonly ScoredCandidate[]): readonly number[] => list.map((candidate) => candidate.sketch.rid)

describe('the second look', () => {
  test('adds its share to the first candidates only and sorts them', async () => {
    const { look, asked: requested } = bench({ candidates: 3 })
    const list = [scored(1, 1), scored(2, 0.9), scored(3, 0.8), scored(4, 0.7)]
    expect(await look.reorder('where is it', first(list), never)).toEqual({ state: 'used', reason: null })
    expect(requested).toEqual([['text 1', 'text 2', 'text 3'].map((memory) => ({ memory, before: null, after: null }))])
    expect(order(list)).toEqual([3, 2, 1, 4])
    expect(list.map((candidate) => candidate.reranked)).toEqual([
      { raw: 2, share: 0.5 },
      { raw: 1, share: 0.25 },
      { raw: 0, share: 0 },
      undefined,
    ])
    expect(list.map((candidate) => candidate.score)).toEqual([1, 1.15 / 1.3, 1 / 1.3, 0.7 / 1.3].map((score) => expect.closeTo(score, 10)))
  })

  test('reads the turns around a memory as they were said', async () => {
    const around: TurnContext = {
      title: null,
      author: 'Ann',
      text: 'Yes',
      before: { author: 'Bob', text: 'Tea?' },
      after: { author: 'assistant', text: 'Noted' },
    }
    const { look, asked: requested } = bench({ facts: { 1: around } })
    await look.reorder('tea', first([scored(1, 1), scored(2, 0.9)]), never)
    expect(requested[0]?.[0]).toEqual({ memory: 'Ann: Yes', before: 'Bob: Tea?', after: 'Noted' })
  })

  test('reads of a long memory the part that answers', async () => {
    const { look, asked: requested } = bench({ facts: { 1: { ...plain('the beginning'), author: 'Ann' } } })
    const text = 'The beginning. The middle. The end.'
    const excerpts = async () => new Map([[1, { text, spans: [{ start: 15, end: 26 }] }]])
    await look.reorder('tea', { ...first([scored(1, 1), scored(2, 0.9)]), excerpts }, never)
    expect(requested[0]).toEqual([
      { memory: 'Ann: The middle.', before: 'The beginning.', after: 'The end.' },
      { memory: 'text 2', before: null, after: null },
    ])
  })

  test('reads a long memory in several places, which count together, and only around the best of them', async () => {
    const { look, asked: requested } = bench({ judge: async () => [1, 2, 5, 0], facts: { 1: plain('the beginning') } })
    const text = 'The beginning. The middle. The end.'
    const spans = [
      { start: 15, end: 26 },
      { start: 27, end: 35 },
    ]
    const excerpts = async () => new Map([[1, { text, spans }]])
    const list = [scored(1, 1), scored(2, 0.9), scored(3, 0.8)]
    await look.reorder('tea', { ...first(list), excerpts }, never)
    expect(requested[0]?.slice(0, 2)).toEqual([
      { memory: 'The middle.', before: 'The beginning.', after: 'The end.' },
      { memory: 'The end.', before: null, after: null },
    ])
    expect(requested[0]?.slice(2).map(({ memory }) => memory)).toEqual(['text 2', 'text 3'])
    const raw = new Map(list.map(({ sketch, reranked }) => [sketch.rid, reranked?.raw]))
    expect(raw.get(1)).toBeCloseTo(Math.log(Math.exp(1) + Math.exp(2)), 9)
    expect([raw.get(2), raw.get(3)]).toEqual([5, 0])
  })

  test('counts for more among long memories', async () => {
    const { look } = bench({})
    const list = [1, 2, 3].map((rid) => ({ ...scored(rid, 1 - rid / 10), length: 160 }))
    await look.reorder('tea', first(list), never)
    expect(Math.max(...list.map(({ reranked }) => reranked?.share ?? 0))).toBeCloseTo(0.6, 9)
  })

  test('counts less the more candidates stand outside of sessions', async () => {
    const { look } = bench({})
    const list = [1, 2, 3, 4].map((rid) => scored(rid, 1 - rid / 10))
    const half = list.map((candidate, i) => (i < 2 ? { ...candidate, sketch: { ...candidate.sketch, session: null } } : candidate))
    await look.reorder('tea', first(half), never)
    expect(Math.max(...half.map(({ reranked }) => reranked?.share ?? 0))).toBeCloseTo(0.375, 9)
  })

  test('counts less the more candidates have a title or are code', async () => {
    const { look } = bench({ facts: { 1: { ...plain('x'), title: 'X' } } })
    const list = [scored(1, 1), scored(2, 0.9), scored(3, 0.8, true), scored(4, 0.7)]
    await look.reorder('where', first(list), never)
    expect(list.find((candidate) => candidate.sketch.rid === 4)?.reranked?.share).toBe(0.25)
  })

  test('leaves what relations tell in its place, whatever it says about it', async () => {
    const { look } = bench({})
    const list = [{ ...scored(1, 1), graph: 1 }, scored(2, 0.9), scored(3, 0.8)]
    await look.reorder('where', first(list, 'f1'), never)
    expect(order(list)).toEqual([1, 3, 2])
    expect(list[0]?.reranked).toEqual({ raw: 0, share: 0.5 })
    const half = [{ ...scored(1, 1), graph: 0.5 }, scored(2, 0.9)]
    await look.reorder('where', first(half, 'f1'), never)
    expect(half.find(({ sketch }) => sketch.rid === 1)?.reranked).toEqual({ raw: 0, share: 0.25 })
  })

  test.each([
    ['a long question', 'word '.repeat(32), [scored(1, 1), scored(2, 0.9)]],
    ['a single candidate', 'where', [scored(1, 1)]],
    ['no candidate', 'where', []],
    ['code alone', 'where', [scored(1, 1, true), scored(2, 0.9, true)]],
  ])('does not wake the model for %s', async (_, question, list) => {
    const { look, asked: requested } = bench({})
    const before = structuredClone(list)
    expect(await look.reorder(question, first(list), never)).toEqual({ state: 'unneeded', reason: null })
    expect(requested).toEqual([])
    expect(list).toEqual(before)
  })

  const german = plain('Der Hund schläft im Flur und wird um sieben gefüttert.')

  test('is not asked about notes in another language, which get the mean of what the others get', async () => {
    const { look, asked: requested } = bench({ judge: async () => [-4, 2, -1], facts: { 2: german } })
    const list = [scored(1, 1), scored(2, 0.9), scored(3, 0.8), scored(4, 0.7)]
    expect(await look.reorder('where is it', first(list), never)).toEqual({ state: 'used', reason: null })
    expect(requested[0]?.map(({ memory }) => memory)).toEqual(['text 1', 'text 3', 'text 4'])
    expect(new Map(list.map(({ sketch, reranked }) => [sketch.rid, reranked]))).toEqual(
      new Map([
        [1, { raw: -4, share: 0 }],
        [2, { raw: null, share: 0.25 }],
        [3, { raw: 2, share: 0.5 }],
        [4, { raw: -1, share: 0.25 }],
      ]),
    )
  })

  test.each([
    ['most are in another language', [german, german, german]],
    ['only one is in English', [german]],
  ])('is not asked where %s', async (_, notes) => {
    const { look, asked: requested } = bench({ facts: Object.fromEntries(notes.map((note, i) => [i + 1, note])) })
    const list = Array.from({ length: notes.length === 1 ? 2 : 5 }, (_one, i) => scored(i + 1, 1 - i / 10))
    const before = structuredClone(list)
    expect(await look.reorder('where is it', first(list), never)).toEqual({ state: 'unneeded', reason: null })
    expect(requested).toEqual([])
    expect(list).toEqual(before)
  })

  test('changes nothing for a question whose tokens are too many, however few its words', async () => {
    const { look } = bench({ tokens: 40, judge: async () => [] })
    const list = [scored(1, 1), scored(2, 0.9)]
    expect(await look.reorder('antidisestablishmentarianism', first(list), never)).toEqual({ state: 'unneeded', reason: null })
    expect(order(list)).toEqual([1, 2])
  })

  test('is off without a model or without candidates', async () => {
    const { look, asked: requested } = bench({ candidates: 0 })
    expect(await look.reorder('where', first([scored(1, 1), scored(2, 1)]), never)).toEqual({ state: 'off', reason: null })
    expect(requested).toEqual([])
  })

  test('a broken model is logged once and not called for a while', async () => {
    const failure = new MemoryError('unavailable', 'The reranker is damaged.')
    const {
      look,
      asked: requested,
      warnings,
    } = bench({
      state: () => 'error',
      judge: async () => {
        throw failure
      },
    })
    for (let i = 0; i < 5; i++)
      expect(await look.reorder('where', first([scored(1, 1), scored(2, 0.9)]), never)).toEqual({
        state: 'missed',
        reason: failure.message,
      })
    expect(warnings).toEqual(['answers come without the reranker: The reranker is damaged.'])
    expect(requested.length).toBeLessThan(5)
  })

  test('a model that is busy is no failure', async () => {
    const { look, warnings } = bench({
      judge: async () => {
        throw new MemoryError('unavailable', 'busy')
      },
    })
    expect(await look.reorder('where', first([scored(1, 1), scored(2, 0.9)]), never)).toEqual({ state: 'missed', reason: 'busy' })
    expect(warnings).toEqual([])
  })

  const untilAborted: Judge = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      const end = (): void => reject(new MemoryError('cancelled', 'cancelled'))
      if (signal?.aborted === true) end()
      else signal?.addEventListener('abort', end)
    })

  test('no call waits longer than the limit, and the first-stage order is kept', async () => {
    const { look } = bench({ withinMs: 1, judge: untilAborted })
    const list = [scored(1, 1), scored(2, 0.9)]
    expect(await look.reorder('where', first(list), never)).toEqual({
      state: 'missed',
      reason: 'The reranker did not answer within 1 ms.',
    })
    expect(order(list)).toEqual([1, 2])
  })

  test('a cancelled call ends', async () => {
    const { look } = bench({ judge: untilAborted })
    const controller = new AbortController()
    const call = look.reorder('where', first([scored(1, 1), scored(2, 0.9)]), controller.signal)
    controller.abort()
    await expect(call).rejects.toThrow()
  })
})
