import { bytes, number, text } from '../sql/plan/plan.js'
import type { Database } from './driver.js'

const TABLES = ['vec_facts', 'vec_passages'] as const

/**
 * Old stores keep vectors in virtual tables of an extension that is no longer used. Its shadow tables are plain: they are copied, and then
 * everything is dropped without the extension.
 */
export function makeVectorsPlain(db: Database): void {
  const had = TABLES.filter((table) => db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = ?`).get(table) !== undefined)
  if (had.length > 0) forgetVirtual(db)
  for (const table of TABLES) {
    db.exec(`CREATE TABLE ${table} (id TEXT PRIMARY KEY, embedding BLOB NOT NULL)`)
    if (had.includes(table)) takeOver(db, table)
  }
}

/** Dropping a virtual table calls its extension, so only the schema entry is deleted. Its shadow tables are dropped later. */
function forgetVirtual(db: Database): void {
  db.unguarded(() => {
    db.pragma('writable_schema = ON')
    db.exec(`DELETE FROM sqlite_schema WHERE type = 'table' AND name IN (${TABLES.map((table) => `'${table}'`).join(', ')})`)
    // Also reloads the schema.
    db.pragma('writable_schema = RESET')
  })
}

/** Vectors are stored in consecutive chunks; a separate table maps rows to positions. */
function takeOver(db: Database, table: (typeof TABLES)[number]): void {
  const put = db.prepare(`INSERT INTO ${table} (id, embedding) VALUES (?, ?) ON CONFLICT DO NOTHING`)
  const placesIn = db.prepare(`SELECT id, chunk_offset FROM ${table}_rowids WHERE chunk_id = ? AND id IS NOT NULL`)
  const vectorsIn = db.prepare(`SELECT vectors FROM ${table}_vector_chunks00 WHERE rowid = ?`)
  for (const chunk of db.prepare(`SELECT chunk_id, size FROM ${table}_chunks`).all()) {
    const vectors = vectorsIn.get(number(chunk, 'chunk_id'))
    if (vectors === undefined) continue
    const all = bytes(vectors, 'vectors')
    const length = all.byteLength / number(chunk, 'size')
    for (const place of placesIn.all(number(chunk, 'chunk_id'))) {
      const from = number(place, 'chunk_offset') * length
      put.run(text(place, 'id'), all.subarray(from, from + length))
    }
  }
  for (const { name } of db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ?`).all(`${table}_*`))
    db.exec(`DROP TABLE "${String(name)}"`)
}
