import { type FactKinds, FIELDS } from '../../core/facts/fact.js'

/** A table. Its key starts with the owner, unless it belongs to the whole store. */
interface Table {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: string
  /** Rows have an owner, so the table can be partitioned. */
  readonly owned: boolean
}

const TEXT = 'text COLLATE "C"'

/** Column types: JSON is text, as in the other databases, and a flag is 0 or 1. */
const TYPES: Readonly<Record<keyof FactKinds, string>> = {
  text: `${TEXT} NOT NULL`,
  note: TEXT,
  number: 'double precision NOT NULL',
  amount: 'double precision',
  instant: 'bigint NOT NULL',
  moment: 'bigint',
  flag: 'integer NOT NULL',
  names: `${TEXT} NOT NULL`,
  list: TEXT,
  object: `${TEXT} NOT NULL`,
  record: TEXT,
  json: TEXT,
  status: `${TEXT} NOT NULL`,
  scope: `${TEXT} NOT NULL`,
}

/** Columns as `name type`, with abbreviated types. */
const columns = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) =>
    line.split(', ').map((column) => {
      const [name = '', type = ''] = column.split(' ')
      const sql = COLUMN_TYPES[type]
      if (sql === undefined) throw new Error(`unknown type in ${column}`)
      return `${name} ${sql}`
    }),
  )

const COLUMN_TYPES: Readonly<Record<string, string>> = {
  text: `${TEXT} NOT NULL`,
  'text?': TEXT,
  int: 'bigint NOT NULL',
  'int?': 'bigint',
  zero: 'bigint NOT NULL DEFAULT 0',
  real: 'double precision NOT NULL',
  'real?': 'double precision',
  bytes: 'bytea NOT NULL',
  'bytes?': 'bytea',
  words: 'tsvector NOT NULL',
}

const owned = (name: string, key: string, ...lines: readonly string[]): Table => ({
  name,
  key: `owner, ${key}`,
  columns: columns('owner text', ...lines),
  owned: true,
})

const common = (name: string, key: string, ...lines: readonly string[]): Table => ({ name, key, columns: columns(...lines), owned: false })

const FACT_COLUMNS = FIELDS.map(([, { column, kind }]) => `${column} ${column === 'version' ? 'bigint NOT NULL' : TYPES[kind]}`)

