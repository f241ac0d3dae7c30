import type { StoreTables } from '../sql/copy/tables.js'
import { createSqliteConnection } from './connection.js'
import { sqliteDialect } from './dialect.js'
import { defaultDriver } from './driver-choice.js'
import { lockForUse } from './file-lock.js'
import { openDatabase, prepareDirectory } from './open-file.js'

/** The tables of a store in a file; created if absent. */
export async function openSqliteTables(file: string, busyTimeoutMs: number): Promise<StoreTables> {
  const driver = defaultDriver()
  prepareDirectory(file)
  const lock = await lockForUse(file, busyTimeoutMs, driver)
  try {
    const connection = createSqliteConnection(openDatabase(file, driver), { file, busyTimeoutMs })
    return {
      connection,
      dialect: sqliteDialect(() => undefined),
      location: file,
      async close() {
        await connection.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
