import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/backends/sqlite/driver.js'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { random } from '../clocks/history.js'

/** Files of a store after its process was killed: the newest commits are in the log only. */
export const FILES = ['mneme.db', 'mneme.db-wal', 'mneme.db-count'] as const

/** Copies of a store: some commits ago, now, after a clean exit, and another store. */
export interface Copies {
  readonly older: string
  readonly killed: string
  readonly closed: string
  readonly other: string
}

export interface Harm {
  readonly name: string
  /** Creates a damaged store in an empty folder. */
  apply(folder: string): void
}

export function copyStore(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of FILES) if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
}

function flip(path: string, next: () => number, from: number, to: number, max: number): void {
  const bytes = readFileSync(path)
  const times = 1 + Math.floor(next() * max)
  for (let i = 0; i < times; i++) {
    const place = from + Math.floor(next() * (to - from))
    bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(next() * 8))
  }
  writeFileSync(path, bytes)
}

const PAGE_SIZE = 4096

/** Flips bits of a random page of the file. */
export const flippedPage = (copies: Copies, seed: number): Harm => ({
  name: `page ${seed}`,
  apply(folder) {
    const next = random(seed)
    copyStore(copies.closed, folder)
    const file = join(folder, 'mneme.db')
    const page = Math.floor(next() * (statSync(file).size / PAGE_SIZE)) * PAGE_SIZE
    flip(file, next, page, page + PAGE_SIZE, seed % 2 === 0 ? 1 : 12)
  },
})

const LOG_HARMS: readonly ((log: string, next: () => number, copies: Copies) => void)[] = [
  (log, next) => flip(log, next, 0, 32, 2),
  (log, next) => flip(log, next, 32, statSync(log).size, 3),
  (log, next) => flip(log, next, 32, 32 + 24, 2),
  (log, next) => truncateSync(log, Math.floor(next() * statSync(log).size)),
  (log) => truncateSync(log, 0),
  (log) => rmSync(log),
  (log, _, copies) => copyFileSync(join(copies.older, 'mneme.db-wal'), log),
  (log, _, copies) => copyFileSync(join(copies.other, 'mneme.db-wal'), log),
  (log, next) =>
    writeFileSync(
      log,
      readFileSync(log).map((byte) => (next() < 0.01 ? 0 : byte)),
    ),
  (log, next) => writeFileSync(log, Buffer.alloc(Math.floor(next() * 100_000), 7)),
]

/** The log of a killed process, damaged in one of ten ways. */
export const damagedLog = (copies: Copies, seed: number): Harm => ({
  name: `log ${seed}`,
  apply(folder) {
    copyStore(copies.killed, folder)
    LOG_HARMS[seed % LOG_HARMS.length]?.(join(folder, 'mneme.db-wal'), random(seed), copies)
  },
})

const remove = (folder: string, ...names: readonly string[]): void => {
  for (const name of names) rmSync(join(folder, name), { force: true })
}

/** Replaced files. */
export const replacedFiles = (copies: Copies): readonly Harm[] => {
  const harm = (name: string, base: keyof Copies, change: (folder: string, file: string) => void): Harm => ({
    name,
    apply(folder) {
      copyStore(copies[base], folder)
      change(folder, join(folder, 'mneme.db'))
    },
  })
  return [
    harm('an older file', 'closed', (_, file) => copyFileSync(join(copies.older, 'mneme.db'), file)),
    harm('an older file with the newer log', 'killed', (_, file) => copyFileSync(join(copies.older, 'mneme.db'), file)),
    harm('an older file with its log', 'closed', (folder) => {
      for (const name of ['mneme.db', 'mneme.db-wal']) copyFileSync(join(copies.older, name), join(folder, name))
    }),
    harm('the file of another store', 'closed', (_, file) => copyFileSync(join(copies.other, 'mneme.db'), file)),
    harm('all files of another store but the count', 'closed', (folder) => {
      for (const name of ['mneme.db', 'mneme.db-wal']) copyFileSync(join(copies.other, name), join(folder, name))
    }),
    harm('the file alone', 'killed', (folder) => remove(folder, 'mneme.db-wal', 'mneme.db-count')),
    harm('an empty file', 'closed', (_, file) => truncateSync(file, 0)),
    harm('half a file', 'closed', (_, file) => truncateSync(file, Math.floor(statSync(file).size / PAGE_SIZE / 2) * PAGE_SIZE)),
    harm('no file', 'killed', (folder) => remove(folder, 'mneme.db')),
    harm('a file that is no database', 'closed', (_, file) => writeFileSync(file, Buffer.alloc(64 * 1024, 'x'))),
    harm('a count of another store', 'killed', (folder) =>
      copyFileSync(join(copies.other, 'mneme.db-count'), join(folder, 'mneme.db-count')),
    ),
    harm('a row deleted by another program', 'closed', (_, file) => {
      const db = openFile(file)
      db.exec(`DELETE FROM facts WHERE rid = (SELECT max(rid) FROM facts)`)
      db.close()
    }),
  ]
}

/** Stored facts by id, with every column of a commit. Undefined if the file cannot be read. */
export function factsIn(file: string): ReadonlyMap<string, string> | undefined {
  let db: Database | undefined
  try {
    db = openFile(file, { readonly: true })
    const rows = db
      .prepare(`SELECT id, json_array(id, owner, text, kind, title, subject, predicate, value, author, session, date, scope, status, confidence, importance,
        source, reason, event_at, valid_from, valid_until, recorded_at, updated_at, expires_at, superseded_by, derived_from, metadata, version) AS fact FROM facts`)
      .all()
    return new Map(rows.map((row) => [String(row.id), String(row.fact)]))
  } catch {
    return undefined
  } finally {
    db?.close()
  }
}

/** Number of facts that differ. */
export function differing(truth: ReadonlyMap<string, string>, file: string): number {
  const found = existsSync(file) ? factsIn(file) : undefined
  return found === undefined ? truth.size : [...truth].filter(([id, fact]) => found.get(id) !== fact).length
}
