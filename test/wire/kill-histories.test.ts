import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runs } from '../runs.js'
import { type Program, removeTemporaryFolders, temporaryFolder } from './program.js'
import { HASH, noneLeft, oneLeft, SHARED, sharedProcesses, startWarm, warm } from './warm.js'
import { openStdio, useTools } from './wire.js'

// Histories of calls with kills at any moment, of clients and of the shared process. MNEME_TEST_RUNS sets their number.
const RUNS = runs(2, 20)
const STEPS = 8
const listed = z.object({ memories: z.array(z.looseObject({ content: z.string() })) })

afterAll(removeTemporaryFolders)

/** The same history for the same seed (mulberry32). */
function createDice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const killShared = (folder: string): void => {
  for (const pid of sharedProcesses(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Resolves after a given number of turns of the event loop: a moment that no clock decides. */
async function turns(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) await new Promise((resolve) => setImmediate(resolve))
}

describe.skipIf(process.platform !== 'linux')('histories with kills', () => {
  it.each(Array.from({ length: RUNS }, (_, nth) => nth + 1))(
    'random kills lose nothing, repeat nothing and leave nothing: seed %i',
    async (seed) => {
      const dice = createDice(seed)
      const folder = temporaryFolder()
      const acknowledged: string[] = []
      const wire = openStdio(['--data-dir', folder, ...HASH], { env: SHARED })
      const tools = await useTools(wire)
      const calls: Promise<unknown>[] = []
      const clients: Program[] = []
      for (let step = 0; step < STEPS; step++) {
        const text = `Step ${step} of history ${seed}`
        const choice = dice()
        if (choice < 0.4) {
          const client = startWarm(folder, ['remember', text])
          client.child.stdin.end()
          clients.push(client)
          calls.push(client.ended().then(({ code }) => code === 0 && acknowledged.push(text)))
        } else if (choice < 0.75)
          calls.push(
            tools.call('store_memory', { content: text }).then(
              () => acknowledged.push(text),
              // Its outcome is unknown.
              () => undefined,
            ),
          )
        else if (choice < 0.9) killShared(folder)
        else clients.at(-1)?.child.kill('SIGKILL')
        await turns(Math.floor(dice() * 400))
        if (dice() < 0.3) await Promise.all(calls)
      }
      await Promise.all(calls)
      await wire.close()

      const { out } = await warm(folder, ['list', '--limit', '100'], { env: { MNEME_SHARED: 'off' } })
      const stored = listed.parse(JSON.parse(out)).memories.map(({ content }) => content)
      expect(stored.length).toBe(new Set(stored).size)
      expect(stored).toEqual(expect.arrayContaining(acknowledged))
      // What a kill has left does not keep the next one from starting.
      expect((await warm(folder, ['remember', 'After all that'])).code).toBe(0)
      await oneLeft(folder)
      expect((await warm(folder, ['doctor'], { env: { MNEME_SHARED: 'off' } })).code).toBe(0)
      await warm(folder, ['stop'])
      await noneLeft(folder)
    },
  )
})
