import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { restoreStore } from '../../src/backends/sqlite/restore.js'
import { openWorld, tickingClock, type World } from '../graph/world.js'

/** Contents of a store of the released schema, by table: every row must exist after a migration. */
const KEPT: Readonly<Record<string, string>> = {
  facts: `SELECT rid, id, owner, text, kind, title, subject, predicate, author, session, date, event_at, recorded_at, superseded_by, metadata, version FROM facts ORDER BY rid`,
  entities: `SELECT id, owner, name, type, aliases, status, version FROM entities ORDER BY id`,
  edges: `SELECT id, owner, subject, relation, object, weight, version FROM entity_edges ORDER BY id`,
  journal: `SELECT seq, owner, actor, op, target_kind, target, before, after, reason FROM journal ORDER BY seq`,
  sources: `SELECT id, owner, kind, title, origin, version FROM sources ORDER BY id`,
  passages: `SELECT id, source_id, path, ordinal, text, name, start_line, end_line FROM passages ORDER BY id`,
  mentions: `SELECT owner, name, rid FROM mentions ORDER BY owner, name, rid`,
}

let directory: string
let world: World | undefined

const file = (): string => join(directory, 'mneme.db')

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mneme-released-'))
  writeFileSync(file(), gunzipSync(readFileSync(new URL('../fixtures/layout-2.db.gz', import.meta.url))))
})
afterEach(async () => {
  await world?.close()
  world = undefined
  rmSync(directory, { recursive: true, force: true })
})

/** Some weeks after it was written. */
const openStore = (): Promise<World> => openWorld({ dataDir: directory, embedder: 'none' }, undefined, tickingClock(1_800_000_000_000_000))

function rowsOf(path: string): Readonly<Record<string, readonly unknown[]>> {
  const db = openFile(path, { readonly: true })
  try {
    return Object.fromEntries(Object.entries(KEPT).map(([table, query]) => [table, db.prepare(query).all()]))
  } finally {
    db.close()
  }
}

function ids(path: string, query: string): readonly unknown[] {
  const db = openFile(path, { readonly: true })
  try {
    return db
      .prepare(query)
      .all()
      .map(({ id }) => id)
      .sort()
  } finally {
    db.close()
  }
}

describe('store of an earlier release', () => {
  test('is migrated with every fact, link and history', async () => {
    const before = rowsOf(file())
    world = await openStore()
    const found = await world.call('memory/search_text', { query: 'Stripe gateway' })
    expect(JSON.stringify(found)).toContain('The billing service talks to Stripe through the payments gateway')
    await world.close()
    world = undefined
    const after = rowsOf(file())
    for (const [table, rows] of Object.entries(before)) {
      expect(rows.length, table).toBeGreaterThan(0)
      expect(after[table]?.slice(0, rows.length), table).toEqual(rows)
    }
  })

  test('has its vectors in plain tables without the old extension', async () => {
    const places = ids(file(), `SELECT id FROM vec_facts_rowids UNION ALL SELECT id FROM vec_passages_rowids`)
    expect(places).toHaveLength(20)
    world = await openStore()
    // Also compares each vector with its search codes.
    expect((await world.backend.maintenance.diagnose()).filter(({ severity }) => severity === 'error')).toEqual([])
    await world.close()
    world = undefined
    expect(ids(file(), `SELECT id FROM vec_facts UNION ALL SELECT id FROM vec_passages`)).toEqual(places)
    expect(ids(file(), `SELECT name AS id FROM sqlite_schema WHERE name GLOB 'vec_*' AND type = 'table'`)).toEqual([
      'vec_facts',
      'vec_passages',
    ])
    // The backup of the migration can be restored and migrated again.
    await restoreStore(`${file()}.v2.bak`, file())
    world = await openStore()
    expect((await world.backend.maintenance.diagnose()).filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('gives the same results: superseded facts are hidden, session messages are found', async () => {
    world = await openStore()
    const answer = JSON.stringify(await world.call('memory/recall', { query: 'In which city is the office?' }))
    expect(answer).toContain('Porto')
    expect(answer).not.toContain('Lisbon')
    expect(JSON.stringify(await world.call('memory/recall', { query: 'Who brings the sandwiches?' }))).toContain('I will bring sandwiches.')
    expect(JSON.stringify(await world.call('memory/search_code', { query: 'verifyToken' }))).toContain('token.ts')
  })
})
