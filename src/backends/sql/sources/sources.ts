import { passageTerms } from '../../../core/code/chunks/passage-terms.js'
import type { Passage, Source } from '../../../core/facts/source.js'
import { type FileChange, REFERENCE_KINDS } from '../../../core/journal/change.js'
import { MemoryError } from '../../../errors.js'
import type { PassageRange } from '../../../ports/store.js'
import type { Journal } from '../owners/journal.js'
import type { SequenceAllocator } from '../owners/owners.js'
import type { Dialect } from '../plan/dialect.js'
import { all, ask, first, inSlices, jsonObject, number, type Plan, type Row, run, text, textOrNull } from '../plan/plan.js'
import { assignments, marks, SOURCE_COLUMNS, sourceValues, toSource } from '../plan/rows.js'

export const PASSAGE_COLUMNS =
  'id, owner, source_id, path, ordinal, text, kind, language, name, scope_path, start_line, end_line, hash, embed_text, locator'
/** Columns of the first schema version. */
export const FIRST_PASSAGE_COLUMNS = PASSAGE_COLUMNS.replace(', locator', '')

export const toPassage = (row: Row): Passage => ({
  id: text(row, 'id'),
  owner: text(row, 'owner'),
  sourceId: text(row, 'source_id'),
  path: text(row, 'path'),
  ordinal: number(row, 'ordinal'),
  text: text(row, 'text'),
  kind: text(row, 'kind'),
  language: textOrNull(row, 'language'),
  name: textOrNull(row, 'name'),
  scopePath: textOrNull(row, 'scope_path'),
  startLine: number(row, 'start_line'),
  endLine: number(row, 'end_line'),
  hash: text(row, 'hash'),
  embedText: text(row, 'embed_text'),
  ...(textOrNull(row, 'locator') === null ? {} : { locator: jsonObject(row, 'locator') }),
})

/** Stores a source and its changed files, with one journal entry. */
export function* putSource(
  source: Source,
  files: readonly FileChange[],
  reason: string | null,
  dialect: Dialect,
  journal: Journal,
): Plan<void> {
  const row = yield* first(`SELECT ${SOURCE_COLUMNS} FROM sources WHERE id = ? AND owner = ?`, source.id, source.owner)
  const before = row === undefined ? null : toSource(row)
  if (source.version !== (before?.version ?? 0) + 1) throw changedMeanwhile(source.id)
  if (before === null) yield* run(`INSERT INTO sources (${SOURCE_COLUMNS}) VALUES (${marks(SOURCE_COLUMNS)})`, ...sourceValues(source))
  else
    yield* run(
      `UPDATE sources SET ${assignments(SOURCE_COLUMNS)} WHERE id = ? AND owner = ?`,
      ...sourceValues(source),
      source.id,
      source.owner,
    )
  for (const file of files) yield* replaceFile(source, file, dialect, journal.ledger)
  yield* journal.write('source.put', 'source', source.id, source.owner, before, { ...source, files: files.length }, reason)
}

function* replaceFile(source: Source, file: FileChange, dialect: Dialect, ledger: SequenceAllocator): Plan<void> {
  // A deleted file keeps a row, so that copies learn of the deletion.
  yield* run(`DELETE FROM source_files WHERE source_id = ? AND path = ? AND owner = ?`, source.id, file.path, source.owner)
  yield* run(
    `INSERT INTO source_files (owner, source_id, path, size, modified_at, hash, skipped, gone, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    source.owner,
    source.id,
    file.path,
    file.size,
    file.modifiedAt,
    file.hash,
    file.skipped ?? null,
    file.gone ? 1 : 0,
    source.version,
  )
  if (file.kept === true) return
  const old = yield* run(
    `SELECT rid, id, embedded, hash, kind, name, scope_path, embed_text FROM passages WHERE source_id = ? AND path = ? AND +owner = ?`,
    source.id,
    file.path,
    source.owner,
  )
  const reusable = new Map(old.map((row) => [sayingOf(row.hash, row.kind, row.name, row.scope_path, row.embed_text), row]))
  const places = (file.gone ? [] : file.passages).map((passage) => {
    const saying = sayingOf(passage.hash, passage.kind, passage.name, passage.scopePath, passage.embedText)
    const same = reusable.get(saying)
    reusable.delete(saying)
    return { passage, rid: same === undefined ? undefined : number(same, 'rid') }
  })
  const kept = new Set(places.map((place) => place.rid))
  yield* deleteRows(
    old.filter((row) => !kept.has(number(row, 'rid'))),
    source.owner,
    dialect,
  )
  const rids = new Map<number, number>()
  const fresh = yield* passageRows(dialect, ledger, source.owner, places.filter(({ rid }) => rid === undefined).length)
  for (const { passage, rid } of places) {
    const stored = rid ?? fresh.shift() ?? 0
    rids.set(passage.ordinal, stored)
    yield* rid === undefined ? insertPassage(stored, passage) : movePassage(rid, passage)
  }
  for (const { ordinal, kind, name, module } of file.references) {
    const rid = rids.get(ordinal)
    if (rid === undefined) continue
    yield* run(
      `INSERT INTO passage_refs (owner, rid, kind, name, module) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      source.owner,
      rid,
      kind,
      name,
      module ?? '',
    )
  }
}

/** Numbers of new passages; unlike those of facts, they are unique across owners. */
function* passageRows({ passageRids }: Dialect, ledger: SequenceAllocator, owner: string, count: number): Plan<number[]> {
  if (count === 0) return []
  if (passageRids === undefined) return Array.from({ length: count }, () => ledger.nextRow(owner))
  return (yield* ask(passageRids(count))).map((row) => number(row, 'rid'))
}

