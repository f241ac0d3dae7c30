import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { EVENTUALLY } from '../../test/eventually.js'
import { type ModelThread, openModelThread } from './model-thread.js'
import { commonThread } from './model-thread-host.js'

// A model that answers with the id of its thread and its own name; like the runtime of packages it keeps one thing per process.
const MODULE = `
import { threadId } from 'node:worker_threads'
export async function load({ name }) {
  return {
    async run(input) {
      if (input === 'refuse') throw new Error('too odd')
      if (input === 'die') process.exit(3)
      return threadId + ' ' + name + ' ' + input
    },
    async release() {},
  }
}
`

const folder = mkdtempSync(join(tmpdir(), 'mneme-place-'))
const workerFile = join(folder, 'model.mjs')
writeFileSync(workerFile, MODULE)

function open(name: string, idleMs = 0): ModelThread<string, string> {
  const thread = openModelThread<string, string>({
    name: `The model ${name}`,
    hint: 'Start again.',
    idleMs,
    locate: () => ({ workerFile, setup: { name } }),
    place: () => commonThread,
  })
  onTestFinished(async () => {
    await thread.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return thread
}

const ask = async (thread: ModelThread<string, string>, input: string): Promise<readonly string[]> =>
  (await thread.run([input], 'query', undefined)).join().split(' ')

it('models share one thread, are loaded and closed individually, and fail individually', async () => {
  const first = open('a', 1)
  const second = open('b')
  const [thread, ...answer] = await ask(first, 'one')
  expect(answer).toEqual(['a', 'one'])
  expect(await ask(second, 'two')).toEqual([thread, 'b', 'two'])
  await vi.waitFor(() => expect(first.status().state).toBe('idle'), EVENTUALLY)
  expect(await ask(first, 'three')).toEqual([thread, 'a', 'three'])
  await expect(second.run(['refuse'], 'query', undefined)).rejects.toMatchObject({ message: expect.stringContaining('too odd') })
  await second.close()
  await expect(second.run(['late'], 'query', undefined)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await ask(open('c'), 'four')).toEqual([thread, 'c', 'four'])
  expect(await ask(first, 'five')).toEqual([thread, 'a', 'five'])
  const pending = [ask(first, 'die'), ask(open('d'), 'six')]
  const [died] = await Promise.allSettled(pending)
  expect(died).toMatchObject({
    status: 'rejected',
    reason: { code: 'unavailable', message: expect.stringContaining('ended unexpectedly') },
  })
})
