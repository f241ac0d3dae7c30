import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Driver } from './driver.js'
import { defaultDriver, driverFor, driverNamed } from './driver-choice.js'
import { resultName, withResultName } from './result-name.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-driver-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** True if this Node can load it: the compiled one fits one version only. */
function isUsable(driver: Driver): boolean {
  try {
    driver.open(':memory:').close()
    return true
  } catch {
    return false
  }
}

const usable = ['node:sqlite', 'better-sqlite3'].map(driverNamed).filter(isUsable)

const failureOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('choice of the SQLite library', () => {
  it('depends on the version of Node', () => {
    for (const version of ['20.11.0', '20.20.2', '22.0.0', '22.15.1', '23.11.0'])
      expect(driverFor(version).name, version).toBe('better-sqlite3')
    for (const version of ['22.16.0', '22.23.3', '24.0.0', '26.10.0', '30.1.0'])
      expect(driverFor(version).name, version).toBe('node:sqlite')
    expect(usable).toContain(defaultDriver())
  })

  it('accepts a name and rejects an unknown one', () => {
    expect(() => driverNamed('sqlite4')).toThrow('There is no SQLite driver "sqlite4"')
  })

  it('hides its own warning and no other', () => {
    const program = `
      const { openFile } = await import(process.argv[1])
      openFile(':memory:').prepare('SELECT 1').get()
      process.emitWarning('something else')`
    const source = join(import.meta.dirname, '../../../dist/backends/sqlite/driver-choice.js')
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program, source], { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stderr.replace(/^\(Use .*\n/m, '')).toMatch(/^\(node:\d+\) Warning: something else\n$/)
  })
})

