import { newFactColumns } from '../sql/plan/rows.js'
import type { Database } from './driver.js'
import { markForErasure } from './erasure.js'
import { checksumRows, countPieces, fillClaims, nameEntities, recogniseCode, reword } from './migrate-rows.js'
import { makeVectorsPlain } from './plain-vectors.js'

/** Vectors are stored owner by owner, as they are read, instead of in insertion order. */
const codesByOwner = (codes: string, rows: string): readonly string[] => [
  `ALTER TABLE ${codes} RENAME TO earlier_codes`,
  `CREATE TABLE ${codes} (
    owner TEXT NOT NULL, rid INTEGER NOT NULL, stamp INTEGER NOT NULL, scale REAL NOT NULL, codes BLOB NOT NULL, PRIMARY KEY (owner, rid)) WITHOUT ROWID`,
  `INSERT INTO ${codes} (owner, rid, stamp, scale, codes)
    SELECT coalesce(r.owner, ''), c.rid, c.stamp, c.scale, c.codes FROM earlier_codes c LEFT JOIN ${rows} r ON r.rid = c.rid ORDER BY 1, 2`,
  `DROP TABLE earlier_codes`,
  `CREATE INDEX ${codes}_owner ON ${codes} (owner, stamp, rid)`,
]

/**
 * Schema migrations, oldest first. A released step is never edited. Instants are epoch microseconds, JSON is text, booleans are 0 and 1.
 */
