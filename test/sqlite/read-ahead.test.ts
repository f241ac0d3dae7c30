import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asBytes, type Connection, type RowStream } from '../../src/backends/sql/plan/plan.js'
import { createSqliteConnection } from '../../src/backends/sqlite/connection.js'
import type { Database } from '../../src/backends/sqlite/driver.js'
import { defaultDriver } from '../../src/backends/sqlite/driver-choice.js'
import { streamRowsAhead } from '../../src/backends/sqlite/read-ahead.js'
import { EVENTUALLY } from '../eventually.js'

const WORKER = pathToFileURL(join(process.cwd(), 'dist/backends/sqlite/read-ahead-worker.js'))
const ROWS = 30_000
/** More than are read here before the thread is awaited. */
const OWN_READS = 20

type Seen = [rid: unknown, word: unknown, data: string]

describe('rows read with a thread', () => {
  let folder: string
  let file: string
  let db: Database
  let connection: Connection & { close(): Promise<void> }
  let readsHere: number
  let begun: string
  let isAwaited: boolean

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mneme-ahead-'))
    file = join(folder, 'rows.db')
    db = defaultDriver().open(file)
    db.pragma('journal_mode = WAL')
    db.exec('CREATE TABLE notes (rid INTEGER PRIMARY KEY, owner TEXT, word TEXT, data BLOB)')
    db.exec(`INSERT INTO notes
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${2 * ROWS})
      SELECT i, iif(i % 2 = 0, 'anna', 'otto'), 'word ' || i, iif(i % 10 = 0, NULL, CAST('bytes of ' || i AS BLOB)) FROM n`)
    const opened = createSqliteConnection(db, { file, busyTimeoutMs: 1000 })
    readsHere = 0
    begun = join(folder, 'begun')
    isAwaited = false
    connection = {
      ...opened,
      async read(plan) {
        // On a slow machine, too, the thread starts before everything is read here.
        if (++readsHere > OWN_READS && isAwaited) await expect.poll(() => existsSync(begun), EVENTUALLY).toBe(true)
        return opened.read(plan)
      },
    }
  })
  afterEach(async () => {
    await connection.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function reading(seen: Seen[], took?: (count: number) => void): RowStream {
    return {
      rows: ROWS,
      query: (after, limit) => ({
        text: 'SELECT rid, word, data FROM notes WHERE owner = ? AND rid > ? ORDER BY rid LIMIT ?',
        values: ['anna', after, limit],
        kinds: ['int', 'text', 'bytes'],
      }),
      take([rid, word, data]) {
        seen.push([
          rid,
          word,
          data === null ? '' : typeof data === 'string' ? `text ${data}` : Buffer.from(asBytes(data, 'data')).toString(),
        ])
        took?.(seen.length)
      },
    }
  }
  const expected = (): Seen[] =>
    Array.from({ length: ROWS }, (_, i) => 2 * (i + 1)).map((rid) => [rid, `word ${rid}`, rid % 10 === 0 ? '' : `bytes of ${rid}`])
  const readHereAlone = Math.ceil(ROWS / 500)
  const ofThread = (worker = WORKER) => ({ name: file, driver: defaultDriver().name, worker })

  test('are returned once each, in order, most of them by the thread', async () => {
    const seen: Seen[] = []
    const worker = join(folder, 'worker.mjs')
    writeFileSync(
      worker,
      `import { writeFileSync } from 'node:fs'\nawait import(${JSON.stringify(WORKER)})\nwriteFileSync(${JSON.stringify(begun)}, '')`,
    )
    isAwaited = true
    await streamRowsAhead(connection, ofThread(pathToFileURL(worker)), reading(seen))
    expect(seen).toEqual(expected())
    expect(readsHere).toBeLessThan(readHereAlone)
  })

  test('are returned without a thread if none can be started', async () => {
    const seen: Seen[] = []
    await streamRowsAhead(connection, ofThread(pathToFileURL(join(folder, 'nothing.js'))), reading(seen))
    expect(seen).toEqual(expected())
    expect(readsHere).toBeGreaterThanOrEqual(readHereAlone)
  })

  test('are complete if the first ones are deleted while the thread starts', async () => {
    const seen: Seen[] = []
    const gone = 12_000
    const removeOnce = (count: number): void => {
      if (count === 1) db.exec(`DELETE FROM notes WHERE owner = 'anna' AND rid > 1000 AND rid <= ${gone}`)
    }
    await streamRowsAhead(connection, ofThread(), reading(seen, removeOnce))
    const after = seen.filter(([rid]) => Number(rid) > gone)
    expect(after).toEqual(expected().filter(([rid]) => Number(rid) > gone))
    expect(new Set(seen.map(([rid]) => rid)).size).toBe(seen.length)
  })

  test('are returned unchanged if a value does not have its type', async () => {
    db.exec(`UPDATE notes SET data = 'no blöb' WHERE rid = 50000`)
    const seen: Seen[] = []
    await streamRowsAhead(connection, ofThread(), reading(seen))
    expect(seen.map(([rid]) => rid)).toEqual(expected().map(([rid]) => rid))
    expect(seen.find(([rid]) => rid === 50_000)?.[2]).toBe('text no blöb')
  })
})
