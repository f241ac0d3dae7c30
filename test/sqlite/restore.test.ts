import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import { restoreStore } from '../../src/backends/sqlite/restore.js'
import type { Backend } from '../../src/ports/backend.js'
import { commit, putFact } from '../contract/samples.js'
import { bundleWriter, startWriter } from './start-writer.js'

const root = mkdtempSync(join(tmpdir(), 'mneme-restore-'))
let made = 0
let program = ''

beforeAll(async () => {
  program = await bundleWriter(root)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const open = (directory: string): Promise<Backend> =>
  openSqlite({ directory, clock: { now: () => Date.now() * 1000 }, busyTimeoutMs: 2000 })

/** A store, and a backup of it with the facts f0 to f99. */
async function storeAndBackup(): Promise<{ readonly directory: string; readonly file: string; readonly backup: string }> {
  const directory = join(root, `data-${made++}`)
  const backend = await open(directory)
  await commit(backend, ...Array.from({ length: 100 }, (_, i) => putFact({ id: `f${i}`, text: `an otter number ${i}` })))
  const backup = join(root, `backup-${made}.db`)
  await backend.maintenance.backup(backup)
  await backend.close()
  return { directory, file: join(directory, 'mneme.db'), backup }
}

/** Kills another process while it stores facts, which leaves its log behind. */
async function killWriter(directory: string): Promise<readonly string[]> {
  const writer = startWriter(program, 'write', directory, 'w', '60', 'stay')
  await writer.said(1)
  writer.process.stdin.write('go\n')
  await writer.said(61)
  writer.process.kill('SIGKILL')
  await writer.ended
  expect(statSync(join(directory, 'mneme.db-wal')).size).toBeGreaterThan(0)
  return writer.lines.slice(1)
}

async function expectSound(directory: string, facts: number): Promise<void> {
  const backend = await open(directory)
  expect(await backend.maintenance.diagnose()).toEqual([])
  expect(await backend.store.counts(undefined)).toMatchObject({ facts })
  await commit(backend, putFact({ id: 'after' }))
  await backend.close()
}

const namesIn = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => !name.endsWith('-reserve'))
    .map((name) => name.replace(/\.\d{4}-.*Z\./u, '.TIME.'))

describe('backup', () => {
  test('replaces a store whose last process was killed, and keeps a copy of it', async () => {
    const { directory, file, backup } = await storeAndBackup()
    const written = await killWriter(directory)
    const { kept } = await restoreStore(backup, file)
    expect(namesIn(directory).sort()).toEqual(['mneme.db', 'mneme.db.TIME.bak', 'mneme.db.TIME.bak-count'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await expectSound(directory, 100)
    const before = join(root, `before-${made}`)
    mkdirSync(before)
    copyFileSync(kept ?? '', join(before, 'mneme.db'))
    const old = await open(before)
    expect((await old.store.facts([...written, 'f0'])).length).toBe(written.length + 1)
    await old.close()
  })

  test('replaces a damaged store next to a log that does not match it', async () => {
    const { directory, file, backup } = await storeAndBackup()
    await killWriter(directory)
    const log = readFileSync(`${file}-wal`)
    for (const content of ['not a database', `SQLite format 3\0${'\xa5'.repeat(9000)}`, '']) {
      writeFileSync(file, content, 'latin1')
      writeFileSync(`${file}-wal`, log)
      writeFileSync(`${file}-journal`, 'left over')
      const { kept } = await restoreStore(backup, file)
      for (const side of ['-wal', '-shm', '-journal']) expect(existsSync(`${file}${side}`)).toBe(false)
      expect(kept !== null && existsSync(kept)).toBe(true)
      await expectSound(directory, 100)
    }
  })

  test('is restored where no store exists', async () => {
    const { backup } = await storeAndBackup()
    const directory = join(root, `data-${made++}`, 'deep')
    expect(await restoreStore(backup, join(directory, 'mneme.db'))).toEqual({ kept: null })
    expect(readdirSync(directory)).toEqual(['mneme.db'])
    await expectSound(directory, 100)
  })

  test('includes the newest part in a log next to the backup', async () => {
    const { file } = await storeAndBackup()
    const other = await storeAndBackup()
    const written = await killWriter(other.directory)
    await restoreStore(other.file, file)
    await expectSound(join(file, '..'), 100 + written.length)
  })

  test('is rejected while another process has the store open, even if it is damaged', async () => {
    const { directory, file, backup } = await storeAndBackup()
    const writer = startWriter(program, 'write', directory, 'w', '1', 'stay')
    await writer.said(1)
    const inUse = { code: 'unavailable', message: expect.stringContaining('open'), hint: expect.stringContaining('Stop every mneme') }
    await expect(restoreStore(backup, file)).rejects.toMatchObject(inUse)
    writer.process.stdin.write('go\n')
    await writer.said(2)
    const bytes = readFileSync(file)
    writeFileSync(file, Buffer.alloc(bytes.length, 0xa5))
    await expect(restoreStore(backup, file)).rejects.toMatchObject(inUse)
    writeFileSync(file, bytes)
    writer.process.stdin.write('end\n')
    await writer.ended
    expect(readdirSync(directory).sort()).toEqual(['mneme.db', 'mneme.db-count', 'mneme.db-reserve'])
    await expectSound(directory, 101)
  })

  test('is rejected if it is damaged, and the store stays unchanged', async () => {
    const { directory, file, backup } = await storeAndBackup()
    const bad = (name: string): string => join(root, `bad-${name}-${made}`)
    writeFileSync(bad('text'), 'not a database at all '.repeat(500))
    writeFileSync(bad('empty'), '')
    mkdirSync(bad('folder'))
    const bytes = readFileSync(backup)
    writeFileSync(bad('cut'), bytes.subarray(0, bytes.length / 2))
    writeFileSync(bad('garbled'), Buffer.concat([bytes.subarray(0, 4096 * 3), Buffer.alloc(bytes.length - 4096 * 3, 0xa5)]))
    for (const [name, pragma] of [
      ['foreign', 'application_id = 77'],
      ['newer', 'user_version = 999'],
    ] as const) {
      copyFileSync(backup, bad(name))
      const db = openFile(bad(name))
      db.pragma(pragma)
      db.close()
    }
    const before = readFileSync(file)
    for (const [source, code, message] of [
      [bad('missing'), 'not_found', 'There is no file'],
      [bad('folder'), 'invalid_input', 'is not a file'],
      [bad('text'), 'invalid_input', 'is damaged or not a mneme store'],
      [bad('empty'), 'invalid_input', 'is not a mneme store'],
      [bad('cut'), 'invalid_input', 'is damaged'],
      [bad('garbled'), 'invalid_input', 'is damaged'],
      [bad('foreign'), 'invalid_input', 'is not a mneme store'],
      [bad('newer'), 'invalid_input', 'newer mneme (schema 999'],
      [file, 'invalid_input', 'is the store itself'],
    ] as const) {
      await expect(restoreStore(source, file), source).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
      await expect(restoreStore(source, file)).rejects.toMatchObject({ message: expect.stringContaining(source), hint: expect.anything() })
    }
    expect(readdirSync(directory).sort()).toEqual(['mneme.db', 'mneme.db-count', 'mneme.db-reserve'])
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('may be read-only, in a read-only folder', async () => {
    const { directory, file, backup } = await storeAndBackup()
    const media = join(root, `media-${made}`)
    mkdirSync(media)
    copyFileSync(backup, join(media, 'copy.db'))
    chmodSync(join(media, 'copy.db'), 0o444)
    chmodSync(media, 0o555)
    await restoreStore(join(media, 'copy.db'), file)
    chmodSync(media, 0o755)
    expect(readdirSync(media)).toEqual(['copy.db'])
    await expectSound(directory, 100)
  })
})
