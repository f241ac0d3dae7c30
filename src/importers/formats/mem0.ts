import type {
  Detection,
  EarlierText,
  FactRecord,
  ForeignDatabase,
  Importer,
  ImportRecord,
  ImportTree,
  RecordOrigin,
} from '../../ports/importer.js'
import { databaseRecords, detectDatabase } from '../database-records.js'
import { jsonItems } from '../json-items.js'
import { outlineJson } from '../json-outline.js'
import { wholeText } from '../text-lines.js'
import { listOf, objectOf, type Row, rowsOf, Times, textOf, textsOf, toJsonObject, withoutKeys } from '../values.js'

const MAX_EXPORT_BYTES = 64 * 1024 * 1024
const STORE = 'vector_store.db'
const DAY_US = 86_400_000_000

/** mem0: the answer of get_all, the TypeScript store, histories and the export of its plugin. */
export const mem0: Importer = {
  name: 'mem0',
  title: 'mem0',
  describe: 'Memories with user, agent, run and dates. Where the history is read, earlier wordings become versions.',
  async detect(tree) {
    const [entry] = tree.entries
    if (entry === undefined || tree.kind === 'zip') return undefined
    if (tree.kind === 'folder') return detectDatabase(tree, isStore, [STORE])
    const { text } = await tree.head(entry.path)
    const outline = outlineJson(text)
    const memory = outline?.root === 'array' ? outline.keys : outline?.below.get('results')
    if (memory?.has('memory') === true && (memory.has('id') || memory.has('hash') || memory.has('user_id')))
      return { what: 'memories as JSON' }
    if (
      /^---\nid: /.test(text) &&
      /\n(?:type|confidence|categories|branch): ?/.test(text) &&
      /\n---\n/.test(text.slice(4)) &&
      !text.includes('permalink:')
    )
      return /^mem0-export-/.test(tree.name) || (text.match(/^id: /gm)?.length ?? 0) > 1 ? { what: 'export of the plugin' } : undefined
    return detectDatabase(tree, async (db) => {
      const { tables } = db
      if (tables.get('memory_history')?.includes('previous_value') === true) return { what: 'history of the TypeScript library' }
      return tables.get('history')?.includes('old_memory') === true ? { what: 'history of the Python library' } : isStore(db)
    })
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    const [entry] = tree.entries
    if (entry === undefined) return
    const { text } = await tree.head(entry.path)
    if (tree.kind === 'folder') yield* readDatabase(tree, times)
    else if (outlineJson(text) !== undefined) yield* readJson(tree, entry.path, times)
    else if (text.startsWith('---\n')) yield* readExport(tree, entry.path, times)
    else yield* readDatabase(tree, times)
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

const isStore = async ({ tables }: ForeignDatabase): Promise<Detection | undefined> =>
  tables.get('vectors')?.includes('payload') === true ? { what: 'store of the TypeScript library' } : undefined

async function* readJson(tree: ImportTree, path: string, times: Times): AsyncGenerator<ImportRecord> {
  for await (const { key, index, value, problem } of jsonItems(tree.bytes(path))) {
    const from = { file: path, line: index + 1 }
    if (problem !== undefined) yield { kind: 'skipped', reason: `a memory cannot be read: ${problem}`, from, bad: true }
    else if (index >= 0 && (key === '' || key === 'results')) {
      const [row] = rowsOf([value])
      const text = textOf(row?.memory)
      if (row === undefined || text === undefined) yield { kind: 'skipped', reason: 'a memory has no text', from, bad: true }
      else yield memory(row, text, from, times)
    }
  }
}

const IMPORTED_FIELDS = [
  'id',
  'memory',
  'data',
  'hash',
  'score',
  'rerankScore',
  'text_lemmatized',
  'metadata',
  'categories',
  'structured_attributes',
  'createdAt',
  'created_at',
  'updatedAt',
  'updated_at',
  'userId',
  'user_id',
  'agentId',
  'agent_id',
  'runId',
  'run_id',
  'appId',
  'app_id',
  'actor_id',
  'expiration_date',
  'expirationDate',
]

function memory(row: Row, text: string, from: RecordOrigin, times: Times, earlier: readonly EarlierText[] = []): FactRecord {
  const field = (snake: string, camel: string): unknown => row[snake] ?? row[camel]
  const ends = times.read(field('expiration_date', 'expirationDate'), { mayLieAhead: true })
  return {
    ...{ kind: 'fact', key: textOf(row.id) ?? `text\0${text}`, text, from, earlier },
    owner: textOf(field('user_id', 'userId')) ?? textOf(field('agent_id', 'agentId')),
    project: textOf(field('app_id', 'appId')),
    session: textOf(field('run_id', 'runId')),
    author: textOf(row.actor_id) ?? textOf(row.role) ?? textOf(row.attributed_to),
    createdAt: times.read(field('created_at', 'createdAt')),
    expiresAt: ends === undefined ? undefined : ends + DAY_US - 1,
    tags: textsOf(row.categories),
    metadata: toJsonObject({
      ...withoutKeys(row, ...IMPORTED_FIELDS),
      ...objectOf(row.metadata),
      ...{ agent_id: field('agent_id', 'agentId'), updated_at: field('updated_at', 'updatedAt') },
    }),
  }
}

async function* readDatabase(tree: ImportTree, times: Times): AsyncGenerator<ImportRecord> {
  const isFolder = tree.kind === 'folder'
  const earlier = new Map<string, readonly EarlierText[]>()
  if (isFolder)
    for await (const record of databaseRecords(tree, ['history.db'], (db, file) => historyRecords(db, file, times)))
      if (record.kind === 'fact' && record.earlier !== undefined && record.earlier.length > 0) earlier.set(record.key, record.earlier)
  yield* databaseRecords(tree, isFolder ? [STORE] : [], async function* (db, file) {
    yield* historyRecords(db, file, times)
    if (!db.tables.has('vectors')) return
    for await (const row of db.rows('SELECT id, payload FROM vectors ORDER BY rowid')) {
      const payload = objectOf(row.payload)
      const text = textOf(payload.data)
      const from = { file }
      if (text === undefined) yield { kind: 'skipped', reason: 'a memory has no text', from, bad: true }
      else if ('linked_memory_ids' in payload || 'linkedMemoryIds' in payload)
        yield {
          kind: 'entity',
          name: text,
          type: textOf(payload.entity_type ?? payload.entityType),
          from,
          owner: textOf(payload.user_id ?? payload.userId),
        }
      else yield memory({ ...payload, id: row.id }, text, from, times, earlier.get(textOf(row.id) ?? ''))
    }
  })
}

async function* historyRecords({ tables, rows }: ForeignDatabase, file: string, times: Times): AsyncGenerator<ImportRecord> {
  if (tables.has('memory_history'))
    yield* readHistory(
      rows(
        'SELECT memory_id, previous_value AS old_memory, new_value AS new_memory, action AS event, created_at, updated_at, is_deleted FROM memory_history ORDER BY memory_id, id',
      ),
      file,
      times,
    )
  if (tables.has('history')) yield* readHistory(rows('SELECT * FROM history ORDER BY memory_id, created_at, rowid'), file, times)
}

/** The last wording of each memory, with those before it. Deleted ones are left out. */
async function* readHistory(rows: AsyncIterable<Row>, file: string, times: Times): AsyncGenerator<ImportRecord> {
  let changes: Row[] = []
  const settle = function* (): Generator<ImportRecord> {
    const last = changes.at(-1)
    if (last === undefined) return
    const text = textOf(last.new_memory)
    const from = { file }
    if (textOf(last.event)?.toUpperCase() === 'DELETE' || Number(last.is_deleted) === 1 || text === undefined)
      yield { kind: 'skipped', reason: 'a memory was deleted', from, bad: false }
    else {
      const earlier = changes.slice(0, -1).flatMap((change): readonly EarlierText[] => {
        const said = textOf(change.new_memory)
        return said === undefined ? [] : [{ text: said, at: times.read(change.updated_at ?? change.created_at) }]
      })
      const [first] = changes
      yield memory(
        { id: last.memory_id, created_at: first?.created_at, updated_at: last.updated_at, actor_id: last.actor_id, role: last.role },
        text,
        from,
        times,
        earlier,
      )
    }
    changes = []
  }
  for await (const row of rows) {
    if (changes.length > 0 && changes[0]?.memory_id !== row.memory_id) yield* settle()
    changes.push(row)
  }
  yield* settle()
}

/** Blocks between lines of three dashes: fields, then text. */
async function* readExport(tree: ImportTree, path: string, times: Times): AsyncGenerator<ImportRecord> {
  const text = await wholeText(tree.bytes(path), MAX_EXPORT_BYTES)
  if (text === undefined) {
    yield { kind: 'skipped', reason: 'the export is too large', from: { file: path }, bad: true }
    return
  }
  const parts: { readonly line: number; readonly lines: string[] }[] = []
  text.split('\n').forEach((line, index) => {
    if (line === '---') parts.push({ line: index + 2, lines: [] })
    else parts.at(-1)?.lines.push(line)
  })
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const fields = Object.fromEntries(
      (parts[i]?.lines ?? []).flatMap((line) => {
        const colon = line.indexOf(':')
        return colon === -1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const]
      }),
    )
    const from = { file: path, line: parts[i]?.line ?? 1 }
    const said = textOf(parts[i + 1]?.lines.join('\n'))
    if (said === undefined) yield { kind: 'skipped', reason: 'a memory has no text', from, bad: true }
    else
      yield {
        ...memory({ id: fields.id, created_at: fields.created_at }, said, from, times),
        tags: listOf(fields.categories),
        confidence:
          fields.confidence === undefined || fields.confidence === ''
            ? undefined
            : Math.min(1, Math.max(0, Number(fields.confidence))) || undefined,
        metadata: toJsonObject({ type: fields.type, branch: fields.branch, files: listOf(fields.files) }),
      }
  }
}
