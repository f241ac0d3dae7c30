import { expect, onTestFinished, test, vi } from 'vitest'
import { MAX_PIECES } from '../../src/core/text/pieces.js'
import { createEmbeddingPipeline } from '../../src/engine/embedding/embedding-pipeline.js'
import { openHashEmbedder } from '../../src/models/hash.js'
import { commit, handClock, putFact } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { openRam } from '../memory-backend/open.js'

const LONG = 'The river rises in spring and falls in summer. '.repeat(60)

function openGate(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

/** A model that embeds pieces only when allowed. */
async function open() {
  const clock = handClock()
  const backend = await openRam({ clock })
  const hash = openHashEmbedder(8)
  const gate = openGate()
  const batches: number[] = []
  const vectoriser = createEmbeddingPipeline({
    backlog: backend.backlog,
    jobs: backend.jobs,
    embedder: {
      ...hash,
      async embed(texts, options) {
        batches.push(texts.length)
        if (texts.length > 1) await gate.promise
        return hash.embed(texts, options)
      },
    },
    clock,
    log: { warn: () => undefined },
    holder: 'test',
    forceModel: false,
    waitMs: 60_000,
  })
  onTestFinished(() => vectoriser.close())
  return { backend, vectoriser, gate, batches }
}

test('storing a long text waits for the vector of its beginning, not for its pieces', async () => {
  const { backend, vectoriser, gate } = await open()
  await commit(backend, putFact({ id: 'a', text: LONG }))
  await vectoriser.now(['a'])
  expect([await backend.backlog.pending('facts'), await backend.backlog.pending('pieces')]).toEqual([0, 1])
  gate.resolve()
  await vi.waitFor(async () => expect(await backend.backlog.pending('pieces')).toBe(0), EVENTUALLY)
})

test('a search waits for few pieces that this process has still to make', async () => {
  const { backend, vectoriser, gate } = await open()
  await commit(backend, putFact({ id: 'a', text: LONG }))
  await vectoriser.now(['a'])
  gate.resolve()
  await vectoriser.embedPending()
  expect(await backend.backlog.pending('pieces')).toBe(0)
})

test('pieces are embedded in batches of bounded size, with a maximum per text', async () => {
  const { backend, vectoriser, gate, batches } = await open()
  gate.resolve()
  await commit(backend, putFact({ id: 'a', text: LONG.repeat(100) }))
  await vectoriser.now(['a'])
  await vi.waitFor(async () => expect(await backend.backlog.pending('pieces')).toBe(0), EVENTUALLY)
  expect(Math.max(...batches)).toBeLessThanOrEqual(32)
  expect(batches.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1 + MAX_PIECES)
})
