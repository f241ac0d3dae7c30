import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { postgresPrograms, startPostgres } from '../../scripts/postgres.mjs'
import { openPostgres, type PostgresOptions } from '../../src/backends/postgres/open.js'
import type { Backend } from '../../src/ports/backend.js'
import type { Clock } from '../../src/ports/clock.js'

interface Word {
  /** Undefined if no server is available. */
  readonly url?: string
}

/**
 * URL of the server of this run: MNEME_TEST_POSTGRES (`none` for none), or one started by the first test that needs it. Undefined if
 * unavailable.
 */
export async function serverUrl(): Promise<string | undefined> {
  const named = process.env.MNEME_TEST_POSTGRES
  if (named !== undefined) return named === 'none' ? undefined : named
  const folder = process.env.MNEME_TEST_RUN ?? tmpdir()
  const word = join(folder, 'server.json')
  const isFirst = !existsSync(word) && mine(join(folder, 'starting'))
  if (isFirst) {
    const programs = await postgresPrograms()
    const server: Word = programs === undefined ? {} : await startPostgres(programs)
    writeFileSync(`${word}.part`, JSON.stringify(server))
    renameSync(`${word}.part`, word)
  }
  while (!existsSync(word)) await delay(50)
  const statement: Word = JSON.parse(readFileSync(word, 'utf8'))
  return statement.url
}

function mine(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** True if server tests can run here; reports if not. */
export const SERVER = await serverUrl()
if (SERVER === undefined) process.stderr.write('No PostgreSQL server can be had here: what needs one is left out.\n')

export async function query(url: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: readonly Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

let made = 0

/** Creates an empty database and returns its URL. */
export async function freshDatabase(server = SERVER): Promise<string> {
  if (server === undefined) throw new Error('no server')
  const name = `t_${process.pid}_${Date.now().toString(36)}_${made++}`
  await query(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.toString()
}

export const openAt = (url: string, clock: Clock, more: Partial<PostgresOptions> = {}): Promise<Backend> =>
  openPostgres({ url, clock, connections: 8, waitMs: 15_000, ...more })

/** Empties every table of a store, which is faster than creating another. */
export async function emptyStore(url: string): Promise<void> {
  const tables = await query(url, `SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'meta'`)
  await query(
    url,
    `TRUNCATE ${tables.map((row) => String(row.tablename)).join(', ')}`,
    `DELETE FROM meta WHERE key NOT IN ('layout', 'partitions')`,
    `ALTER SEQUENCE passage_rids RESTART`,
  )
}
