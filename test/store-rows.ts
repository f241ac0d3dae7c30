import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { openFile } from '../src/backends/sqlite/driver-choice.js'

/** Polling interval: on a server each read blocks the process. */
export const LOOK_EVERY_MS = process.env.TEST_POSTGRES_SERVER === undefined ? 50 : 2000

const rowsSchema = z.array(z.record(z.string(), z.unknown()))

/** Rows of a statement on the store of a data folder, which is a file, or a database in tests on a server. */
export function rowsOf(dataDir: string, statement: string, ...values: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  const server = process.env.TEST_POSTGRES_SERVER
  if (server !== undefined) {
    let place = 0
    const text = statement.replaceAll('?', () => `$${++place}`).replaceAll(/hex\((\w+)\)/g, `upper(encode($1, 'hex'))`)
    const output = execFileSync(
      process.execPath,
      [resolve('test/postgres/everywhere/query.mjs'), server, resolve(dataDir), text, ...values],
      {
        encoding: 'utf8',
        maxBuffer: 1e9,
        env: { ...process.env, NODE_OPTIONS: '' },
      },
    )
    // Like SQLite: 64-bit numbers arrive as texts.
    return rowsSchema
      .parse(JSON.parse(output))
      .map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, /^\d{1,15}$/.test(String(value)) ? Number(value) : value])),
      )
  }
  const db = openFile(join(dataDir, 'mneme.db'), { readonly: true })
  try {
    return db.prepare(statement).all(...values)
  } finally {
    db.close()
  }
}