export const TABLES: readonly Table[] = [
  common('meta', 'key', 'key text, value text'),
  common(
    'jobs',
    'kind, subject',
    'kind text, subject text, state text, run_at int, attempts int, lease_owner text?, lease_until int?, generation int, progress text, error text?',
  ),
  common(
    'arrangements',
    'kind, id',
    'kind text, id text, owner text, name text?, data text, created_at int, updated_at int, version int, digest text?',
  ),
  common('nonces', 'peer, nonce', 'peer text, nonce text, until int'),
  {
    name: 'owners',
    key: 'owner',
    owned: true,
    columns: columns(
      'owner text, seq int, rid int, stamp int, generation int, edges int, facts int, linked zero, epoch int?, at int, place int',
    ),
  },
  owned(
    'journal',
    'seq',
    'seq int, hlc text, at int, actor text, op text, target_kind text, target text, target_row int?, commit_id text',
    'before text?, after text?, reason text?, head_seal int?, content_seal int?',
  ),
  {
    name: 'facts',
    key: 'owner, rid',
    owned: true,
    columns: [
      'rid bigint NOT NULL',
      ...FACT_COLUMNS,
      ...columns(
        'subject_name text?, claim text?, embedded zero, access_count zero, last_accessed_at int?, code zero, pieces zero, terms bytes, seal int?',
      ),
    ],
  },
  owned('fact_retractions', 'fact_id, retracted_at', 'fact_id text, retracted_at int'),
  owned('fact_derivations', 'source_hash, fact_id', 'source_hash text, fact_id text'),
  owned('stale_cards', 'entity, scope, garden', 'entity text, scope text, garden text, since int, mark int'),
  owned('authors', 'head, author', 'head text, author text, uses int'),
  owned(
    'entities',
    'id',
    'id text, name text, type text, description text?, aliases text, uri text?, status text, source text, metadata text',
    'created_at int, updated_at int, expires_at int?, ttl_days real?, version int, seal int?',
  ),
  owned('entity_names', 'name_key', 'name_key text, name text, entity_id text'),
  owned('entity_vectors', 'entity_id', 'entity_id text, version int, stamp int, vector bytes'),
  owned(
    'entity_edges',
    'id',
    'id text, subject text, relation text, object text, scope text, confidence real, source_trust real?, decay_epoch int?, created_at int',
    'subject_kind text, object_kind text, weight real, properties text, fact_id text?, valid_until int?, derived int, version int, seal int?',
  ),
  owned('names', 'head, name', 'head text, name text, uses int'),
  owned('mentions', 'name, rid', 'name text, rid int'),
  owned('fts_facts', 'rid', 'rid int, words words'),
  owned('fact_codes', 'rid', 'rid int, stamp int, scale real, codes bytes'),
  owned('piece_codes', 'rid, piece', 'rid int, piece int, first_unit int, end_unit int, stamp int, scale real, codes bytes'),
  owned('vec_facts', 'id', 'id text, embedding bytes'),
  owned('vec_passages', 'id', 'id text, embedding bytes'),
  owned(
    'sources',
    'id',
    'id text, kind text, title text, origin text, fingerprint text, status text, metadata text, created_at int, updated_at int, version int',
  ),
  owned(
    'source_files',
    'source_id, path',
    'source_id text, path text, size int, modified_at int, hash text, skipped text?, gone zero, revision int',
  ),
  owned(
    'passages',
    'rid',
    'rid int, id text, source_id text, path text, ordinal int, text text, kind text, language text?, name text?, scope_path text?',
    'start_line int, end_line int, hash text, embed_text text, embedded zero, terms bytes, rough bytes?, locator text?',
  ),
  owned('passage_refs', 'rid, kind, name, module', 'rid int, kind text, name text, module text'),
  owned('claims', 'kind, rid', 'kind text, rid int, until int'),
  owned('passage_codes', 'rid', 'rid int, stamp int, scale real, codes bytes'),
  owned('deliveries', 'id', 'id text, at int, client text, conversation text?, kind text, question text?, confidence real?, facts text'),
  owned('delivered_facts', 'fact_id, delivery', 'fact_id text, delivery text'),
  owned('calls', 'actor, key', 'actor text, key text, fingerprint text, at int, place int, commit_id text, entries text, answer text?'),
]

/** In a table without partitions, ids are unique without the owner; reads without an owner use that index. */
const BY_ID = ['facts', 'entities', 'entity_edges', 'sources', 'passages']

