import { join } from 'node:path'
import type { Driver } from '../backends/sqlite/driver.js'
import { type Config, databaseFile } from '../config.js'
import { MemoryError } from '../errors.js'
import type { Backend } from '../ports/backend.js'
import type { Clock } from '../ports/clock.js'
import type { RoughEmbedder } from '../ports/code-index.js'

interface BackendParts {
  readonly clock: Clock
  readonly roughEmbedder: RoughEmbedder
  /** The SQLite library. */
  readonly driver?: Driver
  /** Called with the statements of every round trip to a server. */
  observe?(statements: readonly string[]): void
}

export const isServer = (database: string | undefined): database is string => database !== undefined && /^postgres(?:ql)?:/.test(database)

/** Opens the configured database; the library of the other one is not loaded. */
export async function openBackend(config: Config, { clock, roughEmbedder, driver, observe }: BackendParts): Promise<Backend> {
  const shared = {
    clock,
    embedAbove: config.embedMinConfidence,
    roughEmbedder,
    searchLimits: { bytes: config.searchMemoryMb * 2 ** 20, idleMs: (config.searchIdleMinutes || Number.POSITIVE_INFINITY) * 60_000 },
    retention: { contentDays: config.journalDays, entryDays: config.journalEntryDays },
  }
  if (isServer(config.database)) {
    const { openPostgres } = await import('../backends/postgres/open.js')
    return openPostgres({
      ...shared,
      url: config.database,
      connections: config.databaseConnections,
      waitMs: config.busyTimeoutMs,
      partitions: config.partitions,
      ...(observe === undefined ? {} : { observe }),
    })
  }
  const { openSqlite } = await import('../backends/sqlite/open.js')
  return openSqlite({
    ...shared,
    ...(driver === undefined ? await driverForTests() : { driver }),
    directory: config.dataDir,
    file: databaseFile(config.database),
    busyTimeoutMs: config.busyTimeoutMs,
  })
}

/** The Node version determines the SQLite library; tests compare both. */
async function driverForTests(): Promise<{ readonly driver?: Driver }> {
  const name = process.env.MNEME_SQLITE_DRIVER
  if (name === undefined) return {}
  const { driverNamed } = await import('../backends/sqlite/driver-choice.js')
  return { driver: driverNamed(name) }
}

/** Replaces a store by a backup; PostgreSQL has its own tools for that. */
export async function restoreFile(
  config: Config,
  backup: string,
): Promise<{ readonly restored: string; readonly from: string; readonly kept: string | null }> {
  if (isServer(config.database)) {
    const { shownAddress } = await import('../backends/postgres/address.js')
    throw new MemoryError('invalid_input', 'Restoring is the task of the database server here.', {
      hint: `Run: pg_restore --clean --if-exists --dbname="${shownAddress(config.database)}" <dump>`,
    })
  }
  const { restoreStore } = await import('../backends/sqlite/restore.js')
  const file = databaseFile(config.database) ?? join(config.dataDir, 'mneme.db')
  return { restored: file, from: backup, ...(await restoreStore(backup, file, (await driverForTests()).driver)) }
}
