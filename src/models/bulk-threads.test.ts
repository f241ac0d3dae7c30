import { describe, expect, it } from 'vitest'
import { createBulkThreads } from './bulk-threads.js'
import type { ModelThread } from './model-thread.js'

const NEVER = new AbortController().signal

/** A thread whose output for a text is the text itself; it notes what it has read. */
function fakeThread(fails = false): ModelThread<string, string> & { readonly read: string[] } {
  const read: string[] = []
  return {
    read,
    status: () => ({ state: 'ready', problem: null }),
    warm: () => undefined,
    async run(texts) {
      if (fails) throw new Error('no memory')
      read.push(...texts)
      return texts
    },
    close: async () => undefined,
  }
}

const batch = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => 'x'.repeat(i + 1))
const characters = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

describe('bulk threads', () => {
  it('leave a few passages to the first thread and open no other', async () => {
    const first = fakeThread()
    const threads = createBulkThreads<string>(first, () => expect.unreachable(), 2)
    expect(await threads.run(batch(32), NEVER)).toEqual(batch(32))
    expect(first.read).toHaveLength(32)
  })

  it('share many passages evenly by length and keep their order', async () => {
    const first = fakeThread()
    const opened: ReturnType<typeof fakeThread>[] = []
    const threads = createBulkThreads<string>(
      first,
      () => {
        const thread = fakeThread()
        opened.push(thread)
        return thread
      },
      2,
    )
    const texts = batch(300)
    expect(await threads.run(texts, NEVER)).toEqual(texts)
    expect(await threads.run(texts, NEVER)).toEqual(texts)
    expect(opened).toHaveLength(2)
    const shares = [first, ...opened].map(({ read }) => characters(read))
    expect(Math.max(...shares) / Math.min(...shares)).toBeLessThan(1.02)
  })

  it('give the share of a failing thread to the first one, whose own failure counts', async () => {
    const first = fakeThread()
    expect(await createBulkThreads<string>(first, () => fakeThread(true), 1).run(batch(300), NEVER)).toEqual(batch(300))
    await expect(createBulkThreads<string>(fakeThread(true), fakeThread, 1).run(batch(300), NEVER)).rejects.toThrow('no memory')
  })

  it('use the first thread alone on a single core', async () => {
    const first = fakeThread()
    await createBulkThreads<string>(first, () => expect.unreachable(), 0).run(batch(300), NEVER)
    expect(first.read).toHaveLength(300)
  })
})