const INDEXES: readonly string[] = [
  'owners_epoch ON owners (epoch, owner)',
  'owners_unlinked ON owners (owner) WHERE stamp > linked',
  'journal_target ON journal (owner, target, seq)',
  'journal_about ON journal (target)',
  'journal_hlc ON journal (hlc)',
  'journal_actor ON journal (actor, hlc)',
  'facts_owner ON facts (owner, recorded_at, rid)',
  'facts_recorded ON facts (recorded_at)',
  'facts_session ON facts (owner, session, rid) WHERE session IS NOT NULL',
  'facts_subject ON facts (owner, subject_name, rid) WHERE subject_name IS NOT NULL',
  'facts_statement ON facts (owner, subject, predicate, recorded_at, rid) WHERE subject IS NOT NULL',
  'facts_said ON facts (owner, subject, recorded_at, rid) WHERE subject IS NOT NULL',
  'facts_claim ON facts (owner, claim) WHERE claim IS NOT NULL',
  'facts_same_claim ON facts (owner, subject, predicate, scope, garden, confidence, hlc) WHERE asserted_confidence IS NOT NULL',
  'facts_apart ON facts (owner) WHERE garden IS NOT NULL OR received_from IS NOT NULL',
  'facts_hash ON facts (owner, hash) WHERE hash IS NOT NULL',
  `facts_system ON facts (owner, predicate, recorded_at, rid) WHERE form IN ('system', 'card')`,
  'facts_of_entity ON facts (owner, subject, scope, (confidence * coalesce(trust, 1)), rid) WHERE asserted_confidence IS NOT NULL',
  'facts_of_source ON facts (owner, source, recorded_at) WHERE asserted_confidence IS NOT NULL',
  'fact_derivations_fact ON fact_derivations (owner, fact_id)',
  'facts_expiry ON facts (owner, expires_at) WHERE expires_at IS NOT NULL',
  'facts_pending ON facts (rid, owner) WHERE embedded = 0',
  'facts_in_pieces ON facts (rid, owner) WHERE embedded = 2',
  'entities_owner ON entities (owner, created_at)',
  'entity_names_entity ON entity_names (owner, entity_id)',
  'entity_names_name ON entity_names (owner, name)',
  'entity_vectors_stamp ON entity_vectors (owner, stamp)',
  'idx_edges_subject ON entity_edges (owner, subject, object, valid_until, derived)',
  'idx_edges_object ON entity_edges (owner, object, subject, valid_until, derived)',
  'edges_from ON entity_edges (owner, subject, scope, derived, object, id)',
  'edges_to ON entity_edges (owner, object, scope, derived, subject, id)',
  'edges_made ON entity_edges (owner, created_at, id) WHERE derived = 0',
  'edges_fact ON entity_edges (owner, fact_id) WHERE fact_id IS NOT NULL',
  'mentions_rid ON mentions (owner, rid)',
  'fact_codes_stamp ON fact_codes (owner, stamp, rid)',
  'piece_codes_stamp ON piece_codes (owner, stamp, rid, piece)',
  'sources_owner ON sources (owner, kind)',
  'source_files_revision ON source_files (owner, source_id, revision)',
  'source_files_source ON source_files (source_id, path)',
  'passages_file ON passages (owner, source_id, path, ordinal)',
  'passages_source ON passages (source_id, path, ordinal)',
  'passages_rid ON passages (rid)',
  'passages_pending ON passages (rid) WHERE embedded = 0',
  'passage_refs_name ON passage_refs (owner, name, kind)',
  'passage_codes_stamp ON passage_codes (owner, stamp, rid)',
  'passage_codes_rid ON passage_codes (rid)',
  'calls_place ON calls (owner, place)',
  'calls_commit ON calls (commit_id)',
  'nonces_until ON nonces (until)',
  'deliveries_at ON deliveries (at, id)',
  'delivered_facts_fact ON delivered_facts (fact_id)',
  'delivered_facts_delivery ON delivered_facts (delivery)',
  `facts_facets ON facts (owner, status, kind, source, author, recorded_at, id, form, scope, garden, quarantine, received_from, valid_from, valid_until, expires_at) WHERE kind >= ''`,
  `edges_alike ON entity_edges (weight) WHERE relation = 'SIMILAR_TO'`,
]

/**
 * Autovacuum settings. Deleted content should leave the pages soon, and the planner needs statistics of a newly imported owner. Frequently
 * updated rows have free space next to them, so that updates stay on the page and touch no index.
 */
const AUTOVACUUM_SETTINGS =
  'autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1'
const FREQUENT_UPDATE_SETTINGS = `${AUTOVACUUM_SETTINGS}, fillfactor = 50`
const HOT_TABLES = ['owners', 'jobs', 'claims', 'meta']

