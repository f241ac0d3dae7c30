import type { ForeignDatabase, Importer, ImportRecord, ImportTree, RecordOrigin } from '../../ports/importer.js'
import { databaseRecords, detectDatabase } from '../database-records.js'
import { wholeText } from '../text-lines.js'
import { objectOf, type Row, Times, textOf, toJsonObject, withoutKeys } from '../values.js'
import { fraction } from './server-memory.js'

const NAMES = ['chroma.sqlite3', 'palace/chroma.sqlite3', 'knowledge_graph.sqlite3', 'knowledge_graph.db']
const MAX_PAGE_BYTES = 32 * 1024 * 1024

/** MemPalace: its Chroma database, its graph and its Markdown export. */
export const mempalace: Importer = {
  name: 'mempalace',
  title: 'MemPalace',
  describe:
    'Drawers as facts with wing, room and source, and the triples of the graph with their validity. Registry entries and vectors are left out.',
  async detect(tree) {
    if (tree.entries.some(({ path }) => path.endsWith('.md')))
      for (const path of drawerPages(tree).slice(0, 5)) if (isDrawerPage((await tree.head(path)).text)) return { what: 'Markdown export' }
    return detectDatabase(
      tree,
      async (db) => {
        if (db.tables.get('triples')?.includes('valid_from') === true && db.tables.has('entities')) return { what: 'graph' }
        return (await collectionOf(db)) === undefined ? undefined : { what: 'palace' }
      },
      NAMES,
    )
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    if (tree.entries.some(({ path }) => path.endsWith('.md'))) for (const path of drawerPages(tree)) yield* readPage(tree, path, times)
    yield* databaseRecords(tree, NAMES, async function* (db, path) {
      if (db.tables.has('triples')) yield* readGraph(db, path, times)
      const collection = await collectionOf(db)
      if (collection !== undefined) yield* readDrawers(db, path, collection, times)
    })
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

const isDrawerPage = (text: string): boolean => /^# \S[^\n]{0,200} \/ \S/.test(text) && text.includes('\n## ') && text.includes('\n> ')

const drawerPages = (tree: ImportTree): readonly string[] =>
  tree.entries.flatMap(({ path }) => (path.endsWith('.md') && (tree.kind === 'file' || /^[^/]+\/[^/]+\.md$/.test(path)) ? [path] : []))

/** The segment that holds the drawers. */
async function collectionOf({ tables, rows }: ForeignDatabase): Promise<string | undefined> {
  if (!tables.has('embedding_metadata') || !tables.has('collections') || !tables.has('segments')) return undefined
  for await (const row of rows(
    "SELECT s.id FROM segments s JOIN collections c ON c.id = s.collection WHERE s.scope = 'METADATA' AND c.name = 'mempalace_drawers' ORDER BY s.id",
  ))
    return textOf(row.id)
  return undefined
}

interface Drawer {
  readonly key: string
  readonly texts: string[]
  readonly about: Row
}

/** Long drawers are stored in pieces, which follow each other here. */
async function* readDrawers(db: ForeignDatabase, file: string, segment: string, times: Times): AsyncGenerator<ImportRecord> {
  let open: Drawer | undefined
  for await (const { embedding_id: id, members } of db.rows(
    `SELECT e.embedding_id, json_group_object(m.key, coalesce(m.string_value, m.int_value, m.float_value, m.bool_value)) AS members,
       coalesce(max(CASE WHEN m.key = 'parent_drawer_id' THEN m.string_value END), e.embedding_id) AS drawer,
       max(CASE WHEN m.key = 'chunk_index' THEN m.int_value END) AS piece
     FROM embeddings e JOIN embedding_metadata m ON m.id = e.id WHERE e.segment_id = ? GROUP BY e.id ORDER BY drawer, piece, e.id`,
    segment,
  )) {
    const about = objectOf(members)
    const text = textOf(about['chroma:document'])
    const key = textOf(about.parent_drawer_id) ?? textOf(id) ?? ''
    if (about.room === '_registry' || about.ingest_mode === 'registry')
      yield { kind: 'skipped', reason: 'a registry entry has no content', from: { file }, bad: false }
    else if (text === undefined) yield { kind: 'skipped', reason: 'a drawer has no text', from: { file }, bad: true }
    else if (open?.key === key) open.texts.push(text)
    else {
      if (open !== undefined) yield drawer(open, { file }, times)
      open = { key, texts: [text], about }
    }
  }
  if (open !== undefined) yield drawer(open, { file }, times)
}

const DRAWER_KEYS = [
  'chroma:document',
  'parent_drawer_id',
  'chunk_index',
  'normalize_version',
  'source_mtime',
  'filed_at',
  'wing',
  'room',
  'added_by',
]

function drawer({ key, texts, about }: Drawer, from: RecordOrigin, times: Times): ImportRecord {
  const [wing, room] = [textOf(about.wing), textOf(about.room)]
  return {
    ...{
      kind: 'fact',
      key,
      text: texts.join('\n'),
      from,
      memoryType: 'episodic',
      project: wing,
      title: room,
      author: textOf(about.added_by),
    },
    ...{
      session: textOf(about.source_file),
      createdAt: times.read(about.filed_at),
      tags: [about.hall, about.topic].flatMap((tag) => textOf(tag) ?? []),
    },
    metadata: toJsonObject({ ...withoutKeys(about, ...DRAWER_KEYS), wing, room }),
  }
}

async function* readGraph({ rows }: ForeignDatabase, file: string, times: Times): AsyncGenerator<ImportRecord> {
  const from = { file }
  const names = new Map<string, string>()
  for await (const row of rows('SELECT * FROM entities ORDER BY id')) {
    const [id, name] = [textOf(row.id), textOf(row.name) ?? textOf(row.id)]
    if (id === undefined || name === undefined) continue
    names.set(id, name)
    yield {
      kind: 'entity',
      name,
      type: textOf(row.type),
      from,
      createdAt: times.read(row.created_at),
      metadata: toJsonObject(objectOf(row.properties)),
    }
  }
  for await (const row of rows('SELECT * FROM triples ORDER BY id')) {
    const [subject, predicate, object] = [nameOf(row.subject), textOf(row.predicate), nameOf(row.object)]
    if (subject === undefined || predicate === undefined || object === undefined) {
      yield { kind: 'skipped', reason: 'a triple needs subject, predicate and object', from, bad: true }
      continue
    }
    const key = `triple\0${textOf(row.id) ?? `${subject}\0${predicate}\0${object}\0${textOf(row.valid_from) ?? ''}`}`
    const validUntil = times.read(endOfDay(row.valid_to), { mayLieAhead: true })
    yield {
      ...{ kind: 'fact', key, text: `${subject} ${predicate.replaceAll('_', ' ')} ${object}`, subject, predicate, value: object, from },
      ...{
        createdAt: times.read(row.extracted_at),
        validFrom: times.read(startOfDay(row.valid_from)),
        validUntil,
        confidence: fraction(row.confidence),
      },
      metadata: toJsonObject({ source_file: row.source_file, source_closet: row.source_closet }),
    }
    yield { kind: 'relation', subject, predicate, object, from, factKey: key, validUntil, confidence: fraction(row.confidence) }
  }

  function nameOf(id: unknown): string | undefined {
    const text = textOf(id)
    return text === undefined ? undefined : (names.get(text) ?? text)
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const startOfDay = (value: unknown): unknown => (typeof value === 'string' && DAY.test(value) ? `${value}T00:00:00Z` : value)
const endOfDay = (value: unknown): unknown => (typeof value === 'string' && DAY.test(value) ? `${value}T23:59:59Z` : value)

async function* readPage(tree: ImportTree, path: string, times: Times): AsyncGenerator<ImportRecord> {
  const text = await wholeText(tree.bytes(path), MAX_PAGE_BYTES)
  const title = text === undefined ? null : /^# (\S.*?) \/ (\S.*)$/m.exec(text)
  if (text === undefined || title === null) return
  const [, wing, room] = title
  for (const part of text.split(/^## /m).slice(1)) {
    const lines = part.split('\n')
    const said = textOf(lines.flatMap((line) => (line.startsWith('>') ? [line.replace(/^> ?/, '')] : [])).join('\n'))
    const cell = (name: string): string | undefined =>
      lines.flatMap((line) => (line.startsWith('|') && line.toLowerCase().includes(name) ? (textOf(line.split('|')[2]) ?? []) : []))[0]
    const from = { file: path }
    if (said === undefined) yield { kind: 'skipped', reason: 'a drawer has no text', from, bad: true }
    else
      yield {
        ...{ kind: 'fact', key: lines[0]?.trim() ?? said, text: said, from, memoryType: 'episodic', project: wing, title: room },
        ...{
          session: cell('source'),
          author: cell('added by'),
          createdAt: times.read(cell('filed')),
          metadata: toJsonObject({ wing, room }),
        },
      }
  }
}
