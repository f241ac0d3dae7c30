import type { FileChange } from '../../core/change.js'
import type { Passage, Source } from '../../core/source.js'
import { packTerms } from '../../core/term-bag.js'
import { MemoryError } from '../../errors.js'
import type { Dialect } from './dialect.js'
import type { Journal } from './journal.js'
import { all, first, number, type Plan, type Row, run, text, textOrNull } from './plan.js'
import { assignments, marks, SOURCE_COLUMNS, sourceValues, toSource } from './rows.js'

export const PASSAGE_COLUMNS =
  'id, owner, source_id, path, ordinal, text, kind, language, name, scope_path, start_line, end_line, hash, embed_text'

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
})

/** Name, scope and path describe a passage as a title does; its own text is the rest. */
const passageTerms = (passage: Passage): Uint8Array =>
  packTerms({ title: [passage.name, passage.scopePath].filter((part) => part !== null).join(' '), head: passage.path.replace(/[/.]/g, ' '), text: passage.text })

/** A source and the files of it that changed; the journal has one entry for all of them. */
export function* putSource(source: Source, files: readonly FileChange[], reason: string | null, dialect: Dialect, journal: Journal): Plan<void> {
  const row = yield* first(`SELECT ${SOURCE_COLUMNS} FROM sources WHERE id = ?`, source.id)
  const before = row === undefined ? null : toSource(row)
  if (source.version !== (before?.version ?? 0) + 1 || (before !== null && before.owner !== source.owner)) throw changedMeanwhile(source.id)
  if (before === null) yield* run(`INSERT INTO sources (${SOURCE_COLUMNS}) VALUES (${marks(SOURCE_COLUMNS)})`, ...sourceValues(source))
  else yield* run(`UPDATE sources SET ${assignments(SOURCE_COLUMNS)} WHERE id = ?`, ...sourceValues(source), source.id)
  for (const file of files) yield* replaceFile(source.id, file, dialect)
  yield* journal.write('source.put', 'source', source.id, source.owner, before, { ...source, files: files.length }, reason)
}

function* replaceFile(sourceId: string, file: FileChange, dialect: Dialect): Plan<void> {
  yield* deletePassages(`source_id = ? AND path = ?`, [sourceId, file.path], dialect)
  yield* run(`DELETE FROM passage_refs WHERE source_id = ? AND path = ?`, sourceId, file.path)
  if (file.gone) {
    yield* run(`DELETE FROM source_files WHERE source_id = ? AND path = ?`, sourceId, file.path)
    return
  }
  yield* run(
    `INSERT INTO source_files (source_id, path, size, modified_at, hash) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (source_id, path) DO UPDATE SET size = excluded.size, modified_at = excluded.modified_at, hash = excluded.hash`,
    sourceId, file.path, file.size, file.modifiedAt, file.hash,
  )
  const rids = new Map<number, number>()
  for (const passage of file.passages) {
    const made = yield* first(
      `INSERT INTO passages (${PASSAGE_COLUMNS}, terms) VALUES (${marks(PASSAGE_COLUMNS)}, ?) RETURNING rid`,
      passage.id, passage.owner, passage.sourceId, passage.path, passage.ordinal, passage.text, passage.kind, passage.language, passage.name,
      passage.scopePath, passage.startLine, passage.endLine, passage.hash, passage.embedText, passageTerms(passage),
    )
    if (made !== undefined) rids.set(passage.ordinal, number(made, 'rid'))
  }
  for (const reference of file.references) {
    const rid = rids.get(reference.ordinal)
    if (rid === undefined) continue
    yield* run(
      `INSERT INTO passage_refs (source_id, path, rid, kind, name, module) VALUES (?, ?, ?, ?, ?, ?)`,
      sourceId, file.path, rid, reference.kind, reference.name, reference.module,
    )
  }
}

function* deletePassages(where: string, values: readonly string[], dialect: Dialect): Plan<number> {
  const rows = yield* run(`SELECT rid, id, embedded FROM passages WHERE ${where}`, ...values)
  for (const row of rows) {
    if (number(row, 'embedded') !== 1) continue
    yield* run(`DELETE FROM passage_codes WHERE rid = ?`, number(row, 'rid'))
    yield* all(dialect.vectorDelete('passages', text(row, 'id')))
  }
  yield* run(`DELETE FROM passages WHERE ${where}`, ...values)
  return rows.length
}

export function* deleteSource(id: string, owner: string, reason: string | null, dialect: Dialect, journal: Journal): Plan<void> {
  const row = yield* first(`DELETE FROM sources WHERE id = ? AND owner = ? RETURNING id`, id, owner)
  if (row === undefined) throw changedMeanwhile(id)
  yield* deletePassages(`source_id = ?`, [id], dialect)
  yield* run(`DELETE FROM passage_refs WHERE source_id = ?`, id)
  yield* run(`DELETE FROM source_files WHERE source_id = ?`, id)
  yield* journal.forget(id)
  yield* journal.write('source.delete', 'source', id, owner, null, null, reason)
}

const changedMeanwhile = (id: string): MemoryError =>
  new MemoryError('conflict', `Source ${id} was changed by someone else at the same moment.`, { hint: 'Read it again and repeat the change.' })