/** Passages of a file with equal keys differ at most in position. */
const sayingOf = (...parts: readonly unknown[]): string => parts.join('\0')

const insertPassage = (rid: number, passage: Passage): Plan<unknown> =>
  run(
    `INSERT INTO passages (rid, ${PASSAGE_COLUMNS}, terms, rough) VALUES (?, ${marks(PASSAGE_COLUMNS)}, ?, ?)`,
    rid,
    passage.id,
    passage.owner,
    passage.sourceId,
    passage.path,
    passage.ordinal,
    passage.text,
    passage.kind,
    passage.language,
    passage.name,
    passage.scopePath,
    passage.startLine,
    passage.endLine,
    passage.hash,
    passage.embedText,
    passage.locator === undefined ? null : JSON.stringify(passage.locator),
    passage.terms ?? passageTerms(passage),
    passage.rough ?? null,
  )

function* movePassage(rid: number, passage: Passage): Plan<void> {
  yield* run(
    `UPDATE passages SET ordinal = ?, start_line = ?, end_line = ?, locator = ? WHERE rid = ? AND owner = ?`,
    passage.ordinal,
    passage.startLine,
    passage.endLine,
    passage.locator === undefined ? null : JSON.stringify(passage.locator),
    rid,
    passage.owner,
  )
  yield* run(`DELETE FROM passage_refs WHERE rid = ? AND owner = ?`, rid, passage.owner)
}

function* deleteRows(rows: readonly Row[], owner: string, dialect: Dialect): Plan<void> {
  for (const row of rows) {
    const rid = number(row, 'rid')
    if (number(row, 'embedded') === 1) {
      yield* run(`DELETE FROM passage_codes WHERE rid = ? AND owner = ?`, rid, owner)
      yield* all(dialect.vectorDelete('passages', owner, text(row, 'id')))
    }
    yield* run(`DELETE FROM passage_refs WHERE rid = ? AND owner = ?`, rid, owner)
    yield* run(`DELETE FROM passages WHERE rid = ? AND owner = ?`, rid, owner)
  }
}

/** Files with their passages. */
export function* filesOf(sourceId: string, after: string, limit: number): Plan<readonly FileChange[]> {
  const files = yield* run(
    `SELECT path, size, modified_at, hash, skipped FROM source_files WHERE source_id = ? AND gone = 0 AND path > ? ORDER BY path LIMIT ?`,
    sourceId,
    after,
    limit,
  )
  const paths = files.map((row) => text(row, 'path'))
  const rows = yield* inSlices(
    paths,
    (list) => `SELECT rid, ${PASSAGE_COLUMNS} FROM passages WHERE source_id = ? AND path IN (${list})`,
    sourceId,
  )
  const refs = yield* inSlices(
    rows.map((row) => number(row, 'rid')),
    (list) => `SELECT rid, kind, name, module FROM passage_refs WHERE +owner = ? AND rid IN (${list})`,
    rows[0] === undefined ? '' : toPassage(rows[0]).owner,
  )
  const passages = rows.map((row) => ({ rid: number(row, 'rid'), passage: toPassage(row) }))
  return files.map((row) => {
    const path = text(row, 'path')
    const own = passages.filter(({ passage }) => passage.path === path).sort((a, b) => a.passage.ordinal - b.passage.ordinal)
    const ordinals = new Map(own.map(({ rid, passage }) => [rid, passage.ordinal]))
    const skipped = textOrNull(row, 'skipped')
    return {
      path,
      size: number(row, 'size'),
      modifiedAt: number(row, 'modified_at'),
      hash: text(row, 'hash'),
      gone: false,
      ...(skipped === null ? {} : { skipped }),
      passages: own.map(({ passage }) => passage),
      references: refs.flatMap((ref) => {
        const ordinal = ordinals.get(number(ref, 'rid'))
        const kind = REFERENCE_KINDS.find((value) => value === ref.kind)
        if (ordinal === undefined || kind === undefined) return []
        return [{ ordinal, kind, name: text(ref, 'name'), module: text(ref, 'module') === '' ? null : text(ref, 'module') }]
      }),
    }
  })
}

export function* passagesIn(sourceId: string, { path, from, limit }: PassageRange): Plan<readonly Passage[]> {
  const rows = yield* run(
    `SELECT ${PASSAGE_COLUMNS} FROM passages WHERE source_id = ? AND path = ? AND ordinal >= ? ORDER BY ordinal LIMIT ?`,
    sourceId,
    path,
    from,
    limit,
  )
  return rows.map(toPassage)
}

export function* deleteSource(id: string, owner: string, reason: string | null, dialect: Dialect, journal: Journal): Plan<void> {
  const row = yield* first(`DELETE FROM sources WHERE id = ? AND owner = ? RETURNING id`, id, owner)
  if (row === undefined) throw changedMeanwhile(id)
  yield* deleteRows(yield* run(`SELECT rid, id, embedded FROM passages WHERE source_id = ? AND +owner = ?`, id, owner), owner, dialect)
  yield* run(`DELETE FROM source_files WHERE source_id = ? AND owner = ?`, id, owner)
  yield* journal.forget(id, owner)
  yield* journal.write('source.delete', 'source', id, owner, null, null, reason)
}

const changedMeanwhile = (id: string): MemoryError =>
  new MemoryError('conflict', `Source ${id} was modified by another writer; nothing was stored.`, {
    hint: 'Read it again and retry.',
  })
