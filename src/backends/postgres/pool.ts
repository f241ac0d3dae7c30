import pg from 'pg'
import type { Address } from './address.js'

interface PoolOptions {
  readonly address: Address
  readonly connections: number
  /** How long a call waits for a free connection. */
  readonly waitMs: number
}

const INT8 = 20
const NUMERIC_OID = 1700

/** Integers as numbers: every stored one is exact in a double. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC_OID ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
}

/** Opens connections on demand; failures of idle ones are ignored. */
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
  // A broken idle connection is replaced; one in use also reports the error to its user.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}
