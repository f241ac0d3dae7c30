import pg from 'pg'
import type { Address } from './address.js'

export interface PoolOptions {
  readonly address: Address
  readonly connections: number
  /** How long a call waits for a free connection. */
  readonly waitMs: number
}

const INT8 = 20
const NUMERIC = 1700

/** Numbers come as numbers: all that is stored is exact in a double. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
}

/** Connections that are opened when needed; what happens to one that nobody uses harms nobody. */
export function createPool({ address, connections, waitMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: address.connectionString,
    max: connections,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    application_name: 'mneme',
    keepAlive: true,
    pipeline: true,
    types,
    ...(address.schema === undefined ? {} : { options: `-c search_path=${address.schema},public` }),
  })
  // A connection that breaks while nobody uses it is replaced; one in use tells its user as well.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}
