import { randomBytes } from 'node:crypto'
import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { checksum } from '../../core/encoding/checksum.js'
import type { Database } from './driver.js'

/**
 * A log that is lost or damaged takes acknowledged commits with it, and SQLite opens what is left without a word. So the
 * number of the last entry of the journal is also kept in a small file beside the store, written after each commit. It
 * is not flushed: a power cut may leave it behind the store, never ahead of it.
 */
export const COUNT_SUFFIX = '-count'

interface Count {
  readonly store: string
  readonly seq: number
}

const SIZE = 64

const format = ({ store, seq }: Count): string => `${store} ${seq} ${checksum([store, seq])}`.padEnd(SIZE - 1).concat('\n')

function read(file: string): Count | undefined {
  try {
    const [store = '', seq = '', sum = ''] = readFileSync(`${file}${COUNT_SUFFIX}`, 'utf8').trim().split(' ')
    return sum === String(checksum([store, Number(seq)])) ? { store, seq: Number(seq) } : undefined
  } catch {
    return undefined
  }
}

/** It is there, but not for this reader, who may read the store alone: nothing can be said about the count. */
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

/** What the count says against the file, or undefined where they agree. The count is read first: it never runs ahead. */
function compare(db: Database, file: string): string | undefined {
  if (isHidden(`${file}${COUNT_SUFFIX}`)) return undefined
  const counted = read(file)
  const store = metaValue(db, 'store')
  // A file without a name is new, or a copy that was made on purpose: restoring takes the count of the store before it away.
  if (store === undefined && (counted === undefined || counted.seq === 0)) return undefined
  if (counted === undefined)
    return `${file}${COUNT_SUFFIX} is missing or damaged, so nobody can tell whether the newest commits are in the file`
  if (counted.store !== store) return `${file} is not the store that was last written here`
  const lost = counted.seq - lastSeq(db)
  return lost > 0
    ? `${lost} acknowledged changes are missing: the journal ends at ${counted.seq - lost}, the last acknowledged one was ${counted.seq}`
    : undefined
}

/** What was found wrong with the number of commits, now or at an earlier opening, and was not accepted since. */
export const findLostCommits = (db: Database, file: string): string | undefined => metaValue(db, 'doubt') ?? compare(db, file)

/** A copy made on purpose is whole in itself: it is counted anew wherever it is put. */
export const forgetCount = (db: Database): void => void db.exec(`DELETE FROM meta WHERE key IN ('store', 'doubt')`)

export interface CommitCount {
  /** To be called after each durable commit. */
  record(): void
  /** Takes the file as it is. Answers false when there was nothing to accept. */
  accept(): boolean
  close(): void
}

/** A store that cannot be read or written is not counted: the other checks tell what is wrong with it. */
export const UNCOUNTED: CommitCount = { record: () => undefined, accept: () => false, close: () => undefined }

/** Opens the count of a store, and keeps what it says against the file for whoever asks later. */
export function openCount(db: Database, file: string): CommitCount {
  try {
    if (metaValue(db, 'store') === undefined || compare(db, file) !== undefined) settle(db, file)
    const store = metaValue(db, 'store')
    return store === undefined ? UNCOUNTED : counting(db, `${file}${COUNT_SUFFIX}`, store)
  } catch {
    return UNCOUNTED
  }
}

/** Under the lock, because others may be opening it too. */
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
      // First the count, then the name in the store: a store that has a name has a count.
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
        // The commit itself stands. A count that stays behind raises no alarm.
      }
    },
    accept: () => db.prepare(`DELETE FROM meta WHERE key = 'doubt'`).run().changes > 0,
    close: () => closeSync(handle),
  }
}
