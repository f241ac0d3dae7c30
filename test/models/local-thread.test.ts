import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openLocalEmbedder } from '../../src/models/local.js'
import type { Embedder } from '../../src/ports/embedder.js'
import { EVENTUALLY } from '../eventually.js'

// Implements the worker's protocol without a model: a vector is the thread's id and the number of texts it has seen.
const WORKER = `
import { parentPort, threadId } from 'node:worker_threads'
let seen = 0
parentPort.on('message', (request) => {
  if (request.type === 'close') return parentPort.close()
  if (request.input === 'die') process.exit(3)
  if (request.input === 'throw') throw new Error('out of luck')
  if (request.input === 'refuse') return parentPort.postMessage({ type: 'rejected', id: request.id, problem: 'too odd' })
  parentPort.postMessage({ type: 'done', id: request.id, output: Float32Array.of(threadId, seen++) })
})
parentPort.postMessage({ type: 'ready' })
`

function open(options: { readonly idleMs?: number } = {}): Embedder {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-thread-'))
  const workerFile = join(folder, 'worker.mjs')
  writeFileSync(workerFile, WORKER)
  writeFileSync(join(folder, 'model.onnx'), '')
  const embedder = openLocalEmbedder({ folder, workerFile, modelId: 'stand-in', dimensions: 2, cacheSize: 0, ...options })
  onTestFinished(async () => {
    await embedder.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return embedder
}

const passages = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `passage ${i}`)
const orderOf = (vectors: readonly Float32Array[]): readonly (number | undefined)[] => vectors.map((vector) => vector[1])

it('lets a question overtake a backlog of passages', async () => {
  const embedder = open()
  const backlog = embedder.embed(passages(1000), { purpose: 'passage' })
  const question = await embedder.embed(['question'], { purpose: 'query' })
  expect(orderOf(question)[0]).toBeLessThanOrEqual(1)
  expect(await backlog).toHaveLength(1000)
})

it('does not compute what was cancelled', async () => {
  const embedder = open()
  const controller = new AbortController()
  const backlog = embedder.embed(passages(1000), { purpose: 'passage', signal: controller.signal })
  controller.abort()
  await expect(backlog).rejects.toMatchObject({ code: 'cancelled' })
  expect(orderOf(await embedder.embed(['next'], { purpose: 'passage' }))[0]).toBeLessThanOrEqual(1)
})

it.each([
  ['die', /ended unexpectedly \(code 3\)/],
  ['throw', /out of luck/],
])('survives a worker that ends: %s', async (text, expected) => {
  const embedder = open()
  const [first] = await embedder.embed(['fine'], { purpose: 'query' })
  const pending = [embedder.embed([text], { purpose: 'query' }), embedder.embed(passages(3), { purpose: 'passage' })]
  for (const call of await Promise.allSettled(pending)) {
    expect(call).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', message: expect.stringMatching(expected) } })
  }
  expect(embedder.status()).toMatchObject({ state: 'error', problem: expect.stringMatching(expected) })
  const [second] = await embedder.embed(['fine'], { purpose: 'query' })
  expect(second?.[0]).not.toBe(first?.[0])
  expect(embedder.status()).toMatchObject({ state: 'ready', problem: null })
})

it('rejects only the call whose text the model refuses', async () => {
  const embedder = open()
  const [refused, fine] = await Promise.allSettled([
    embedder.embed(['refuse'], { purpose: 'passage' }),
    embedder.embed(['fine'], { purpose: 'passage' }),
  ])
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', message: expect.stringContaining('too odd') } })
  expect(fine.status).toBe('fulfilled')
})

it('unloads when idle and loads again', async () => {
  const embedder = open({ idleMs: 1 })
  const [first] = await embedder.embed(['one'], { purpose: 'query' })
  await vi.waitFor(() => expect(embedder.status().state).toBe('idle'), EVENTUALLY)
  const [second] = await embedder.embed(['two'], { purpose: 'query' })
  expect(second?.[1]).toBe(0)
  expect(second?.[0]).not.toBe(first?.[0])
})

it('loads in the background', async () => {
  const embedder = open()
  embedder.warm()
  expect(embedder.status().state).toBe('loading')
  await vi.waitFor(() => expect(embedder.status().state).toBe('ready'), EVENTUALLY)
})

it('refuses work once closed', async () => {
  const embedder = open()
  const pending = embedder.embed(passages(10), { purpose: 'passage' })
  const outcome = expect(pending).rejects.toMatchObject({ code: 'unavailable' })
  await embedder.close()
  await outcome
  await expect(embedder.embed(['late'], { purpose: 'query' })).rejects.toMatchObject({ code: 'unavailable' })
})
