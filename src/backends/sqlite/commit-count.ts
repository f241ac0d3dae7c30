import { randomBytes } from 'node:crypto'
import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { checksum } from '../../core/encoding/checksum.js'
import type { Database } from './driver.js'

/**
 * A lost or damaged log loses acknowledged commits, and SQLite opens the rest without an error. So the number of the last journal entry is
 * also written to a small file next to the store after each commit. It is not flushed: a power failure may leave it behind the store, never
 * ahead of it.
 */
export const COUNT_SUFFIX = '-count'

interface Count {
  readonly store: string
  readonly seq: number
}

const COUNT_FILE_BYTES = 64

const format = ({ store, seq }: Count): string => `${store} ${seq} ${checksum([store, seq])}`.padEnd(COUNT_FILE_BYTES - 1).concat('\n')

function read(file: string): Count | undefined {
  try {
    const [store = '', seq = '', sum = ''] = readFileSync(`${file}${COUNT_SUFFIX}`, 'utf8').trim().split(' ')
    return sum === String(checksum([store, Number(seq)])) ? { store, seq: Number(seq) } : undefined
  } catch {
    return undefined
  }
}

/** The file exists, but this process may not read it. */
function isHidden(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    accessSync(path, constants.R_OK)
    return false
  } catch {
    return true
  }
}

const lastSeq = (db: Database): number => Number(db.prepare(`SELECT coalesce(max(seq), 0) FROM journal`).value())

function metaValue(db: Database, key: string): string | undefined {
  const value = db.prepare(`SELECT value FROM meta WHERE key = ?`).value(key)
  return typeof value === 'string' ? value : undefined
}

const putMeta = (db: Database, key: string, value: string): void =>
  void db.prepare(`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`).run(key, value)

/** How the count differs from the store, or undefined. The count is read first, because it is never ahead. */
function compare(db: Database, file: string): string | undefined {
  if (isHidden(`${file}${COUNT_SUFFIX}`)) return undefined
  const counted = read(file)
  const store = metaValue(db, 'store')
  // A store without an identifier is new, or an intentional copy, and restore removes the previous count.
  if (store === undefined && (counted === undefined || counted.seq === 0)) return undefined
  if (counted === undefined) return `${file}${COUNT_SUFFIX} is missing or damaged, so the newest commits may be missing from the file`
  if (counted.store !== store) return `${file} is not the store that was last written here`
  const lost = counted.seq - lastSeq(db)
  return lost > 0
    ? `${lost} acknowledged changes are missing: the journal ends at ${counted.seq - lost}, the last acknowledged one was ${counted.seq}`
    : undefined
}

/** The loss of commits that was found, now or at an earlier opening, and not accepted since. */
export const findLostCommits = (db: Database, file: string): string | undefined => metaValue(db, 'doubt') ?? compare(db, file)

/** An intentional copy is complete: counting starts again wherever it is placed. */
export const forgetCount = (db: Database): void => void db.exec(`DELETE FROM meta WHERE key IN ('store', 'doubt')`)

export interface CommitCount {
  /** Records a durable commit. */
  record(): void
  /** Accepts the store as it is. False if no loss was recorded. */
  accept(): boolean
  close(): void
}

/** For a store that cannot be read or written; other checks report why. */
export const NO_COMMIT_COUNT: CommitCount = { record: () => undefined, accept: () => false, close: () => undefined }

/** Opens the commit count of a store and records a difference for later reports. */
export function openCount(db: Database, file: string): CommitCount {
  try {
    if (metaValue(db, 'store') === undefined || compare(db, file) !== undefined) settle(db, file)
    const store = metaValue(db, 'store')
    return store === undefined ? NO_COMMIT_COUNT : counting(db, `${file}${COUNT_SUFFIX}`, store)
  } catch {
    return NO_COMMIT_COUNT
  }
}

/** Holds the write lock, because other processes may be opening the store. */
function settle(db: Database, file: string): void {
  db.pragma('busy_timeout = 5000')
  const begin = (seq: number, store: string): void => {
    const handle = openSync(
      `${file}${COUNT_SUFFIX}`,
      constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
      0o600,
    )
    try {
      writeSync(handle, format({ store, seq }), 0)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  }
  db.exec('BEGIN IMMEDIATE')
  try {
    const known = metaValue(db, 'store')
    const doubt = compare(db, file)
    if (doubt !== undefined) putMeta(db, 'doubt', doubt)
    if (known === undefined) {
      // The count is written before the identifier, so a store with an identifier has a count.
      const store = randomBytes(8).toString('hex')
      begin(lastSeq(db), store)
      putMeta(db, 'store', store)
    }
    db.exec('COMMIT')
    if (known !== undefined && doubt !== undefined) begin(lastSeq(db), known)
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK')
    db.pragma('busy_timeout = 0')
  }
}

function counting(db: Database, path: string, store: string): CommitCount {
  const handle = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW)
  const last = db.prepare(`SELECT coalesce(max(seq), 0) FROM journal`)
  return {
    record() {
      try {
        writeSync(handle, format({ store, seq: Number(last.value()) }), 0)
      } catch {
        // The commit succeeded. A count behind the store is not an error.
      }
    },
    accept: () => db.prepare(`DELETE FROM meta WHERE key = 'doubt'`).run().changes > 0,
    close: () => closeSync(handle),
  }
}
