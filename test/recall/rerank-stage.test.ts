import { describe, expect, test } from 'vitest'
import type { ScoredCandidate } from '../../src/core/recall/candidate.js'
import type { RerankInput, RerankStage } from '../../src/engine/environment.js'
import { createRerankStage } from '../../src/engine/recall/rerank-stage.js'
import { MemoryError } from '../../src/errors.js'
import type { PairText, Reranker, ScorePairsOptions } from '../../src/ports/reranker.js'
import type { TurnContext } from '../../src/ports/view.js'
import { aCandidate } from '../scored-candidate.js'

const scored = (rid: number, score: number, isCode = false): ScoredCandidate => aCandidate(rid, score, { session: 's', isCode })

interface Bench {
  readonly look: Omit<RerankStage, 'rerankTop'> & {
    reorder(question: string, ranking: Omit<RerankInput, 'links'>, signal: AbortSignal): ReturnType<RerankStage['rerankTop']>
  }
  readonly asked: PairText[][]
  readonly warnings: string[]
}

type Judge = (pairs: readonly PairText[], options: ScorePairsOptions) => Promise<readonly number[]>

const plain = (text: string): TurnContext => ({ title: null, author: null, text, before: null, after: null })

function bench(given: {
  readonly judge?: Judge
  readonly facts?: Readonly<Record<number, TurnContext>>
  readonly candidates?: number
  readonly withinMs?: number
  readonly state?: () => 'ready' | 'error'
  readonly readAs?: (text: string) => Promise<string>
}): Bench {
  const asked: PairText[][] = []
  const warnings: string[] = []
  const reranker: Reranker = {
    status: () => ({ state: given.state?.() ?? 'ready', problem: null }),
    async scorePairs(_, pairs, options) {
      asked.push([...pairs])
      return (given.judge ?? (async () => pairs.map((_one, i) => i)))(pairs, options)
    },
    close: async () => undefined,
  }
  const look = createRerankStage({
    reranker,
    log: { warn: (message, details) => void warnings.push(`${message}: ${String(details?.failure)}`) },
    candidates: given.candidates ?? 30,
    withinMs: given.withinMs ?? 60_000,
    ...(given.readAs === undefined ? {} : { readAs: given.readAs }),
  })
  const links = {
    surroundings: async (rids: readonly number[]) => new Map(rids.map((rid) => [rid, given.facts?.[rid] ?? plain(`text ${rid}`)])),
  }
  const reorder = (question: string, ranking: Omit<RerankInput, 'links'>, signal: AbortSignal) =>
    look.rerankTop(question, { ...ranking, links }, signal)
  return { look: { ...look, reorder }, asked, warnings }
}

/** Every candidate may be a result. */
const first = (ranked: readonly ScoredCandidate[]) => ({
  ...{ ranked, limit: ranked.length, gain: 1, order: () => ranked },
  ...{ terms: [], languages: [], excerpts: async () => new Map() },
})
const outcome = (state: string, reason: string | null = null) => ({ outcome: { state, reason }, scores: new Map() })
const never = new AbortController().signal

