import { copyFile, lstat, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../errors.js'
import type { ForeignDatabase } from '../../ports/importer.js'
import type { Row, Value } from '../sql/plan/plan.js'
import type { Database } from './driver.js'
import { openFile } from './driver-choice.js'

const PAGE_SIZE = 500
const MAX_TABLES = 500
const MAX_COPY_TRIES = 5
const WAL_FORMAT = 2

/**
 * Opens the database of another program for reading. One with a write-ahead log is copied first: opening it in place would
 * create files next to it, and the program may be writing. The file itself is never changed.
 */
export async function openForeignFile(file: string): Promise<ForeignDatabase> {
  const name = basename(file)
  const copied = (await hasLog(file)) ? await copyWithLog(file) : undefined
  const removeCopy = async (): Promise<void> => {
    if (copied !== undefined) await rm(copied.folder, { recursive: true, force: true })
  }
  let db: Database | undefined
  try {
    const opened = openFile(copied?.file ?? file, { readonly: true, mustExist: true })
    db = opened
    const close = async (): Promise<void> => {
      opened.close()
      await removeCopy()
    }
    return { tables: tablesOf(opened), rows: (sql, ...values) => rowsIn(opened, name, sql, values), close }
  } catch (failure) {
    db?.close()
    await removeCopy()
    throw explained(name, failure)
  }
}

/** Whether its header says that it has a write-ahead log, or one is next to it. */
async function hasLog(file: string): Promise<boolean> {
  if ((await lstat(`${file}-wal`).catch(() => undefined)) !== undefined) return true
  const handle = await open(file, 'r')
  try {
    const { buffer } = await handle.read(Buffer.alloc(20), 0, 20, 0)
    return buffer[18] === WAL_FORMAT || buffer[19] === WAL_FORMAT
  } finally {
    await handle.close()
  }
}

/** A copy is whole if neither file changed while it was made. */
async function copyWithLog(file: string): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-import-'))
  const target = join(folder, 'copy.db')
  try {
    for (let tries = 1; tries <= MAX_COPY_TRIES; tries++) {
      const before = await stampOf(file)
      await copyFile(file, target)
      await rm(`${target}-wal`, { force: true })
      await copyFile(`${file}-wal`, `${target}-wal`).catch((failure: unknown) => {
        if (!(failure instanceof Error && 'code' in failure && failure.code === 'ENOENT')) throw failure
      })
      if ((await stampOf(file)) === before) return { folder, file: target }
    }
    throw new MemoryError('conflict', `${basename(file)} is being written by another program.`, {
      hint: 'Close that program and import again.',
    })
  } catch (failure) {
    await rm(folder, { recursive: true, force: true })
    throw failure
  }
}

async function stampOf(file: string): Promise<string> {
  const stamps = await Promise.all([file, `${file}-wal`].map((path) => lstat(path, { bigint: true }).catch(() => undefined)))
  return stamps.map((stats) => (stats === undefined ? '-' : `${stats.size}:${stats.mtimeNs}`)).join(' ')
}

function tablesOf(db: Database): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, readonly string[]>()
  for (const { name } of db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all())
    if (typeof name === 'string' && tables.size < MAX_TABLES) tables.set(name, columnsOf(db, name))
  return tables
}

async function* rowsIn(db: Database, name: string, sql: string, values: readonly Value[]): AsyncGenerator<Row> {
  try {
    const statement = db.prepare(`${sql} LIMIT ? OFFSET ?`)
    for (let offset = 0; ; offset += PAGE_SIZE) {
      const page = statement.all(...values, PAGE_SIZE, offset)
      yield* page
      if (page.length < PAGE_SIZE) return
      await setImmediate()
    }
  } catch (failure) {
    throw explained(name, failure)
  }
}

/** None for a virtual table whose module is not loaded. */
function columnsOf(db: Database, table: string): readonly string[] {
  try {
    return db
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  } catch {
    return []
  }
}

function explained(name: string, failure: unknown): unknown {
  const code = failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : ''
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code))
    return new MemoryError('invalid_input', `${name} is damaged: ${failure instanceof Error ? failure.message : code}.`, {
      hint: 'Recover it with the program it belongs to, or with `sqlite3 damaged.db .recover`, and import the result.',
      cause: failure,
    })
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code))
    return new MemoryError('conflict', `${name} is in use by another program.`, {
      hint: 'Close that program and import again.',
      cause: failure,
    })
  if (/^SQLITE_ERROR/.test(code) && failure instanceof Error)
    return new MemoryError('invalid_input', `${name} has other tables than its format: ${failure.message}.`, {
      hint: 'It may be of another version. Use the export of the program it belongs to.',
      cause: failure,
    })
  return failure
}
