import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { importLines } from '../../src/engine/transfer/transfer.js'
import { commit, putFact } from '../contract/samples.js'
import { openWorld, type World } from './world.js'

describe('import', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  test.each([
    ['while others write', true, 400],
    ['alone', false, 4000],
  ])('commits what it reads %s, no more at once than others can wait for', async (_, isShared, max) => {
    async function* lines(): AsyncGenerator<string> {
      for (let i = 0; i < 6000; i++) {
        if (isShared && i % 200 === 0) await commit(world.backend, putFact({ id: `other${i}`, text: 'x' }))
        yield JSON.stringify({ content: `note ${i}`, user_id: i % 3 === 0 ? 'bob' : 'ann' })
      }
    }
    const reached: number[] = []
    const report = await importLines(world.engine.context(), lines(), {
      ...{ actor: 'test', signal: new AbortController().signal },
      progress: (number) => reached.push(number),
    })
    expect(report.facts).toBe(6000)
    expect(Math.max(...reached.map((number, i) => number - (reached[i - 1] ?? 0)))).toBe(max)
  })
})
