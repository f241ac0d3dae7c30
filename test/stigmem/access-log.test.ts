import { expect, test, vi } from 'vitest'
import { createAccessLog, FLUSH_MS } from '../../src/engine/stigmem/access-log.js'
import { EVENTUALLY } from '../eventually.js'
import { openNode } from './node.js'

test('recall counts are written within 30 seconds, at the end, and again after a failure', async () => {
  expect(FLUSH_MS).toBeLessThanOrEqual(30_000)
  const node = await openNode('ram')
  const written: (readonly [string, number])[] = []
  let isBroken = true
  const statements = {
    ...node.backend.statements,
    noteAccess: async (counts: ReadonlyMap<string, number>) => {
      if (isBroken) throw new Error('disk full')
      written.push(...counts)
    },
  }
  const log = createAccessLog({ ...node.environment, statements }, 5)
  log.note(['a', 'b'])
  log.note(['a'])
  await log.flush()
  expect(written).toEqual([])
  isBroken = false
  log.note(['c'])
  await vi.waitFor(
    () =>
      expect(written).toEqual([
        ['a', 2],
        ['b', 1],
        ['c', 1],
      ]),
    EVENTUALLY,
  )
  log.note(['d'])
  await log.close()
  expect(written).toContainEqual(['d', 1])
  await node.close()
})
