import { fold } from '../../core/text/text.js'
import type { Dialect, VectorTable } from '../sql/plan/dialect.js'
import type { Query } from '../sql/plan/plan.js'
import { erasureMark, MARK_FOR_ERASURE } from './erasure.js'

const query = (text: string, ...values: Query['values']): Query => ({ text, values })

/** A word as an FTS5 string literal. */
const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

/** Extra rows read per look-up, because rows of other owners are skipped. */
const EXTRA_ROWS_FACTOR = 20

const VECTOR_TABLES: Readonly<Record<VectorTable, string>> = { facts: 'vec_facts', passages: 'vec_passages' }

const NO_VECTORS = Object.values(VECTOR_TABLES).map((table) => `DELETE FROM ${table}`)

const noVectors = (owner: string): readonly Query[] => [
  query(`DELETE FROM vec_facts WHERE id IN (SELECT id FROM facts WHERE owner = ?)`, owner),
  query(`DELETE FROM vec_passages WHERE id IN (SELECT id FROM passages WHERE owner = ?)`, owner),
]

export const vectorBytes = (vector: Float32Array): Uint8Array => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)

/** The dialect of SQLite. `erased` is called when words were deleted from the index. */
export const sqliteDialect = (erased: () => void): Dialect => ({
  numbers: 'together',
  // A write transaction holds the lock of the file from its start.
  rowLock: '',
  // Folded like names; the tokenizer's own folding covers fewer letters.
  lexicalPut: (_owner, rid, title, text) => [
    query(`INSERT INTO fts_facts (rowid, title, text) VALUES (?, ?, ?)`, rid, fold(title), fold(text)),
  ],
  lexicalDelete: (_owner, rid) => {
    erased()
    return [query(`DELETE FROM fts_facts WHERE rowid = ?`, rid), erasureMark]
  },
  // Joins from matches to facts: an owner has many more facts.
  lexicalAll: (owner, words, limit) =>
    query(
      `SELECT f.rid AS rid, f.version AS version
       FROM (SELECT rowid AS rid FROM fts_facts WHERE fts_facts MATCH ? ORDER BY rowid DESC LIMIT ?) found CROSS JOIN facts f ON f.rid = found.rid
       WHERE +f.owner = ? AND f.auto_link = 1 ORDER BY f.rid DESC LIMIT ?`,
      `text : (${words.map(quoted).join(' AND ')})`,
      EXTRA_ROWS_FACTOR * limit,
      owner,
      limit,
    ),
  lexicalPhrase: (owner, words, limit) =>
    query(
      `SELECT f.rid AS rid, f.owner AS owner
       FROM (SELECT rowid AS rid FROM fts_facts WHERE fts_facts MATCH ? ORDER BY rowid DESC LIMIT ?) found CROSS JOIN facts f ON f.rid = found.rid
       WHERE ? IS NULL OR f.owner = ? ORDER BY f.rid DESC LIMIT ?`,
      quoted(words.map(fold).join(' ')),
      EXTRA_ROWS_FACTOR * limit,
      owner ?? null,
      owner ?? null,
      limit,
    ),
  lexicalCondition: (_owners, words) => ({
    text: `rid IN (SELECT rowid FROM fts_facts WHERE fts_facts MATCH ?)`,
    values: [words.map((word, index) => `${quoted(fold(word))}${index === words.length - 1 ? ' *' : ''}`).join(' AND ')],
  }),
  postings: (owner, names, limit) =>
    query(
      `SELECT n.value AS name,
        (SELECT group_concat(rid) FROM (SELECT rid FROM facts WHERE owner = ? AND subject_name = n.value ORDER BY rid LIMIT ?)) AS subjects,
        (SELECT group_concat(rid) FROM (SELECT rid FROM mentions WHERE owner = ? AND name = n.value ORDER BY rid LIMIT ?)) AS mentions
       FROM json_each(?) n ORDER BY n.key`,
      owner,
      limit,
      owner,
      limit,
      JSON.stringify(names),
    ),
  // OR IGNORE avoids the statement journal, a copy of every changed page, which makes it ten times faster.
  mentionsPut: (owner, names, rid) =>
    query(`INSERT OR IGNORE INTO mentions (owner, name, rid) SELECT ?, value, ? FROM json_each(?)`, owner, rid, JSON.stringify(names)),
  vectorPut: (table, _owner, id, vector) => [
    query(
      `INSERT INTO ${VECTOR_TABLES[table]} (id, embedding) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET embedding = excluded.embedding`,
      id,
      vectorBytes(vector),
    ),
  ],
  clear: (owner) => {
    erased()
    if (owner === null)
      // One statement: deleting row by row would hold the lock for many seconds.
      return [MARK_FOR_ERASURE, `INSERT INTO fts_facts (fts_facts) VALUES ('delete-all')`, ...NO_VECTORS].map((statement) =>
        query(statement),
      )
    return [query(`DELETE FROM fts_facts WHERE rowid IN (SELECT rid FROM facts WHERE owner = ?)`, owner), erasureMark, ...noVectors(owner)]
  },
  vectorColumns: ['id', 'embedding'],
  vectorRows: (table, owner) => (after, limit) =>
    query(
      `SELECT v.id AS id, v.embedding AS embedding FROM ${VECTOR_TABLES[table]} v JOIN ${table} t ON t.id = v.id WHERE t.owner = ? AND v.id > ? ORDER BY v.id LIMIT ?`,
      owner,
      after,
      limit,
    ),
  vectorDelete: (table, _owner, id) => [query(`DELETE FROM ${VECTOR_TABLES[table]} WHERE id = ?`, id)],
  vectorsClear: (owner) => (owner === null ? NO_VECTORS.map((statement) => query(statement)) : noVectors(owner)),
})
