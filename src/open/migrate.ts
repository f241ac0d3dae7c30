import { existsSync } from 'node:fs'
import type { CopyReport } from '../backends/sql/copy/copy-store.js'
import type { StoreTables } from '../backends/sql/copy/tables.js'
import { type Config, databaseFile } from '../config.js'
import { MemoryError } from '../errors.js'
import { isServer } from './backend.js'

interface Migration {
  readonly from: string
  readonly to: string
  progress(message: string): void
  readonly signal: AbortSignal
}

/** Copies a store to another database of any kind. The source stays unchanged. */
export async function migrateStore(config: Config, { from, to, progress, signal }: Migration): Promise<CopyReport> {
  if (!isServer(from) && !existsSync(databaseFile(from) ?? ''))
    throw new MemoryError('not_found', `There is no store at ${from}.`, {
      hint: 'Name the file that holds it, such as sqlite:~/.mneme/mneme.db.',
    })
  const [{ copyStore }, { SHAPES }] = await Promise.all([
    import('../backends/sql/copy/copy-store.js'),
    import('../backends/postgres/schema.js'),
  ])
  const source = await openTables(config, from)
  try {
    const target = await openTables(config, to)
    try {
      return await copyStore({ from: source, to: target, shapes: SHAPES, progress, signal })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function openTables(config: Config, url: string): Promise<StoreTables> {
  if (isServer(url)) {
    const { openPostgresTables } = await import('../backends/postgres/tables.js')
    return openPostgresTables(url, { waitMs: config.busyTimeoutMs, partitions: config.partitions })
  }
  const { openSqliteTables } = await import('../backends/sqlite/tables.js')
  return openSqliteTables(databaseFile(url) ?? '', config.busyTimeoutMs)
}