/** Owners searched in the database, each in its own partition. Derived from the facts, so not copied. */
const DATABASE_INDEX_DDL = [
  `CREATE TABLE large_facts (owner ${TEXT} NOT NULL, rid bigint NOT NULL, piece bigint NOT NULL, tokens bigint NOT NULL, now_from bigint NOT NULL, now_until bigint NOT NULL, then_from bigint NOT NULL, then_until bigint NOT NULL, embedding halfvec, words tsvector NOT NULL) PARTITION BY LIST (owner)`,
  `CREATE TABLE large_owners (${columns('owner text, ready int, builder text, until int, seq int, stamp int, generation int, epoch int, tokens real').join(', ')}, PRIMARY KEY (owner)) WITH (${FREQUENT_UPDATE_SETTINGS})`,
]

/** With partitions, a table with an owner is partitioned by it. */
function tableStatements(table: Table, partitions: number): readonly string[] {
  const made = `CREATE TABLE ${table.name} (${table.columns.join(', ')}, PRIMARY KEY (${table.key}))`
  const tidied = ` WITH (${HOT_TABLES.includes(table.name) ? FREQUENT_UPDATE_SETTINGS : AUTOVACUUM_SETTINGS})`
  if (partitions === 0 || !table.owned) return [`${made}${tidied}`]
  return [
    `${made} PARTITION BY HASH (owner)`,
    ...Array.from(
      { length: partitions },
      (_, part) =>
        `CREATE TABLE ${table.name}_${part} PARTITION OF ${table.name} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part})${tidied}`,
    ),
  ]
}

/** Statements that create an empty store, in order. With partitions, each table with an owner is partitioned by it. */
export function schemaStatements(partitions: number): readonly string[] {
  return [
    ...TABLES.flatMap((table) => tableStatements(table, partitions)),
    ...DATABASE_INDEX_DDL,
    'CREATE SEQUENCE passage_rids',
    ...INDEXES.map((index) => `CREATE INDEX ${index}`),
    ...BY_ID.flatMap((table) => [
      `CREATE UNIQUE INDEX ${table}_own_id ON ${table} (owner, id)`,
      `CREATE ${partitions === 0 ? 'UNIQUE ' : ''}INDEX ${table}_id ON ${table} (id)`,
    ]),
    'CREATE UNIQUE INDEX arrangements_name ON arrangements (kind, owner, name)',
    `CREATE UNIQUE INDEX sources_project ON sources (owner, title) WHERE kind = 'repo'`,
    `CREATE UNIQUE INDEX sources_root ON sources (owner, origin) WHERE kind = 'repo'`,
    'CREATE INDEX fts_words ON fts_facts USING gin (words)',
  ]
}

/** The newest schema version. */
export const SCHEMA_VERSION = 2

/** Tables and indexes that each schema version adds. */
const STEPS: Readonly<Record<number, { readonly tables: readonly string[]; readonly indexes: readonly string[] }>> = {
  2: {
    tables: ['deliveries', 'delivered_facts'],
    indexes: ['deliveries_at', 'delivered_facts_fact', 'delivered_facts_delivery', 'facts_facets', 'edges_alike'],
  },
}

export function migrationStatements(from: number, partitions: number): readonly string[] {
  const steps = Object.entries(STEPS).flatMap(([layout, step]) => (Number(layout) > from ? [step] : []))
  return steps.flatMap(({ tables, indexes }) => [
    ...TABLES.filter(({ name }) => tables.includes(name)).flatMap((table) => tableStatements(table, partitions)),
    ...INDEXES.filter((index) => indexes.some((name) => index.startsWith(`${name} `))).map((index) => `CREATE INDEX ${index}`),
  ])
}

/** Tables for copying to another database: columns, and the key within an owner. */
export const SHAPES = TABLES.map(({ name, columns: all, key }) => ({
  name,
  columns: all.map((column) => column.split(' ', 1)[0] ?? ''),
  key: key.split(', ').filter((column) => column !== 'owner'),
}))
