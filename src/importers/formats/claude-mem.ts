import type { ForeignDatabase, Importer, ImportRecord, ImportTree, ReadOptions, RecordOrigin } from '../../ports/importer.js'
import { databaseRecords, detectDatabase } from '../database-records.js'
import { jsonItems } from '../json-items.js'
import { hasKeys, outlineJson } from '../json-outline.js'
import { listOf, type Row, rowsOf, Times, textOf, toJsonObject } from '../values.js'

/** Of observations, in the present schema and before version 17. */
const SESSION_COLUMNS = ['memory_session_id', 'sdk_session_id'] as const
const SENSITIVE_TYPES = new Set(['sensitive', 'security_alert', 'security_note'])

/** The database of claude-mem, or the JSON that its export script writes. */
export const claudeMem: Importer = {
  name: 'claude-mem',
  title: 'claude-mem',
  describe:
    'Facts, narratives and summaries with session, project and files. Prompts and tool calls are left out; sensitive ones become candidates.',
  async detect(tree) {
    const [entry] = tree.entries
    if (tree.kind === 'file' && entry !== undefined) {
      const outline = outlineJson((await tree.head(entry.path)).text)
      if (hasKeys(outline, 'exportedAtEpoch', 'observations')) return { what: 'export' }
    }
    return detectDatabase(tree, async ({ tables, rows }) => {
      const columns = tables.get('observations') ?? []
      if (!tables.has('sdk_sessions') || !SESSION_COLUMNS.some((name) => columns.includes(name))) return undefined
      let version: string | undefined
      if (tables.has('schema_versions'))
        for await (const row of rows('SELECT max(version) AS version FROM schema_versions')) version = textOf(row.version)
      return { what: 'database', version: version === undefined ? undefined : `schema ${version}` }
    })
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    const [entry] = tree.entries
    if (tree.kind === 'file' && entry !== undefined && outlineJson((await tree.head(entry.path)).text) !== undefined)
      yield* readExport(tree, entry.path, times, options)
    else yield* readDatabase(tree, times, options)
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

async function* readDatabase(tree: ImportTree, times: Times, options: ReadOptions): AsyncGenerator<ImportRecord> {
  yield* databaseRecords(tree, [], async function* (db, file) {
    const projects = await projectsOf(db)
    const place = (row: Row): string | undefined =>
      textOf(row.merged_into_project) ?? textOf(row.project) ?? projects.get(sessionOf(row) ?? '')
    for await (const row of db.rows('SELECT * FROM observations ORDER BY id'))
      yield* observation(row, { file, line: Number(row.id) }, place(row), times, options)
    if (db.tables.has('session_summaries'))
      for await (const row of db.rows('SELECT * FROM session_summaries ORDER BY id'))
        yield* summary(row, { file, line: Number(row.id) }, place(row), times)
    if (db.tables.has('memory_items') && db.tables.get('memory_items')?.includes('legacy_observation_id') === true)
      for await (const row of db.rows("SELECT * FROM memory_items WHERE legacy_observation_id IS NULL AND kind <> 'prompt' ORDER BY id"))
        yield* observation({ ...row, key: `item-${textOf(row.id)}` }, { file }, undefined, times, options)
  })
}

async function projectsOf(db: ForeignDatabase): Promise<ReadonlyMap<string, string>> {
  const projects = new Map<string, string>()
  for await (const row of db.rows('SELECT * FROM sdk_sessions ORDER BY id')) {
    const [session, project] = [sessionOf(row), textOf(row.project)]
    if (session !== undefined && project !== undefined) projects.set(session, project)
  }
  return projects
}

/** Renamed in version 17 of the schema. */
const sessionOf = (row: Row): string | undefined => textOf(row.memory_session_id) ?? textOf(row.sdk_session_id)

async function* readExport(tree: ImportTree, path: string, times: Times, options: ReadOptions): AsyncGenerator<ImportRecord> {
  for await (const { key, index, value, problem } of jsonItems(tree.bytes(path))) {
    const from = { file: path, line: index + 1 }
    if (problem !== undefined) yield { kind: 'skipped', reason: `${key} cannot be read: ${problem}`, from, bad: true }
    else if (index >= 0)
      for (const row of rowsOf([value])) {
        if (key === 'observations') yield* observation(row, from, textOf(row.project), times, options)
        else if (key === 'summaries') yield* summary(row, from, textOf(row.project), times)
      }
  }
}

function* observation(
  row: Row,
  from: RecordOrigin,
  project: string | undefined,
  times: Times,
  options: ReadOptions,
): Generator<ImportRecord> {
  const type = textOf(row.type) ?? 'observation'
  const sensitive = SENSITIVE_TYPES.has(type)
  const title = textOf(row.title)
  const createdAt = times.read(row.created_at_epoch) ?? times.read(row.created_at)
  const key = textOf(row.key) ?? `${sessionOf(row) ?? ''}\0${title ?? ''}\0${textOf(row.created_at_epoch) ?? textOf(row.created_at) ?? ''}`
  const about = {
    ...{ from, title, project, createdAt, session: sessionOf(row), tags: [type, ...listOf(row.concepts).map(withoutDescription)] },
    status: sensitive && options.sensitive !== true ? ('candidate' as const) : undefined,
    metadata: toJsonObject({
      ...{ type, subtitle: row.subtitle, files_read: listOf(row.files_read), files_modified: listOf(row.files_modified) },
      ...{ model: row.generated_by_model, prompt_number: row.prompt_number },
    }),
  }
  let count = 0
  for (const text of new Set(listOf(row.facts))) {
    count++
    yield { kind: 'fact', key: `${key}\0fact\0${text}`, text, memoryType: 'semantic', ...about }
  }
  const narrative = textOf(row.narrative) ?? textOf(row.text)
  if (narrative !== undefined) yield { kind: 'fact', key: `${key}\0narrative`, text: narrative, memoryType: 'episodic', ...about }
  else if (count === 0) {
    const short = [title, textOf(row.subtitle)].filter((part) => part !== undefined).join(': ')
    if (short === '') yield { kind: 'skipped', reason: 'an observation has no text', from, bad: false }
    else yield { kind: 'fact', key: `${key}\0title`, text: short, memoryType: 'episodic', ...about }
  }
}

/** Old rows write `keyword: description`. */
const withoutDescription = (concept: string): string => concept.split(':')[0]?.trim() ?? concept

function* summary(row: Row, from: RecordOrigin, project: string | undefined, times: Times): Generator<ImportRecord> {
  const createdAt = times.read(row.created_at_epoch) ?? times.read(row.created_at)
  const key = `summary\0${sessionOf(row) ?? ''}\0${textOf(row.prompt_number) ?? ''}\0${textOf(row.created_at_epoch) ?? ''}`
  const title = textOf(row.request)
  for (const [field, label] of [
    ['learned', 'Learned'],
    ['completed', 'Completed'],
    ['next_steps', 'Next steps'],
    ['notes', 'Notes'],
  ] as const) {
    const text = textOf(row[field])
    if (text !== undefined)
      yield {
        ...{ kind: 'fact', key: `${key}\0${field}`, text: `${label}: ${text}`, title, project, from, createdAt },
        ...{ memoryType: 'episodic', session: sessionOf(row), tags: ['summary', field] },
      }
  }
}
