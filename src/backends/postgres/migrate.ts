import { MemoryError } from '../../errors.js'
import { first, number, type Plan, run, text, textOrNull } from '../sql/plan/plan.js'
import type { PostgresConnection } from './connection.js'
import { migrationStatements, SCHEMA_VERSION, schemaStatements } from './schema.js'

/** An advisory lock with two numbers of mneme's own. */
const MIGRATION_LOCK = [1835953517, 1] as const
const MIN_SERVER = 150_000
const MIN_VECTOR = [0, 8] as const

interface StoreOptions {
  readonly location: string
  /** Schema of the tables; by default the user's own. */
  readonly schema: string | undefined
  /** Partitions of a new store; 0 for none. */
  readonly partitions: number
}

/** Creates an empty store, or migrates one to the newest schema. A concurrent caller waits and finds it done. */
export async function prepareStore(connection: PostgresConnection, options: StoreOptions): Promise<void> {
  const { location, partitions } = options
  const found = await connection.read(function* () {
    const server = yield* first(
      `SELECT current_setting('server_version_num') AS version, current_schema() AS schema, pg_is_in_recovery() AS standby`,
    )
    const tables = yield* run(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = to_regnamespace(quote_ident(current_schema())::text) AND c.relname IN ('meta', 'facts', 'journal', 'owners')`,
    )
    return { server, tables: tables.map((row) => text(row, 'name')) }
  })
  if (found.server !== undefined) {
    checkServer(number(found.server, 'version'), location)
    const schema = textOrNull(found.server, 'schema')
    if (schema === null || (options.schema !== undefined && schema !== options.schema))
      throw new MemoryError('storage', `There is no schema ${options.schema ?? ''} at ${location} that this user may use.`, {
        hint: 'Create it (CREATE SCHEMA), or name another with ?schema= in --database.',
      })
  }
  if (found.tables.includes('meta') && (await schemaVersionOf(connection)) === SCHEMA_VERSION) return
  await checkSchemaVersion(connection, found.tables, location)
  await connection
    .write(function* () {
      // Held until the transaction ends. Without advisory locks, concurrent creators collide on the tables and one retries.
      yield* run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK.join(', ')})`)
      const made = yield* run(`SELECT to_regclass('meta') IS NOT NULL AS made`)
      if (made[0]?.made === true) {
        yield* upgrade()
        return
      }
      yield* run('CREATE EXTENSION IF NOT EXISTS vector')
      const vector = yield* first(`SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'`)
      checkVector(vector === undefined ? '0' : text(vector, 'version'), location)
      for (const statement of schemaStatements(partitions)) yield* run(statement)
      yield* run(`INSERT INTO meta (key, value) VALUES ('layout', ?), ('partitions', ?)`, String(SCHEMA_VERSION), String(partitions))
    })
    .catch((error: unknown) => {
      throw extensionMissing(error, location) ?? error
    })
}

/** Migrates a store to the newest schema. The previous holder of the lock may have done so already. */
function* upgrade(): Plan<void> {
  const rows = yield* run(`SELECT key, value FROM meta WHERE key IN ('layout', 'partitions')`)
  const metaOf = (key: string): number => Number(rows.filter((row) => row.key === key).map((row) => text(row, 'value'))[0] ?? 0)
  for (const statement of migrationStatements(metaOf('layout'), metaOf('partitions'))) yield* run(statement)
  yield* run(`UPDATE meta SET value = ? WHERE key = 'layout'`, String(SCHEMA_VERSION))
}

const schemaVersionOf = (connection: PostgresConnection): Promise<number | undefined> =>
  connection
    .read(function* () {
      const row = yield* first(`SELECT value FROM meta WHERE key = 'layout'`)
      return row === undefined ? undefined : Number(text(row, 'value'))
    })
    .catch((error: unknown) => {
      // A table with that name belongs to another program.
      if (error instanceof MemoryError && error.code === 'storage') return undefined
      throw error
    })

async function checkSchemaVersion(connection: PostgresConnection, tables: readonly string[], location: string): Promise<void> {
  if (tables.length === 0) return
  const layout = tables.includes('meta') ? await schemaVersionOf(connection) : undefined
  if (layout === undefined)
    throw new MemoryError('storage', `The schema at ${location} contains tables of another program (${tables.join(', ')}).`, {
      hint: 'Nothing was changed. Use a database of its own, or a schema: add ?schema=mneme to --database after creating it.',
    })
  if (layout > SCHEMA_VERSION)
    throw new MemoryError(
      'storage',
      `The store at ${location} has schema version ${layout}; this version supports up to ${SCHEMA_VERSION}.`,
      {
        hint: 'Nothing was changed. Upgrade mneme.',
      },
    )
}

function checkServer(version: number, location: string): void {
  if (version >= MIN_SERVER) return
  throw new MemoryError('storage', `The server at ${location} is PostgreSQL ${Math.floor(version / 10_000)}; 15 or newer is needed.`, {
    hint: 'Upgrade the server.',
  })
}

const OLD_VECTOR = 'The extension vector at'

function checkVector(version: string, location: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > MIN_VECTOR[0] || (major === MIN_VECTOR[0] && minor >= MIN_VECTOR[1])) return
  throw new MemoryError('storage', `${OLD_VECTOR} ${location} has version ${version}; 0.8 or newer is needed.`, {
    hint: 'Install a newer pgvector and run ALTER EXTENSION vector UPDATE.',
  })
}

/** The extension cannot be created: it is not installed, or the user lacks the privilege. */
function extensionMissing(error: unknown, location: string): MemoryError | undefined {
  if (!(error instanceof MemoryError) || !/extension/i.test(error.message) || error.message.startsWith(OLD_VECTOR)) return undefined
  return new MemoryError('storage', `The extension vector is not available at ${location}: ${error.message}`, {
    hint: 'Install pgvector 0.8 or newer on the server and let an administrator run CREATE EXTENSION vector in this database.',
    cause: error,
  })
}
