import { describe, expect, it } from 'vitest'
import type { ModelState } from '../ports/embedder.js'
import type { PairText } from '../ports/reranker.js'
import { createPairThreads, type PairThread } from './pair-threads.js'
import type { PairWork } from './pair-worker.js'

interface FakeThread extends PairThread {
  state: ModelState
  readonly read: PairText[][]
  warmed: number
  closed: boolean
}

/** The score of a pair is the length of its text. */
function fakeThread(state: ModelState, fail?: Error): FakeThread {
  const thread: FakeThread = {
    state,
    read: [],
    warmed: 0,
    closed: false,
    status: () => ({ state: thread.state, problem: null }),
    warm: () => {
      thread.warmed++
    },
    async run(works: readonly PairWork[]) {
      if (fail !== undefined) throw fail
      thread.read.push(works.flatMap(({ pairs }) => pairs))
      return works.map(({ pairs }) => pairs.map(({ memory }) => memory.length))
    },
    close: async () => {
      thread.closed = true
    },
  }
  return thread
}

const pairs = (...lengths: readonly number[]): readonly PairText[] =>
  lengths.map((length) => ({ memory: 'x'.repeat(length), before: null, after: null }))
const lengthsOf = (thread: FakeThread | undefined): readonly (readonly number[])[] | undefined =>
  thread?.read.map((call) => call.map(({ memory }) => memory.length))

function bench(count: number, make: () => FakeThread = () => fakeThread('idle')) {
  const first = fakeThread('idle')
  const further: FakeThread[] = []
  const open = (): FakeThread => {
    const thread = make()
    further.push(thread)
    return thread
  }
  const threads = createPairThreads(first, open, count)
  return { first, further, threads, run: (...lengths: readonly number[]) => threads.run('where', pairs(...lengths), 32, undefined) }
}

describe('pairs of a query over several threads', () => {
  it('loads further models once the first one is ready, and uses them once they are', async () => {
    const { first, further, run } = bench(1)
    expect(await run(1, 2, 3, 4)).toEqual([1, 2, 3, 4])
    expect(further).toEqual([])
    first.state = 'ready'
    expect(await run(1, 2, 3, 4)).toEqual([1, 2, 3, 4])
    const [second] = further
    expect(second).toMatchObject({ warmed: 1, read: [] })
    if (second !== undefined) second.state = 'ready'
    expect(await run(10, 400, 20, 200, 210)).toEqual([10, 400, 20, 200, 210])
    // The longest first, and about the same for each.
    expect(lengthsOf(first)?.at(-1)).toEqual([400, 20])
    expect(lengthsOf(second)).toEqual([[210, 200, 10]])
  })

  it('scores few pairs in one thread', async () => {
    const { first, further, run } = bench(2, () => fakeThread('ready'))
    first.state = 'ready'
    expect(await run(5, 6)).toEqual([5, 6])
    expect(further).toEqual([])
  })

  it('scores in the first thread what another one cannot', async () => {
    const { first, run } = bench(1, () => fakeThread('ready', new Error('out of memory')))
    first.state = 'ready'
    expect(await run(5, 6, 7, 8)).toEqual([5, 6, 7, 8])
    expect(first.read.flat()).toHaveLength(4)
  })

  it('uses no thread that cannot be loaded, and closes all', async () => {
    const { first, further, threads, run } = bench(2, () => fakeThread('error'))
    first.state = 'ready'
    expect(await run(5, 6, 7, 8)).toEqual([5, 6, 7, 8])
    expect(further.map(({ warmed, read }) => [warmed, read])).toEqual([
      [0, []],
      [0, []],
    ])
    await threads.close()
    expect(further.map(({ closed }) => closed)).toEqual([true, true])
  })
})
