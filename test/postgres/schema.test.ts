import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TABLES } from '../../src/backends/postgres/schema.js'
import { defaultDriver } from '../../src/backends/sqlite/driver-choice.js'
import { openDatabase } from '../../src/backends/sqlite/open-file.js'

/** Tables of one backend only: full text, and coordination of nodes. */
const OWN = /^(?:fts_|sqlite_|claims$)/

describe('tables of both databases', () => {
  test('have the same columns', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mneme-schema-'))
    const db = openDatabase(join(folder, 'mneme.db'), defaultDriver())
    try {
      const names = db
        .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
        .all()
        .map((row) => String(row.name))
        .filter((name) => !OWN.test(name))
      const columnsOf = (table: string): readonly string[] =>
        db
          .prepare(`SELECT name FROM pragma_table_info(?)`)
          .all(table)
          .map((row) => String(row.name))
      const sqlite = Object.fromEntries(names.map((name) => [name, [...new Set([...columnsOf(name), 'owner'])].sort()]))
      const postgres = Object.fromEntries(
        TABLES.filter(({ name }) => !OWN.test(name)).map(({ name, columns }) => [
          name,
          [...new Set([...columns.map((column) => column.split(' ')[0] ?? ''), 'owner'])].sort(),
        ]),
      )
      expect(postgres).toEqual(sqlite)
    } finally {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
