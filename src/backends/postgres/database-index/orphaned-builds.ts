import type { Dialect } from '../../sql/plan/dialect.js'
import { number, type Plan, run, text } from '../../sql/plan/plan.js'
import type { LargeConnection } from './build-index.js'
import { partOf } from './index-rows.js'

/** Index tables not attached yet, which deletions do not reach. */
const UNATTACHED_TABLES = `SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'p' AND c.relname ~ '^large_[0-9a-f]{20}$'
  AND c.relnamespace = to_regnamespace(quote_ident(current_schema())::text)
  AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhrelid = c.oid)`

/**
 * A killed build leaves a table that still holds deleted data. Drops it once its builder is known to be gone. Returns the number of tables.
 */
export async function dropOrphanedBuilds(connection: LargeConnection, { databaseTime }: Dialect): Promise<number> {
  const [tables, builders] = await connection.read(function* () {
    // Order matters: a builder registers before it creates its table.
    const found = yield* run(UNATTACHED_TABLES)
    const statements = yield* run(
      `SELECT owner, CASE WHEN until > ${databaseTime} THEN 1 ELSE 0 END AS alive FROM large_owners WHERE ready = 0`,
    )
    return [found.map((row) => text(row, 'name')), statements]
  })
  const building = new Map(builders.map((row) => [partOf(text(row, 'owner')), row]))
  const left = tables.filter((table) => number(building.get(table) ?? { alive: 0 }, 'alive') === 0)
  for (const table of left) {
    const row = building.get(table)
    await connection.write(function* (): Plan<void> {
      // A new builder waits until the table is dropped.
      if (row !== undefined)
        yield* run(`DELETE FROM large_owners WHERE owner = ? AND ready = 0 AND until <= ${databaseTime}`, text(row, 'owner'))
      yield* run(`DROP TABLE IF EXISTS ${table}`)
    })
  }
  return left.length
}