describe('the rerank stage', () => {
  test('scores the first candidates only', async () => {
    const { look, asked } = bench({ candidates: 3 })
    const list = [scored(1, 1), scored(2, 0.9), scored(3, 0.8), scored(4, 0.7)]
    expect(await look.reorder('where is it', first(list), never)).toEqual({
      outcome: { state: 'used', reason: null },
      scores: new Map([
        [1, 0],
        [2, 1],
        [3, 2],
      ]),
    })
    expect(asked).toEqual([['text 1', 'text 2', 'text 3'].map((memory) => ({ memory, before: null, after: null }))])
  })

  test('stops reading once the order of the results cannot change, and reads on while it can', async () => {
    const list = Array.from({ length: 20 }, (_, i) => scored(i + 1, i < 8 ? 20 - i : -i))
    const order = (gain: number) => (scores: ReadonlyMap<number, number>) =>
      list.map((candidate) => ({
        ...candidate,
        score: candidate.score + gain * (scores.get(candidate.header.rid) ?? Math.min(...scores.values())),
      }))
    const far = bench({ judge: async (pairs) => pairs.map((_, i) => -8 + (i % 2)) })
    const { scores } = await far.look.reorder('tea', { ...first(list), limit: 5, gain: 0.1, order: order(0.1) }, never)
    expect([...scores.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7])
    const near = bench({ judge: async (pairs) => pairs.map((_, i) => (i % 2 === 0 ? -8 : 5)) })
    const all = await near.look.reorder('tea', { ...first(list), limit: 5, gain: 3, order: order(3) }, never)
    expect(all.scores.size).toBeGreaterThan(12)
    expect(near.asked.length).toBeGreaterThan(2)
  })

  test('reads the gloss of a long note in another language instead of places of the note', async () => {
    const { look, asked } = bench({ readAs: async (text) => (text === 'text 1' ? 'gloss 1' : text) })
    const place = { text: 'a place of the note', spans: [{ start: 0, end: 19 }] }
    const excerpts = async () => new Map([1, 2].map((rid) => [rid, place]))
    await look.reorder('tea', { ...first([scored(1, 1), scored(2, 0.9)]), excerpts }, never)
    expect(asked[0]?.map(({ memory }) => memory)).toEqual(['gloss 1', 'a place of the note'])
  })

  test('gives an answer without the judge where a later round fails', async () => {
    let round = 0
    const { look } = bench({
      judge: async (pairs) => {
        if (round++ > 0) throw new MemoryError('unavailable', 'busy')
        return pairs.map((_, i) => -i)
      },
    })
    const list = Array.from({ length: 20 }, (_, i) => scored(i + 1, 1))
    expect(await look.reorder('tea', { ...first(list), limit: 5 }, never)).toEqual(outcome('missed', 'busy'))
  })

  test('reads the turns around a memory as they were said', async () => {
    const around: TurnContext = {
      title: null,
      author: 'Ann',
      text: 'Yes',
      before: { author: 'Bob', text: 'Tea?' },
      after: { author: 'assistant', text: 'Noted' },
    }
    const { look, asked } = bench({ facts: { 1: around } })
    await look.reorder('tea', first([scored(1, 1), scored(2, 0.9)]), never)
    expect(asked[0]?.[0]).toEqual({ memory: 'Ann: Yes', before: 'Bob: Tea?', after: 'Noted' })
  })

  test('reads of a long memory the part that answers', async () => {
    const { look, asked } = bench({ facts: { 1: { ...plain('the beginning'), author: 'Ann' } } })
    const text = 'The beginning. The middle. The end.'
    const excerpts = async () => new Map([[1, { text, spans: [{ start: 15, end: 26 }] }]])
    await look.reorder('tea', { ...first([scored(1, 1), scored(2, 0.9)]), excerpts }, never)
    expect(asked[0]).toEqual([
      { memory: 'Ann: The middle.', before: 'The beginning.', after: 'The end.' },
      { memory: 'text 2', before: null, after: null },
    ])
  })

  test('reads a long memory in several places, which count together, and only around the best of them', async () => {
    const { look, asked } = bench({ judge: async () => [1, 2, 5, 0], facts: { 1: plain('the beginning') } })
    const text = 'The beginning. The middle. The end.'
    const spans = [
      { start: 15, end: 26 },
      { start: 27, end: 35 },
    ]
    const excerpts = async () => new Map([[1, { text, spans }]])
    const list = [scored(1, 1), scored(2, 0.9), scored(3, 0.8)]
    const { scores } = await look.reorder('tea', { ...first(list), excerpts }, never)
    expect(asked[0]?.slice(0, 2)).toEqual([
      { memory: 'The middle.', before: 'The beginning.', after: 'The end.' },
      { memory: 'The end.', before: null, after: null },
    ])
    expect(asked[0]?.slice(2).map(({ memory }) => memory)).toEqual(['text 2', 'text 3'])
    expect(scores.get(1)).toBeCloseTo(Math.log(Math.exp(1) + Math.exp(2)), 9)
    expect([scores.get(2), scores.get(3)]).toEqual([5, 0])
  })

  test.each([
    ['a long question', 'word '.repeat(32), [scored(1, 1), scored(2, 0.9)]],
    ['no candidate', 'where', []],
    ['code alone', 'where', [scored(1, 1, true), scored(2, 0.9, true)]],
  ])('does not wake the model for %s', async (_, question, list) => {
    const { look, asked } = bench({})
    expect(await look.reorder(question, first(list), never)).toEqual(outcome('unneeded'))
    expect(asked).toEqual([])
  })

  const german = plain('Der Hund schläft im Flur und wird um sieben gefüttert.')

  test('is not asked about notes in another language', async () => {
    const { look, asked } = bench({ judge: async () => [-4, 2, -1], facts: { 2: german } })
    const list = [scored(1, 1), scored(2, 0.9), scored(3, 0.8), scored(4, 0.7)]
    const { scores } = await look.reorder('where is it', first(list), never)
    expect(asked[0]?.map(({ memory }) => memory)).toEqual(['text 1', 'text 3', 'text 4'])
    expect([...scores]).toEqual([
      [1, -4],
      [3, 2],
      [4, -1],
    ])
  })

  test.each([['most are in another language', [german, german, german]]])('is not asked where %s', async (_, notes) => {
    const { look, asked } = bench({ facts: Object.fromEntries(notes.map((note, i) => [i + 1, note])) })
    const list = Array.from({ length: 5 }, (_one, i) => scored(i + 1, 1 - i / 10))
    expect(await look.reorder('where is it', first(list), never)).toEqual(outcome('unneeded'))
    expect(asked).toEqual([])
  })

  test('changes nothing for a question whose tokens are too many, however few its words', async () => {
    const { look } = bench({ judge: async () => [] })
    const list = [scored(1, 1), scored(2, 0.9)]
    expect(await look.reorder('antidisestablishmentarianism', first(list), never)).toEqual(outcome('unneeded'))
  })

  test('is off without a model or without candidates', async () => {
    const { look, asked } = bench({ candidates: 0 })
    expect(await look.reorder('where', first([scored(1, 1), scored(2, 1)]), never)).toEqual(outcome('off'))
    expect(asked).toEqual([])
  })

  test('a broken model is logged once and not called for a while', async () => {
    const failure = new MemoryError('unavailable', 'The reranker is damaged.')
    const { look, asked, warnings } = bench({
      state: () => 'error',
      judge: async () => {
        throw failure
      },
    })
    for (let i = 0; i < 5; i++)
      expect(await look.reorder('where', first([scored(1, 1), scored(2, 0.9)]), never)).toEqual(outcome('missed', failure.message))
    expect(warnings).toEqual(['answers come without the reranker: The reranker is damaged.'])
    expect(asked.length).toBeLessThan(5)
  })

  test('does not report a busy model as a failure', async () => {
    const { look, warnings } = bench({
      judge: async () => {
        throw new MemoryError('unavailable', 'busy')
      },
    })
    expect(await look.reorder('where', first([scored(1, 1), scored(2, 0.9)]), never)).toEqual(outcome('missed', 'busy'))
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
    expect(await look.reorder('where', first(list), never)).toEqual(outcome('missed', 'The reranker did not answer within 1 ms.'))
  })

  test('a cancelled call ends', async () => {
    const { look } = bench({ judge: untilAborted })
    const controller = new AbortController()
    const call = look.reorder('where', first([scored(1, 1), scored(2, 0.9)]), controller.signal)
    controller.abort()
    await expect(call).rejects.toThrow()
  })
})
