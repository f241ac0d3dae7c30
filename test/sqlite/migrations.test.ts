import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { commit, handClock, idsFound, putFact } from '../contract/samples.js'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mneme-migrations-'))
})
afterEach(() => {
  vi.doUnmock('../../src/backends/sqlite/schema.js')
  vi.resetModules()
  rmSync(directory, { recursive: true, force: true })
})

/** Opens the store like a later version with one more migration. */
async function openLater(step: readonly string[]) {
  vi.resetModules()
  vi.doMock('../../src/backends/sqlite/schema.js', async (original) => {
    const schema = await original<typeof import('../../src/backends/sqlite/schema.js')>()
    return { ...schema, MIGRATIONS: [...schema.MIGRATIONS, step] }
  })
  const { openSqlite } = await import('../../src/backends/sqlite/open.js')
  return await openSqlite({ directory, clock: handClock(), busyTimeoutMs: 20_000 })
}

async function openNow() {
  const { openSqlite } = await import('../../src/backends/sqlite/open.js')
  return await openSqlite({ directory, clock: handClock(), busyTimeoutMs: 20_000 })
}

const file = (): string => join(directory, 'mneme.db')

function layout(path: string): { readonly version: unknown; readonly tables: readonly unknown[]; readonly facts: unknown } {
  const db = openFile(path, { readonly: true })
  try {
    const tables = db
      .prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'added%'`)
      .all()
      .map(({ name }) => name)
    return { version: db.pragma('user_version'), tables, facts: db.prepare('SELECT count(*) FROM facts').value() }
  } finally {
    db.close()
  }
}

test('an older layout is migrated after a copy of it was made', async () => {
  const before = await openNow()
  await commit(before, putFact({ id: 'a' }))
  await before.close()
  const { version } = layout(file())
  const after = await openLater(['CREATE TABLE added (x)', 'INSERT INTO added VALUES (1)'])
  expect((await after.store.facts(['a'])).length).toBe(1)
  await commit(after, putFact({ id: 'b' }))
  await after.close()
  expect(layout(file())).toEqual({ version: Number(version) + 1, tables: ['added'], facts: 2 })
  expect(layout(`${file()}.v${Number(version)}.bak`)).toEqual({ version, tables: [], facts: 1 })
})

test('the copy contains the log of a killed process', async () => {
  const writer = await openNow()
  await commit(writer, putFact({ id: 'a' }))
  const { version } = layout(file())
  const after = await openLater(['CREATE TABLE added (x)'])
  await after.close()
  await writer.close()
  expect(layout(`${file()}.v${Number(version)}.bak`).facts).toBe(1)
})

test('a failed step leaves the file unchanged', async () => {
  const before = await openNow()
  await commit(before, putFact({ id: 'a' }))
  await before.close()
  const old = layout(file())
  await expect(openLater(['CREATE TABLE added (x)', 'CREATE TABLE nonsense ('])).rejects.toMatchObject({ code: 'storage' })
  expect(layout(file())).toEqual(old)
  vi.doUnmock('../../src/backends/sqlite/schema.js')
  vi.resetModules()
  const again = await openNow()
  expect((await again.store.facts(['a'])).length).toBe(1)
  await again.close()
})

test('a new file needs no copy', async () => {
  const backend = await openLater(['CREATE TABLE added (x)'])
  await backend.close()
  expect(existsSync(file())).toBe(true)
  expect(readdirSync(directory).sort()).toEqual(['mneme.db', 'mneme.db-count', 'mneme.db-reserve'])
})

test('a store of the first schema keeps its entities, and its texts are found by current terms', async () => {
  const { MIGRATIONS } = await import('../../src/backends/sqlite/schema.js')
  const db = openFile(file())
  for (const part of MIGRATIONS[0] ?? []) if (typeof part === 'string') db.exec(part)
  db.pragma('user_version = 1')
  db.pragma(`application_id = ${0x6d6e656d}`)
  const entity = db.prepare(
    `INSERT INTO entities (id, owner, name, type, aliases, status, source, metadata, created_at, updated_at, version)
     VALUES (?, 'ann', ?, 'unknown', ?, 'active', 'mcp', '{}', 1, 1, 1)`,
  )
  entity.run('e1', 'C++', '["cpp"]')
  entity.run('e2', 'Marsh (wetland)', '[]')
  for (const [name, id] of [
    ['c', 'e1'],
    ['cpp', 'e1'],
    ['marsh', 'e2'],
  ] as const)
    db.prepare(`INSERT INTO entity_names (owner, name, entity_id) VALUES ('ann', ?, ?)`).run(name, id)
  db.close()
  const backend = await openNow()
  const byKey = async (key: string) =>
    (await backend.store.listEntities({ owner: 'ann', keys: [key], limit: 5, offset: 0 })).map((entity) => entity.id)
  expect([await byKey('c++'), await byKey('cpp'), await byKey('marsh (wetland)'), await byKey('marsh')]).toEqual([
    ['e1'],
    ['e1'],
    ['e2'],
    [],
  ])
  expect((await backend.store.listEntities({ owner: 'ann', names: ['marsh'], limit: 5, offset: 0 })).map((entity) => entity.id)).toEqual([
    'e2',
  ])
  expect(await backend.maintenance.diagnose()).toEqual([])
  await backend.close()
  expect(existsSync(`${file()}.v1.bak`)).toBe(true)
})

test('a process opened before a migration writes no rows of the old schema', async () => {
  const old = await openNow()
  await commit(old, putFact({ id: 'a' }))
  const later = await openLater(['CREATE TABLE added (x)'])
  await expect(commit(old, putFact({ id: 'b' }))).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringContaining('upgraded the schema'),
  })
  await commit(later, putFact({ id: 'c' }))
  expect((await later.store.facts(['a', 'b', 'c'])).map((fact) => fact.id)).toEqual(['a', 'c'])
  await later.close()
  await old.close()
})

test('words of facts from the first schema are recomputed', async () => {
  const before = await openNow()
  await commit(before, putFact({ id: 'a', text: 'Die Straße nach Łódź' }))
  await before.close()
  const db = openFile(file())
  db.prepare(`UPDATE facts SET terms = x''`).run()
  db.exec(`INSERT INTO fts_facts (fts_facts) VALUES ('delete-all')`)
  const { reword } = await import('../../src/backends/sqlite/migrate-rows.js')
  reword(db)
  db.close()
  const after = await openNow()
  expect(await idsFound(after, 'ann', 'strass')).toEqual(['a'])
  expect(await after.maintenance.diagnose()).toEqual([])
  await after.close()
})

test('long texts of an older schema keep their vector, and their pieces join the backlog', async () => {
  const { countPieces } = await import('../../src/backends/sqlite/migrate-rows.js')
  const db = openFile(':memory:')
  db.exec(`CREATE TABLE facts (rid INTEGER PRIMARY KEY, text TEXT, embedded INTEGER, pieces INTEGER NOT NULL DEFAULT 0)`)
  const put = db.prepare(`INSERT INTO facts (rid, text, embedded) VALUES (?, ?, ?)`)
  const long = 'The river rises in spring. '.repeat(100)
  for (const [rid, text, embedded] of [
    [1, long, 1],
    [2, 'short', 1],
    [3, long, 0],
    [4, '🎉'.repeat(300), 1],
  ] as const)
    put.run(rid, text, embedded)
  countPieces(db)
  const rows = db.prepare(`SELECT rid, embedded, pieces FROM facts ORDER BY rid`).all()
  db.close()
  expect(rows.map(({ rid, embedded, pieces }) => [rid, embedded, Number(pieces) > 0])).toEqual([
    [1, 2, true],
    [2, 1, false],
    [3, 0, true],
    [4, 2, true],
  ])
})

test('Markdown that an older schema stored as code becomes prose, and joins the backlog', async () => {
  const before = await openNow()
  await commit(before, putFact({ id: 'list', text: '# Trip\n* castle\n* tram' }))
  await commit(before, putFact({ id: 'code', text: 'function trip() {\n  return castle()\n}' }))
  await before.close()
  const db = openFile(file())
  db.prepare(`UPDATE facts SET code = 1, embedded = 1`).run()
  const { recogniseCode } = await import('../../src/backends/sqlite/migrate-rows.js')
  recogniseCode(db)
  expect(db.prepare(`SELECT id, code, embedded FROM facts ORDER BY rid`).all()).toMatchObject([
    { id: 'list', code: 0, embedded: 0 },
    { id: 'code', code: 1, embedded: 1 },
  ])
  db.close()
})
