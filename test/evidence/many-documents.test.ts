import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { queryTerms } from '../../src/core/text/text.js'
import { eraseMemory } from '../../src/engine/maintenance/erase-all.js'
import { ingestConversation, ingestFile } from '../../src/engine/substrate/evidence/ingest.js'
import { loadCodeRecipe } from '../../src/open/recipes.js'
import { createSystemClock } from '../../src/open/system-clock.js'
import type { CodeFilter } from '../../src/ports/code-index.js'
import { createDocumentReader } from '../../src/readers/documents/document-reader.js'
import { createDocumentThreads } from '../../src/readers/documents/document-thread.js'
import type { Opened } from '../opened.js'
import { CALL, openEvidence, removeTemporaryFolders, temporaryFolder } from './workbench.js'

let open: Opened[] = []
afterEach(async () => {
  for (const opened of open) await opened.engine.close()
  open = []
})
afterAll(removeTemporaryFolders)

async function start(): Promise<Opened> {
  const world = await openEvidence()
  open.push(world)
  return world
}

const say = ({ engine }: Opened, title: string, content: string, owner = 'default') =>
  ingestConversation(engine.context(), { ...CALL, owner }, { title, messages: [{ role: 'user', content }] })

/** Sources that contain the words, each with the score of its best passage. */
async function holding({ environment }: Opened, text: string, pool: CodeFilter) {
  const { code } = environment
  const { candidates, close } = await code.search({
    ...{ terms: queryTerms(text), fields: loadCodeRecipe().fields, vector: undefined, names: [], pool, limit: 50 },
    rough: environment.roughEmbedder.query(text, undefined),
  })
  close()
  const worded = candidates.filter(({ bm25 }) => bm25 > 0)
  const passages = new Map((await code.passages(worded.map(({ rid }) => rid))).map(({ rid, passage }) => [rid, passage.sourceId]))
  return worded.map(({ rid, bm25 }) => [passages.get(rid), bm25] as const)
}

it('many documents of several owners: each is found by its current words, by its owner only', async () => {
  const world = await start()
  const ids: string[] = []
  for (let i = 0; i < 12; i++) ids.push((await say(world, `Talk ${i}`, `The lantern number${i} burns.`)).source.id)
  const theirs = (await say(world, 'Theirs', 'The lantern number3 of Bob burns.', 'bob')).source.id
  const found = async (text: string, owner = 'default') => (await holding(world, text, { owner })).map(([id]) => id)
  for (const [i, id] of ids.entries()) expect(await found(`number${i}`)).toEqual([id])
  expect(await found('number3', 'bob')).toEqual([theirs])
  expect(new Set(await found('lantern'))).toEqual(new Set(ids))

  const path = join(temporaryFolder('documents'), 'a.md')
  writeFileSync(path, '# Keeper\n\nThe keeper sleeps.\n')
  const { source } = await ingestFile(world.engine.context(), CALL, { path, mode: 'markdown' })
  expect(await found('sleeps')).toEqual([source.id])
  writeFileSync(path, '# Keeper\n\nThe keeper reads.\n')
  await ingestFile(world.engine.context(), CALL, { path, mode: 'markdown' })
  expect([await found('sleeps'), await found('reads')]).toEqual([[], [source.id]])

  await eraseMemory(world.engine.context(), 'test', { owner: 'bob', reason: 'x' })
  expect([await found('number3', 'bob'), await found('number3')]).toEqual([[], [ids[3]]])
})

it('a query about some of them has the same results as without the others', async () => {
  const [all, few] = [await start(), await start()]
  const talks = ['The lantern burns all night.', 'A lantern and another lantern.', 'Nothing burns here.']
  for (const [i, text] of talks.entries()) for (const world of [all, few]) await say(world, `Talk ${i}`, text)
  for (let i = 0; i < 9; i++) await say(all, `More ${i}`, `The lantern burns again, for the ${i}th time, in a much longer text.`)
  const sources = (await few.backend.store.pageSources({ owner: 'default', limit: 9 })).items.map(({ id }) => id)
  const sorted = async (world: Opened, pool: CodeFilter) => [...(await holding(world, 'burning lantern', pool))].sort()
  const alone = await sorted(few, { owner: 'default' })
  expect(alone.length).toBe(3)
  expect(await sorted(all, { owner: 'default', sources })).toEqual(alone)
  expect(await sorted(all, { owner: 'default', sourceKinds: ['repo'] })).toEqual([])
})

it('repair 23: a conversation of hundreds of thousands of segments is rejected, and split without blocking the event loop', async () => {
  const workerUrl = new URL('../../dist/readers/documents/document-worker.js', import.meta.url)
  const threads = createDocumentThreads({ limitMs: 60_000, workerUrl })
  const clock = createSystemClock()
  const reader = createDocumentReader({ clock, roots: [], needsRoots: false, allowPrivate: false, threads })
  let isReading = true
  const outcome = reader
    .conversation('Long', [{ role: 'user', content: '# h\n\n'.repeat(400_000) }], {
      maskSecrets: true,
      signal: new AbortController().signal,
    })
    .catch((failure: unknown) => failure)
    .finally(() => {
      isReading = false
    })
  // Timers go on while it is cut, which takes much longer than a few of them.
  let turns = 0
  while (isReading) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    turns++
  }
  expect(await outcome).toMatchObject({ code: 'too_large', message: expect.stringContaining('50,000 segments') })
  expect(turns).toBeGreaterThan(10)
  await reader.close()
})
