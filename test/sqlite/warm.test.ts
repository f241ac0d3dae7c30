import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { Backend } from '../../src/ports/backend.js'
import { commit, handClock, putFact } from '../contract/samples.js'

let directory: string
let backend: Backend
const reopen = (): Promise<Backend> => openSqlite({ directory, clock: handClock(), busyTimeoutMs: 5000 })
const OWNERS = ['ann', 'bob', 'cy']

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'mneme-warm-'))
  const filled = await reopen()
  for (const owner of OWNERS) await commit(filled, putFact({ id: owner, owner, text: 'an otter' }))
  await filled.close()
  backend = await reopen()
})
afterEach(async () => {
  await backend.close()
  rmSync(directory, { recursive: true, force: true })
})

test('loads the shard of the first owner at once and the others only while the process is idle', async () => {
  const loaded: number[] = []
  let checks = 0
  await backend.warm({
    first: 'bob',
    maxBytes: Number.POSITIVE_INFINITY,
    untilIdle: async () => {
      loaded.push(backend.memoryBytes())
      return ++checks < OWNERS.length - 1
    },
  })
  expect(loaded[0]).toBeGreaterThan(0)
  expect(loaded[1]).toBeGreaterThan(loaded[0] ?? 0)
  expect(backend.memoryBytes()).toBe(loaded[1])
})

test('loads no further shard once those in memory reach the limit', async () => {
  let checks = 0
  await backend.warm({ first: 'bob', maxBytes: 1, untilIdle: async () => ++checks > 0 })
  expect(checks).toBe(0)
  expect(backend.memoryBytes()).toBeGreaterThan(0)
})
