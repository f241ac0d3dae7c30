import { afterAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { EVENTUALLY } from '../eventually.js'
import { removeTemporaryFolders, temporaryFolder } from './program.js'
import { find, openStdio, store, useTools } from './wire.js'

afterAll(removeTemporaryFolders)

const filler = (about: string): string =>
  Array.from(
    { length: 14 },
    (_, i) => `Point ${i + 1} on ${about}: nothing was decided, and the discussion goes on next week as planned.`,
  ).join(' ')
const SECRET = 'The spare key of the boat house hangs behind the blue lamp.'
const MINUTES = [filler('the budget'), filler('the menu'), filler('the parking lot'), SECRET, filler('the newsletter')].join('\n')
const QUESTION = 'where can I find a way to open the shed for the canoes'

const answer = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      part: z.object({ start: z.number(), length: z.number(), of: z.number() }).optional(),
    }),
  ),
})

it('finds the end of a long text by its meaning and shows that part', async () => {
  const directory = temporaryFolder()
  const wire = openStdio(['--data-dir', directory])
  const tools = await useTools(wire)
  const others: string[] = []
  for (const subject of ['gardens', 'taxes', 'trains']) others.push(await store(tools, filler(subject).repeat(3)))
  const minutes = await store(tools, MINUTES)
  const note = await store(tools, 'Canteen closes at three')
  // On a busy machine pieces may still be pending after the wait.
  await vi.waitFor(
    async () => expect(await tools.call('get_status')).toMatchObject({ memories_count: 5, embedding: { pending: 0 } }),
    EVENTUALLY,
  )
  expect((await find(tools, 'search', QUESTION))[0]).toBe(minutes)
  for (const effort of ['fast', 'best']) {
    const [first] = answer.parse(await tools.call('recall', { query: QUESTION, effort })).results
    expect(first?.id).toBe(minutes)
    expect(first?.content).toContain(SECRET)
    expect(first?.content.length).toBeLessThan(MINUTES.length / 2)
    const { start, length, of: count } = first?.part ?? { start: 0, length: 0, of: 0 }
    expect(count).toBe(MINUTES.length)
    expect(MINUTES.slice(start, start + length).trim()).toBe(first?.content)
  }
  const full = answer.parse(await tools.call('recall', { query: QUESTION, full: true })).results
  expect(full[0]).toMatchObject({ id: minutes, content: MINUTES })
  expect(full[0]).not.toHaveProperty('part')
  const plain = answer.parse(await tools.call('recall', { query: 'canteen' })).results.find(({ id }) => id === note)
  expect(plain).toEqual({ id: note, content: 'Canteen closes at three' })
  expect(await tools.call('get_memory', { id: minutes })).toMatchObject({ content: MINUTES })
  await tools.call('delete_memory', { id: minutes })
  expect(await find(tools, 'search', QUESTION)).not.toContain(minutes)
  expect((await wire.close()).code).toBe(0)
})

it('shows the part that contains the words without a model', async () => {
  const wire = openStdio(['--data-dir', temporaryFolder(), '--embedder', 'none'])
  const tools = await useTools(wire)
  const minutes = await store(tools, MINUTES)
  const [first] = answer.parse(await tools.call('recall', { query: 'spare key' })).results
  expect(first?.id).toBe(minutes)
  expect(first?.content).toContain(SECRET)
  expect((await wire.close()).code).toBe(0)
})