describe.each(usable.map((driver) => [driver.name, driver] as const))('%s', (_, driver) => {
  const open = () => driver.open(join(folder, 'x.db'))

  it('reads what was written, with rows as plain objects and blobs as bytes', () => {
    const db = open()
    db.exec('CREATE TABLE t (a INTEGER, b BLOB NOT NULL, c TEXT); CREATE TABLE u (x)')
    const put = db.prepare('INSERT INTO t (a, b, c) VALUES (?, ?, ?)')
    expect(put.answers).toBe(false)
    expect(put.run(2 ** 52, new Uint8Array([1, 2]), null)).toEqual({ changes: 1, lastInsertRowid: 1 })
    for (const empty of [new Uint8Array(0), new Uint8Array(new ArrayBuffer(0)), new Uint8Array(8).subarray(8)]) put.run(null, empty, 'text')
    const rows = db.prepare('SELECT a, b, c FROM t')
    expect(rows.answers).toBe(true)
    expect(rows.all().map(({ a, b, c }) => [a, b instanceof Uint8Array ? [...b] : b, c])).toEqual([
      [2 ** 52, [1, 2], null],
      [null, [], 'text'],
      [null, [], 'text'],
      [null, [], 'text'],
    ])
    expect(Object.getPrototypeOf(rows.get())).toBe(Object.prototype)
    expect(db.prepare('SELECT a FROM t WHERE c = ?').get('none')).toBeUndefined()
    expect(db.prepare('SELECT count(*) FROM t').value()).toBe(4)
    expect(db.prepare('INSERT INTO u (x) VALUES (1), (2) RETURNING x').all()).toEqual([{ x: 1 }, { x: 2 }])
    expect(db.prepare('DELETE FROM u').run().changes).toBe(2)
    db.close()
    expect([db.isOpen, db.inTransaction]).toEqual([false, false])
  })

  it('reads texts with any characters whole', () => {
    const db = open()
    db.exec('CREATE TABLE t (n INTEGER, a TEXT, b BLOB, c)')
    const put = db.prepare('INSERT INTO t VALUES (?, ?, ?, ?)')
    const texts = ['', 'plain', 'a\0b', '\0', 'é👩‍👩‍👧\0\0日本', 'end\0']
    for (const [i, text] of texts.entries()) put.run(i, text, new Uint8Array([0, i]), text)
    const rows = db.prepare('SELECT n, a, b, c, a AS a2, upper(a) AS u FROM t WHERE n >= ? ORDER BY n LIMIT ?').all(0, 10)
    expect(rows.map(({ a, c, a2 }) => [a, c, a2])).toEqual(texts.map((text) => [text, text, text]))
    expect(rows.map(({ n, b }) => [n, b instanceof Uint8Array ? [...b] : b])).toEqual(texts.map((_, i) => [i, [0, i]]))
    expect(db.prepare('SELECT a FROM t WHERE a = ?').get('a\0b')).toEqual({ a: 'a\0b' })
    expect(db.prepare('WITH x AS (SELECT a FROM t) SELECT max(a) FROM x').value()).toBe('é👩‍👩‍👧\0\0日本')
    const seen: unknown[] = []
    db.prepare('SELECT a, n FROM t ORDER BY n').each((row) => seen.push(row[0]))
    expect(seen).toEqual(texts)
    db.close()
  })

  it('reads numbers that are too large with the nearest double', () => {
    const db = open()
    const near = Number(9007199254740993n)
    expect(db.prepare('SELECT 9007199254740993 AS n, 1 AS m').all()).toEqual([{ n: near, m: 1 }])
    expect(db.prepare('SELECT 9007199254740993 AS n').get()).toEqual({ n: near })
    expect(db.prepare('SELECT 1 AS n').get()).toEqual({ n: 1 })
    db.close()
  })

  it('writes next to rows whose numbers are too large', () => {
    const db = open()
    db.exec('CREATE TABLE t (a INTEGER PRIMARY KEY)')
    expect(db.prepare('INSERT INTO t (a) VALUES (9007336693694464)').run().changes).toBe(1)
    // Returns the number of the last row again.
    expect(db.prepare('DELETE FROM t').run().changes).toBe(1)
    db.prepare('BEGIN').run()
    db.prepare('COMMIT').run()
    expect(db.prepare('INSERT INTO t (a) VALUES (7)').run()).toEqual({ changes: 1, lastInsertRowid: 7 })
    db.close()
  })

  it('names failures as SQLite does', () => {
    const db = open()
    db.exec('CREATE TABLE t (a UNIQUE)')
    db.prepare('INSERT INTO t (a) VALUES (?)').run(1)
    const code = (work: () => unknown) => expect(failureOf(work))
    code(() => db.prepare('INSERT INTO t (a) VALUES (?)').run(1)).toMatchObject({ code: expect.stringMatching(/^SQLITE_CONSTRAINT/) })
    code(() => db.exec('SELECT nothing')).toMatchObject({ code: 'SQLITE_ERROR', message: expect.stringContaining('nothing') })
    const other = db.open(join(folder, 'x.db'), { timeoutMs: 0 })
    other.exec('BEGIN IMMEDIATE')
    expect(other.inTransaction).toBe(true)
    db.pragma('busy_timeout = 0')
    code(() => db.prepare('INSERT INTO t (a) VALUES (2)').run()).toMatchObject({ code: 'SQLITE_BUSY' })
    other.close()
    code(() => driver.open(join(folder, 'x.db'), { readonly: true }).exec('DELETE FROM t')).toMatchObject({ code: 'SQLITE_READONLY' })
    db.pragma('max_page_count = 3')
    code(() => db.prepare('INSERT INTO t (a) VALUES (?)').run('x'.repeat(100_000))).toMatchObject({ code: 'SQLITE_FULL' })
    db.close()
    writeFileSync(join(folder, 'no.db'), 'this is no database'.repeat(100))
    code(() => driver.open(join(folder, 'no.db')).prepare('SELECT * FROM sqlite_schema').all()).toMatchObject({ code: 'SQLITE_NOTADB' })
  })

  it('creates no file that must exist, whatever its name', () => {
    for (const name of ['file:x?mode=memory', 'a b%20c#d?e.db', 'ü.db']) {
      const file = join(folder, name)
      expect(
        failureOf(() => driver.open(file, { mustExist: true })),
        name,
      ).toMatchObject({ code: expect.stringMatching(/^SQLITE_CANTOPEN/) })
      expect(existsSync(file)).toBe(false)
      const made = driver.open(file)
      made.exec('CREATE TABLE t (a)')
      made.close()
      expect(existsSync(file), name).toBe(true)
      const again = driver.open(file, { mustExist: true })
      expect(again.prepare('SELECT name FROM sqlite_schema').value()).toBe('t')
      again.close()
    }
  })

  it('calls functions from triggers, and copies a file while it is written', async () => {
    const db = open()
    const results: unknown[][] = []
    db.exec('CREATE TABLE t (a, b)')
    db.define('tell', (...values) => {
      results.push(values)
      return null
    })
    db.exec('CREATE TEMP TRIGGER x AFTER INSERT ON main.t BEGIN SELECT tell(NEW.a, NEW.b); END')
    db.prepare('INSERT INTO t VALUES (?, ?)').run('one', 2)
    expect(results).toEqual([['one', 2]])
    const copying = db.backup(join(folder, 'copy.db'))
    db.prepare('INSERT INTO t VALUES (?, ?)').run('three', 4)
    await copying
    const copy = db.open(join(folder, 'copy.db'), { readonly: true })
    expect(copy.prepare('SELECT a FROM t ORDER BY rowid').value()).toBe('one')
    copy.close()
    await expect(db.backup(join(folder, 'none', 'copy.db'))).rejects.toThrow()
    db.close()
  })

  it("allows writes to SQLite's own tables only on request", () => {
    const db = open()
    db.exec(`CREATE VIRTUAL TABLE f USING fts5(x)`)
    const change = `DELETE FROM f_docsize`
    db.unguarded(() => db.exec(change))
    db.close()
  })
})

describe('result codes', () => {
  it('name the disk operation that failed', () => {
    expect([10, 778, 1034, 522, 266].map(resultName)).toEqual([
      'SQLITE_IOERR',
      'SQLITE_IOERR_WRITE',
      'SQLITE_IOERR_FSYNC',
      'SQLITE_IOERR_SHORT_READ',
      'SQLITE_IOERR_READ',
    ])
    expect([261, 517, 2067, 1555, 267, 13, 8, 1032, 99].map(resultName)).toEqual(
      ['BUSY', 'BUSY', 'CONSTRAINT', 'CONSTRAINT', 'CORRUPT', 'FULL', 'READONLY', 'READONLY', 'ERROR'].map((name) => `SQLITE_${name}`),
    )
  })

  it('leave other failures unchanged', () => {
    const other = Object.assign(new Error('x'), { code: 'ENOENT' })
    expect([withResultName(other), withResultName('text')]).toEqual([other, 'text'])
    expect(other.code).toBe('ENOENT')
  })
})
