import type { StoreTables } from '../sql/copy/tables.js'
import { readAddress, shownAddress } from './address.js'
import { createPostgresConnection } from './connection.js'
import { postgresDialect } from './dialect.js'
import { prepareStore } from './migrate.js'
import { createPool } from './pool.js'

/** The tables of a store on a server; created if absent. */
export async function openPostgresTables(
  url: string,
  options: { readonly waitMs: number; readonly partitions: number },
): Promise<StoreTables> {
  const address = readAddress(url)
  const location = shownAddress(url)
  const connection = createPostgresConnection({
    pool: createPool({ address, connections: 2, waitMs: options.waitMs }),
    location,
    patienceMs: options.waitMs,
  })
  try {
    await prepareStore(connection, { location, schema: address.schema, partitions: options.partitions })
  } catch (error) {
    await connection.close()
    throw error
  }
  return { connection, dialect: postgresDialect, location, close: () => connection.close() }
}
