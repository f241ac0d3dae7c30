import type { Dialect, VectorTable } from '../sql/plan/dialect.js'
import type { Query } from '../sql/plan/plan.js'
import { allOf, phraseOf, startingWith, toVector } from './tsvector.js'

const query = (text: string, ...values: Query['values']): Query => ({ text, values })

const VECTOR_TABLES: Readonly<Record<VectorTable, string>> = { facts: 'vec_facts', passages: 'vec_passages' }

const vectorBytes = (vector: Float32Array): Uint8Array => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)

/** Claims use the database clock, because clocks of nodes may differ. */
const DATABASE_TIME = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint'
/** A batch takes a second or two; after a minute its process is gone. */
const CLAIM_US = 60_000_000

/** The first rows of a list, comma-separated. */
const firstRows = (table: string, column: string): string =>
  `(SELECT string_agg(s.rid::text, ',' ORDER BY s.rid) FROM (SELECT t.rid FROM ${table} t WHERE t.owner = ? AND t.${column} = n.name ORDER BY t.rid LIMIT ?) s)`

const emptied = (tables: readonly string[], owner: string | null): readonly Query[] =>
  tables.map((table) => (owner === null ? query(`DELETE FROM ${table}`) : query(`DELETE FROM ${table} WHERE owner = ?`, owner)))

export const postgresDialect: Dialect = {
  numbers: 'by owner',
  rowLock: ' FOR UPDATE',
  databaseTime: DATABASE_TIME,
  wordsByOwner: true,
  passageRids: (count) => query(`SELECT nextval('passage_rids') AS rid FROM generate_series(1, ?)`, count),
  lexicalPut: (owner, rid, title, text) => [
    query(`INSERT INTO fts_facts (owner, rid, words) VALUES (?, ?, ?)`, owner, rid, toVector(owner, title, text)),
  ],
  lexicalDelete: (owner, rid) =>
    ['fts_facts', 'large_facts'].map((table) => query(`DELETE FROM ${table} WHERE owner = ? AND rid = ?`, owner, rid)),
  lexicalAll: (owner, words, limit) =>
    query(
      `SELECT f.rid AS rid, f.version AS version FROM fts_facts t JOIN facts f ON f.owner = t.owner AND f.rid = t.rid
       WHERE t.owner = ? AND t.words @@ ?::tsquery AND f.auto_link = 1 ORDER BY f.rid DESC LIMIT ?`,
      owner,
      allOf(owner, words),
      limit,
    ),
  lexicalPhrase: (owner, words, limit) =>
    owner === undefined
      ? query(`SELECT rid, owner FROM fts_facts WHERE false`)
      : query(
          `SELECT rid, owner FROM fts_facts WHERE owner = ? AND words @@ ?::tsquery ORDER BY rid DESC LIMIT ?`,
          owner,
          phraseOf(owner, words),
          limit,
        ),
  lexicalCondition: (owners, words) =>
    owners.length === 0
      ? { text: 'false', values: [] }
      : {
          text: `(${owners.map(() => `(owner = ? AND rid IN (SELECT t.rid FROM fts_facts t WHERE t.owner = ? AND t.words @@ ?::tsquery))`).join(' OR ')})`,
          values: owners.flatMap((owner) => [owner, owner, startingWith(owner, words)]),
        },
  postings: (owner, names, limit) =>
    query(
      `SELECT n.name AS name, ${firstRows('facts', 'subject_name')} AS subjects, ${firstRows('mentions', 'name')} AS mentions
       FROM json_array_elements_text(?::json) WITH ORDINALITY AS n (name, place) ORDER BY n.place`,
      owner,
      limit,
      owner,
      limit,
      JSON.stringify(names),
    ),
  mentionsPut: (owner, names, rid) =>
    query(
      `INSERT INTO mentions (owner, name, rid) SELECT ?, n.name, ? FROM json_array_elements_text(?::json) AS n (name) ON CONFLICT DO NOTHING`,
      owner,
      rid,
      JSON.stringify(names),
    ),
  vectorPut: (table, owner, id, vector) => [
    query(
      `INSERT INTO ${VECTOR_TABLES[table]} (owner, id, embedding) VALUES (?, ?, ?) ON CONFLICT (owner, id) DO UPDATE SET embedding = excluded.embedding`,
      owner,
      id,
      vectorBytes(vector),
    ),
  ],
  vectorColumns: ['owner', 'id', 'embedding'],
  vectorRows: (table, owner) => (after, limit) =>
    query(`SELECT id, embedding FROM ${VECTOR_TABLES[table]} WHERE owner = ? AND id > ? ORDER BY id LIMIT ?`, owner, after, limit),
  claimTexts: (name, limit) =>
    query(
      `WITH picked AS (
         SELECT t.owner, t.rid FROM ${name} t WHERE t.embedded = 0 AND NOT EXISTS (
           SELECT 1 FROM claims c WHERE c.owner = t.owner AND c.kind = ? AND c.rid = t.rid AND c.until > ${DATABASE_TIME})
         ORDER BY t.rid LIMIT ? FOR UPDATE OF t SKIP LOCKED)
       INSERT INTO claims (owner, kind, rid, until) SELECT owner, ?, rid, ${DATABASE_TIME} + ${CLAIM_US} FROM picked
       ON CONFLICT (owner, kind, rid) DO UPDATE SET until = excluded.until WHERE claims.until <= ${DATABASE_TIME} RETURNING owner, rid`,
      name,
      limit,
      name,
    ),
  settleNumbers: `SELECT setval('passage_rids', (SELECT coalesce(max(rid), 0) + 1 FROM passages), false)`,
  vectorDelete: (table, owner, id) => [query(`DELETE FROM ${VECTOR_TABLES[table]} WHERE owner = ? AND id = ?`, owner, id)],
  vectorsClear: (owner) => emptied(Object.values(VECTOR_TABLES), owner),
  // Also invalidates running index builds of the owner.
  clear: (owner) => emptied(['fts_facts', 'large_facts', 'large_owners', ...Object.values(VECTOR_TABLES)], owner),
}