export const MIGRATIONS: readonly (readonly (string | ((db: Database) => void))[])[] = [
  [
    `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)`,
    `CREATE TABLE journal (
      seq INTEGER PRIMARY KEY, hlc TEXT NOT NULL, at INTEGER NOT NULL, owner TEXT NOT NULL, actor TEXT NOT NULL,
      op TEXT NOT NULL, target_kind TEXT NOT NULL, target TEXT NOT NULL, target_row INTEGER, before TEXT, after TEXT, reason TEXT)`,
    `CREATE INDEX journal_target ON journal (target, seq)`,
    `CREATE INDEX journal_owner ON journal (owner, seq)`,
    `CREATE TABLE facts (
      rid INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, text TEXT NOT NULL, kind TEXT NOT NULL,
      title TEXT, subject TEXT, predicate TEXT, value TEXT, author TEXT, session TEXT, date TEXT,
      scope TEXT NOT NULL, garden TEXT, status TEXT NOT NULL, confidence REAL NOT NULL, importance REAL NOT NULL, source TEXT NOT NULL,
      reason TEXT, event_at INTEGER NOT NULL, valid_from INTEGER NOT NULL, valid_until INTEGER, recorded_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL, expires_at INTEGER, ttl_days REAL, superseded_by TEXT, derived_from TEXT NOT NULL,
      metadata TEXT NOT NULL, auto_link INTEGER NOT NULL, dedup_at INTEGER, version INTEGER NOT NULL,
      subject_name TEXT, embedded INTEGER NOT NULL DEFAULT 0, access_count INTEGER NOT NULL DEFAULT 0,
      code INTEGER NOT NULL DEFAULT 0, terms BLOB NOT NULL)`,
    `CREATE INDEX facts_owner ON facts (owner, recorded_at)`,
    `CREATE INDEX facts_recorded ON facts (recorded_at)`,
    `CREATE INDEX facts_session ON facts (owner, session, rid) WHERE session IS NOT NULL`,
    `CREATE INDEX facts_subject ON facts (owner, subject_name) WHERE subject_name IS NOT NULL`,
    `CREATE INDEX facts_statement ON facts (owner, subject, predicate) WHERE subject IS NOT NULL`,
    `CREATE INDEX facts_expiry ON facts (expires_at) WHERE expires_at IS NOT NULL`,
    `CREATE INDEX facts_pending ON facts (rid) WHERE embedded = 0`,
    `CREATE TABLE fact_retractions (fact_id TEXT NOT NULL, retracted_at INTEGER NOT NULL, PRIMARY KEY (fact_id, retracted_at))`,
    `CREATE TABLE authors (owner TEXT NOT NULL, head TEXT NOT NULL, author TEXT NOT NULL, uses INTEGER NOT NULL, PRIMARY KEY (owner, head, author)) WITHOUT ROWID`,
    `CREATE TABLE entities (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, description TEXT, aliases TEXT NOT NULL, uri TEXT,
      status TEXT NOT NULL, source TEXT NOT NULL, metadata TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      expires_at INTEGER, ttl_days REAL, version INTEGER NOT NULL)`,
    `CREATE INDEX entities_owner ON entities (owner, created_at)`,
    `CREATE TABLE entity_names (owner TEXT NOT NULL, name TEXT NOT NULL, entity_id TEXT NOT NULL, PRIMARY KEY (owner, name)) WITHOUT ROWID`,
    `CREATE INDEX entity_names_entity ON entity_names (entity_id)`,
    `CREATE TABLE entity_vectors (entity_id TEXT PRIMARY KEY, owner TEXT NOT NULL, version INTEGER NOT NULL, stamp INTEGER NOT NULL, vector BLOB NOT NULL)`,
    `CREATE INDEX entity_vectors_owner ON entity_vectors (owner, stamp)`,
    `CREATE TABLE entity_edges (
      id TEXT PRIMARY KEY, subject TEXT NOT NULL, relation TEXT NOT NULL, object TEXT NOT NULL, scope TEXT NOT NULL, confidence REAL NOT NULL,
      source_trust REAL, decay_epoch INTEGER, created_at INTEGER NOT NULL, owner TEXT NOT NULL, subject_kind TEXT NOT NULL,
      object_kind TEXT NOT NULL, weight REAL NOT NULL, properties TEXT NOT NULL, fact_id TEXT, valid_until INTEGER,
      derived INTEGER NOT NULL, version INTEGER NOT NULL)`,
    `CREATE INDEX idx_edges_subject ON entity_edges (subject, scope, confidence, object, owner, valid_until, derived)`,
    `CREATE INDEX idx_edges_object ON entity_edges (object, scope, confidence, subject, owner, valid_until, derived)`,
    `CREATE INDEX idx_edges_subject_rel ON entity_edges (subject, relation, scope, object)`,
    `CREATE INDEX edges_owner ON entity_edges (owner, derived)`,
    `CREATE INDEX edges_fact ON entity_edges (fact_id) WHERE fact_id IS NOT NULL`,
    `CREATE TABLE names (owner TEXT NOT NULL, head TEXT NOT NULL, name TEXT NOT NULL, uses INTEGER NOT NULL, PRIMARY KEY (owner, head, name)) WITHOUT ROWID`,
    `CREATE TABLE mentions (owner TEXT NOT NULL, name TEXT NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (owner, name, rid)) WITHOUT ROWID`,
    `CREATE INDEX mentions_rid ON mentions (rid)`,
    `CREATE VIRTUAL TABLE fts_facts USING fts5(title, text, content = '', contentless_delete = 1, tokenize = 'porter unicode61')`,
    `CREATE TABLE fact_codes (rid INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, scale REAL NOT NULL, codes BLOB NOT NULL)`,
    `CREATE INDEX fact_codes_stamp ON fact_codes (stamp)`,
    `CREATE TABLE sources (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL, origin TEXT NOT NULL, fingerprint TEXT NOT NULL,
      status TEXT NOT NULL, metadata TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, version INTEGER NOT NULL)`,
    `CREATE INDEX sources_owner ON sources (owner, kind)`,
    `CREATE UNIQUE INDEX sources_project ON sources (owner, title) WHERE kind = 'repo'`,
    `CREATE UNIQUE INDEX sources_root ON sources (owner, origin) WHERE kind = 'repo'`,
    `CREATE TABLE source_files (
      source_id TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, modified_at INTEGER NOT NULL, hash TEXT NOT NULL,
      skipped TEXT, gone INTEGER NOT NULL DEFAULT 0, revision INTEGER NOT NULL, PRIMARY KEY (source_id, path)) WITHOUT ROWID`,
    `CREATE INDEX source_files_revision ON source_files (source_id, revision)`,
    `CREATE TABLE passages (
      rid INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, source_id TEXT NOT NULL, path TEXT NOT NULL,
      ordinal INTEGER NOT NULL, text TEXT NOT NULL, kind TEXT NOT NULL, language TEXT, name TEXT, scope_path TEXT, start_line INTEGER NOT NULL,
      end_line INTEGER NOT NULL, hash TEXT NOT NULL, embed_text TEXT NOT NULL, embedded INTEGER NOT NULL DEFAULT 0, terms BLOB NOT NULL, sketch BLOB)`,
    `CREATE INDEX passages_file ON passages (source_id, path, ordinal)`,
    `CREATE INDEX passages_pending ON passages (rid) WHERE embedded = 0`,
    `CREATE TABLE passage_refs (
      rid INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, module TEXT NOT NULL, PRIMARY KEY (rid, kind, name, module)) WITHOUT ROWID`,
    `CREATE INDEX passage_refs_name ON passage_refs (name, kind)`,
    `CREATE TABLE passage_codes (rid INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, scale REAL NOT NULL, codes BLOB NOT NULL)`,
    `CREATE INDEX passage_codes_stamp ON passage_codes (stamp)`,
    `CREATE TABLE jobs (
      kind TEXT NOT NULL, subject TEXT NOT NULL, state TEXT NOT NULL, run_at INTEGER NOT NULL, attempts INTEGER NOT NULL,
      lease_owner TEXT, lease_until INTEGER, generation INTEGER NOT NULL, progress TEXT NOT NULL, error TEXT, PRIMARY KEY (kind, subject)) WITHOUT ROWID`,
  ],
  [
    // Entities are identified by their whole name; texts mention them by its words, so several may share a mention.
    `DROP TABLE entity_names`,
    `CREATE TABLE entity_names (
      owner TEXT NOT NULL, name_key TEXT NOT NULL, name TEXT NOT NULL, entity_id TEXT NOT NULL, PRIMARY KEY (owner, name_key)) WITHOUT ROWID`,
    `CREATE INDEX entity_names_entity ON entity_names (entity_id)`,
    `CREATE INDEX entity_names_name ON entity_names (owner, name)`,
    // The reason of a change is cleared with the contents of its entry.
    `UPDATE journal SET reason = NULL WHERE before IS NULL AND after IS NULL AND op NOT LIKE '%.delete' AND op <> 'reset'`,
    nameEntities,
    reword,
    markForErasure,
  ],
  [
    // Idempotent calls, by the key of their caller.
    `CREATE TABLE calls (
      owner TEXT NOT NULL, actor TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, at INTEGER NOT NULL, place INTEGER NOT NULL,
      commit_id TEXT NOT NULL, entries TEXT NOT NULL, answer TEXT, PRIMARY KEY (owner, actor, key))`,
    `CREATE INDEX calls_place ON calls (owner, place)`,
    `CREATE INDEX calls_commit ON calls (commit_id)`,
    // Groups the entries of a commit; unknown for existing entries.
    `ALTER TABLE journal ADD COLUMN commit_id TEXT NOT NULL DEFAULT ''`,
    `UPDATE journal SET commit_id = CAST(seq AS TEXT)`,
    // Long texts are also embedded in pieces; existing ones wait for theirs.
    `ALTER TABLE facts ADD COLUMN pieces INTEGER NOT NULL DEFAULT 0`,
    `CREATE INDEX facts_in_pieces ON facts (rid) WHERE embedded = 2`,
    `CREATE TABLE piece_codes (
      rid INTEGER NOT NULL, owner TEXT NOT NULL, piece INTEGER NOT NULL, first_unit INTEGER NOT NULL, end_unit INTEGER NOT NULL, stamp INTEGER NOT NULL,
      scale REAL NOT NULL, codes BLOB NOT NULL, PRIMARY KEY (owner, rid, piece)) WITHOUT ROWID`,
    `CREATE INDEX piece_codes_owner ON piece_codes (owner, stamp, rid, piece)`,
    // The facts of each owner have their own shard and watermark.
    `CREATE TABLE owners (
      owner TEXT PRIMARY KEY, seq INTEGER NOT NULL, rid INTEGER NOT NULL DEFAULT 0, stamp INTEGER NOT NULL, generation INTEGER NOT NULL,
      edges INTEGER NOT NULL DEFAULT 0, facts INTEGER NOT NULL DEFAULT 0, linked INTEGER NOT NULL DEFAULT 0, epoch INTEGER, at INTEGER NOT NULL, place INTEGER NOT NULL) WITHOUT ROWID`,
    // Adds the owner to every table.
    `ALTER TABLE source_files ADD COLUMN owner TEXT NOT NULL DEFAULT ''`,
    `UPDATE source_files SET owner = coalesce((SELECT s.owner FROM sources s WHERE s.id = source_files.source_id), '')`,
    `ALTER TABLE passage_refs ADD COLUMN owner TEXT NOT NULL DEFAULT ''`,
    `UPDATE passage_refs SET owner = coalesce((SELECT p.owner FROM passages p WHERE p.rid = passage_refs.rid), '')`,
    `ALTER TABLE fact_retractions ADD COLUMN owner TEXT NOT NULL DEFAULT ''`,
    `UPDATE fact_retractions SET owner = coalesce((SELECT f.owner FROM facts f WHERE f.id = fact_retractions.fact_id), '')`,
    ...codesByOwner('fact_codes', 'facts'),
    ...codesByOwner('passage_codes', 'passages'),
    `CREATE INDEX passages_of_source ON passages (source_id)`,
    `CREATE INDEX facts_of_owner ON facts (owner)`,
    `INSERT INTO owners (owner, seq, stamp, generation, at, place) SELECT owner, max(seq), 0, 0, max(at), 0 FROM journal GROUP BY owner`,
    `INSERT INTO owners (owner, seq, stamp, generation, at, place) SELECT DISTINCT owner, 0, 0, 0, 0, 0 FROM facts WHERE true ON CONFLICT (owner) DO NOTHING`,
    // The row of the whole store. Its clock was one number, both the time and the commit order.
    `INSERT INTO owners (owner, seq, stamp, generation, at, place)
      SELECT '', coalesce((SELECT max(seq) FROM journal), 0), 0, 0, CAST(value AS INTEGER), CAST(value AS INTEGER) FROM meta WHERE key = 'clock'`,
    `DELETE FROM meta WHERE key IN ('clock', 'stamp.facts', 'stamp.passages', 'stamp.entities')`,
    // One sequence of batches for all vectors, and one of rows for facts and passages, both allocated with journal entries.
    `UPDATE owners SET stamp = coalesce((SELECT max(c.stamp) FROM fact_codes c WHERE c.owner = owners.owner), 0),
      facts = (SELECT count(*) FROM facts f WHERE f.owner = owners.owner)`,
    `UPDATE owners SET stamp = (SELECT max(stamp) FROM (
        SELECT max(stamp) AS stamp FROM fact_codes UNION ALL SELECT max(stamp) FROM passage_codes UNION ALL SELECT max(stamp) FROM entity_vectors UNION ALL SELECT 0)),
      rid = (SELECT max(rid) FROM (SELECT max(seq) AS rid FROM sqlite_sequence WHERE name IN ('facts', 'passages') UNION ALL SELECT 0)) WHERE owner = ''`,
    // All vectors belong to the current model.
    `UPDATE owners SET epoch = (SELECT coalesce(json_extract(value, '$.epoch'), 0) FROM meta WHERE key = 'model')`,
    // Vectors that were compared need not be compared again.
    `UPDATE owners SET linked = stamp WHERE EXISTS (SELECT 1 FROM jobs WHERE kind = 'link' AND state = 'idle')`,
    `DELETE FROM jobs WHERE kind = 'link'`,
    reword,
    countPieces,
    recogniseCode,
    // Makes status and window consistent: an ended fact ends when it was last changed.
    `UPDATE facts SET valid_until = max(valid_from, updated_at) WHERE status NOT IN ('active', 'candidate', 'contested', 'stale') AND (valid_until IS NULL OR (valid_until > updated_at AND valid_until > valid_from))`,
    `UPDATE facts SET valid_until = valid_from WHERE valid_until < valid_from`,
    // Fields of other contracts.
    ...newFactColumns(3).map((column) => `ALTER TABLE facts ADD COLUMN ${column}`),
    `ALTER TABLE facts ADD COLUMN claim TEXT`,
    `CREATE INDEX facts_claim ON facts (owner, claim) WHERE claim IS NOT NULL`,
    fillClaims,
    // Keys, gardens, policies and peers; of a key only a digest. Nonces make signed requests of peers valid once.
    `CREATE TABLE arrangements (
      kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, name TEXT, data TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      version INTEGER NOT NULL, digest TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID`,
    `CREATE UNIQUE INDEX arrangements_name ON arrangements (kind, owner, name)`,
    `CREATE TABLE nonces (peer TEXT NOT NULL, nonce TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (peer, nonce)) WITHOUT ROWID`,
    `CREATE INDEX nonces_until ON nonces (until)`,
    // Statements: claims, hashes, and cards to rebuild.
    `ALTER TABLE facts ADD COLUMN last_accessed_at INTEGER`,
    `CREATE INDEX facts_same_claim ON facts (owner, subject, predicate, scope, garden, confidence, hlc) WHERE asserted_confidence IS NOT NULL`,
    `CREATE INDEX facts_said ON facts (owner, subject, recorded_at) WHERE subject IS NOT NULL`,
    `DROP INDEX facts_statement`,
    `CREATE INDEX facts_statement ON facts (owner, subject, predicate, recorded_at) WHERE subject IS NOT NULL`,
    `CREATE INDEX edges_from ON entity_edges (owner, subject, scope, derived, object, id)`,
    `CREATE INDEX edges_to ON entity_edges (owner, object, scope, derived, subject, id)`,
    `CREATE INDEX facts_hash ON facts (owner, hash) WHERE hash IS NOT NULL`,
    `CREATE INDEX facts_system ON facts (owner, predicate, recorded_at) WHERE form IN ('system', 'card')`,
    `CREATE INDEX facts_of_entity ON facts (owner, subject, scope, (confidence * coalesce(trust, 1)), rid) WHERE asserted_confidence IS NOT NULL`,
    `CREATE INDEX facts_of_source ON facts (owner, source, recorded_at) WHERE asserted_confidence IS NOT NULL`,
    `CREATE TABLE fact_derivations (owner TEXT NOT NULL, source_hash TEXT NOT NULL, fact_id TEXT NOT NULL, PRIMARY KEY (owner, source_hash, fact_id)) WITHOUT ROWID`,
    `CREATE INDEX fact_derivations_fact ON fact_derivations (owner, fact_id)`,
    `CREATE TABLE stale_cards (
      owner TEXT NOT NULL, entity TEXT NOT NULL, scope TEXT NOT NULL, garden TEXT NOT NULL, since INTEGER NOT NULL, mark INTEGER NOT NULL,
      PRIMARY KEY (owner, entity, scope, garden)) WITHOUT ROWID`,
    // Deletes the edge of a reference with its fact.
    `CREATE TRIGGER edges_of_references AFTER DELETE ON facts BEGIN DELETE FROM entity_edges WHERE id = OLD.id AND fact_id = OLD.id; END`,
    // The status of a source is its lifecycle; the indexing progress is in its metadata.
    `ALTER TABLE passages ADD COLUMN locator TEXT`,
    `ALTER TABLE passages RENAME COLUMN sketch TO rough`,
    `UPDATE sources SET metadata = json_set(metadata, '$.index', status, '$.form', fingerprint), status = 'active', fingerprint = ''`,
    // Row checksums; journal entries may lose their contents, so those have checksums of their own.
    ...['facts', 'entities', 'entity_edges'].map((table) => `ALTER TABLE ${table} ADD COLUMN seal INTEGER`),
    `ALTER TABLE journal ADD COLUMN head_seal INTEGER`,
    `ALTER TABLE journal ADD COLUMN content_seal INTEGER`,
    makeVectorsPlain,
    // A covering index for loading an owner's facts contiguously. The condition is always true, and only the loading statement contains it:
    // otherwise SQLite would prefer this index to a selective one.
    `CREATE INDEX facts_to_load ON facts (
      owner, rid, id, subject_name, author, recorded_at, valid_from, valid_until, expires_at, status, code, session, scope, garden, received_from, form, terms)
      WHERE code >= 0`,
    // Reads rows with the current code, so it must be the last step.
    checksumRows,
  ],
  [
    // What agents were given, and which facts that names. A delivery may name facts of another owner than its own.
    `CREATE TABLE deliveries (
      owner TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, client TEXT NOT NULL, conversation TEXT, kind TEXT NOT NULL, question TEXT,
      confidence REAL, facts TEXT NOT NULL, PRIMARY KEY (owner, id)) WITHOUT ROWID`,
    `CREATE INDEX deliveries_at ON deliveries (at, id)`,
    `CREATE TABLE delivered_facts (
      owner TEXT NOT NULL, fact_id TEXT NOT NULL, delivery TEXT NOT NULL, PRIMARY KEY (fact_id, delivery)) WITHOUT ROWID`,
    `CREATE INDEX delivered_facts_delivery ON delivered_facts (delivery)`,
    // What facets count, side by side in the file. The condition always holds, and only statements that count have it.
    `CREATE INDEX facts_facets ON facts (
      owner, status, kind, source, author, recorded_at, id, form, scope, garden, quarantine, received_from, valid_from, valid_until, expires_at)
      WHERE kind >= ''`,
    `CREATE INDEX edges_alike ON entity_edges (weight) WHERE relation = 'SIMILAR_TO'`,
  ],
]
