import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Plan, run } from '../sql/plan/plan.js'
import { createSqliteConnection, type SqliteConnection } from './connection.js'
import type { Database } from './driver.js'
import { openDatabase } from './open-file.js'

let directory: string
let db: Database
let connection: SqliteConnection

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mneme-connection-'))
  const file = join(directory, 'mneme.db')
  db = openDatabase(file)
  connection = createSqliteConnection(db, { file, busyTimeoutMs: 50 })
})
afterEach(async () => {
  await connection.close()
  rmSync(directory, { recursive: true, force: true })
})

const put =
  (key: string, value = 'x') =>
  () =>
    run(`INSERT INTO meta (key, value) VALUES (?, ?)`, key, value)
const keys = (): Promise<unknown> =>
  connection.read(function* (): Plan<unknown> {
    return (yield* run(`SELECT key FROM meta ORDER BY key`)).map((row) => row.key)
  })

test('commits writes that arrive together in one group, in order', async () => {
  const before = connection.changeMark()
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      await connection.write(put(`k${i}`))
      order.push(i)
    }),
  )
  expect(order).toEqual(Array.from({ length: 50 }, (_, i) => i))
  expect(connection.changeMark() - before).toBe(1)
})

test('undoes a failed write alone', async () => {
  const failing = connection.write(function* (): Plan<void> {
    yield* run(`INSERT INTO meta (key, value) VALUES ('half', 'x')`)
    yield* run(`INSERT INTO meta (key, value) VALUES ('a', 'x')`)
  })
  const outcomes = await Promise.allSettled([connection.write(put('a')), failing, connection.write(put('b'))])
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(await keys()).toEqual(['a', 'b', ...(outcomes[0]?.status === 'rejected' ? ['half'] : [])])
})

test('reports a full disk, and commits the next write that fits', async () => {
  await connection.write(put('a'))
  db.pragma(`max_page_count = ${Number(db.pragma('page_count')) + 2}`)
  const large = connection.write(put('large', 'x'.repeat(500_000)))
  await expect(large).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringContaining('full'),
    hint: expect.stringContaining('space'),
  })
  await connection.write(put('b'))
  expect(await keys()).toEqual(['a', 'b'])
})

test('waits for queued writes on closing', async () => {
  const write = connection.write(put('late'))
  await connection.close()
  await write
  const again = openDatabase(join(directory, 'mneme.db'))
  expect(again.prepare(`SELECT count(*) FROM meta WHERE key = 'late'`).value()).toBe(1)
  again.close()
})

test('rejects calls on a closed connection', async () => {
  await connection.close()
  await expect(connection.write(put('x'))).rejects.toThrow(/not open|closed/)
  await expect(keys()).rejects.toThrow(/not open|closed/)
})

const displaced = {
  code: 'storage',
  message: expect.stringContaining('moved, deleted or replaced'),
  hint: expect.stringContaining('restart'),
}

test('refuses writes to a removed file or log; reads continue', async () => {
  const file = join(directory, 'mneme.db')
  await connection.write(put('a'))
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    renameSync(path, `${path}.away`)
    await expect(connection.write(put('lost'))).rejects.toMatchObject(displaced)
    await expect(connection.write(put('lost'))).rejects.toThrow(path)
    expect(await keys()).toContain('a')
    renameSync(`${path}.away`, path)
    await connection.write(put(path))
  }
  expect(await keys()).toEqual([file, `${file}-shm`, `${file}-wal`, 'a'])
})

test('refuses writes in a removed folder', async () => {
  expect(existsSync(join(directory, 'mneme.db-wal'))).toBe(true)
  rmSync(directory, { recursive: true })
  await expect(connection.write(put('lost'))).rejects.toMatchObject(displaced)
})

test('refuses writes to a replaced file', async () => {
  const file = join(directory, 'mneme.db')
  await connection.write(put('a'))
  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
  await expect(connection.write(put('lost'))).rejects.toMatchObject(displaced)
})

test('writes nothing after detected damage', async () => {
  const file = join(directory, 'mneme.db')
  await connection.write(put('a'))
  const page = Number(db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'entities'`).value())
  const size = Number(db.pragma('page_size'))
  await connection.close()
  const bytes = readFileSync(file)
  bytes.fill(0xa5, (page - 1) * size, page * size)
  writeFileSync(file, bytes)
  db = openDatabase(file)
  connection = createSqliteConnection(db, { file, busyTimeoutMs: 50 })
  await connection.write(put('b'))
  const damaged = { code: 'storage', message: expect.stringContaining('damaged'), hint: expect.stringContaining('mneme restore') }
  const reading = connection.read(() => run(`SELECT * FROM entities`))
  await expect(reading).rejects.toMatchObject(damaged)
  await expect(connection.write(put('c'))).rejects.toMatchObject(damaged)
  expect(await keys()).toEqual(['a', 'b'])
})

test('fails the whole group if a write detects damage', async () => {
  const outcomes = await Promise.allSettled([
    connection.write(put('a')),
    connection.write(() => {
      throw Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' })
    }),
  ])
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'storage' } })
  expect(await keys()).toEqual([])
})
