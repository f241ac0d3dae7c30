import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import { commit, handClock, putFact } from '../contract/samples.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mneme-erasure-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const open = (where = directory) => openSqlite({ directory: where, clock: handClock(), busyTimeoutMs: 2000 })
const holds = (word: string, where = directory): boolean =>
  readdirSync(where).some((name) => readFileSync(join(where, name)).toString('latin1').toLowerCase().includes(word))

test.each([
  ['deleted', (id: string) => [{ op: 'fact.delete', id, owner: 'ann' } as const]],
  ['replaced', (id: string) => [putFact({ id, text: 'nothing to see', version: 2 }), { op: 'fact.delete', id, owner: 'ann' } as const]],
  ['reset', () => [{ op: 'reset', owner: null } as const]],
])('no word of a fact that was %s is left in the files', async (_, change) => {
  const backend = await open()
  await commit(backend, ...Array.from({ length: 300 }, (__, i) => putFact({ id: `f${i}`, text: `an otter number ${i} in the river` })))
  await commit(backend, putFact({ id: 'secret', title: 'Zanzibarkey', text: 'the hunterneedle opens the vault', session: 's' }))
  expect(holds('hunterneedl')).toBe(true)
  for (const entry of change('secret')) await commit(backend, entry)
  await backend.close()
  expect(holds('hunterneedl')).toBe(false)
  expect(holds('zanzibarkey')).toBe(false)
})

test('data left by a killed process is erased by the next', async () => {
  const killed = await open()
  await commit(killed, putFact({ id: 'secret', text: 'the hunterneedle opens the vault' }), putFact({ id: 'other', text: 'an otter' }))
  await commit(killed, { op: 'fact.delete', id: 'secret', owner: 'ann' })
  const copy = join(directory, 'copy')
  mkdirSync(copy)
  for (const name of readdirSync(directory)) if (name.startsWith('mneme.db')) copyFileSync(join(directory, name), join(copy, name))
  expect(holds('hunterneedl', copy)).toBe(true)
  await (await open(copy)).close()
  expect(holds('hunterneedl', copy)).toBe(false)
  await killed.close()
})

test('data used by a reader is erased when it has finished', async () => {
  const backend = await open()
  await commit(backend, putFact({ id: 'secret', text: 'the hunterneedle opens the vault' }), putFact({ id: 'other', text: 'an otter' }))
  const reader = openFile(join(directory, 'mneme.db'))
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM facts').get()
  await commit(backend, { op: 'fact.delete', id: 'secret', owner: 'ann' })
  await backend.close()
  expect(holds('hunterneedl')).toBe(true)
  reader.exec('COMMIT')
  reader.close()
  await (await open()).close()
  expect(holds('hunterneedl')).toBe(false)
})
