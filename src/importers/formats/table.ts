import { MemoryError } from '../../errors.js'
import type { Importer, ImportRecord, ImportTree, ReadOptions, RecordOrigin } from '../../ports/importer.js'
import { csvRows } from '../csv-rows.js'
import { jsonItems } from '../json-items.js'
import { firstObjects, outlineJson } from '../json-outline.js'
import { readLines } from '../line-records.js'
import { listOf, type Row, rowsOf, Times, textOf, toJsonObject, withoutKeys } from '../values.js'
import { fraction } from './server-memory.js'

/** Fields of a memory by the columns that usually hold them. The first is the field itself. */
const TABLE_FIELDS = {
  content: ['content', 'text', 'memory', 'note', 'fact', 'body', 'description'],
  id: ['id', 'uuid', 'key', '_id'],
  date: ['date', 'created_at', 'created', 'createdat', 'timestamp', 'time', 'recorded_at'],
  updated: ['updated', 'updated_at', 'modified'],
  owner: ['owner', 'user_id', 'user'],
  project: ['project'],
  author: ['author', 'speaker', 'actor', 'role'],
  session: ['session', 'session_id', 'conversation', 'run_id'],
  title: ['title', 'name'],
  subject: ['subject', 'entity'],
  predicate: ['predicate', 'relation'],
  type: ['type', 'kind', 'memory_type', 'category'],
  tags: ['tags', 'labels', 'categories'],
  importance: ['importance'],
  confidence: ['confidence'],
  valid_from: ['valid_from'],
  valid_until: ['valid_until', 'valid_to'],
  status: ['status'],
} as const satisfies Readonly<Record<string, readonly string[]>>
type Field = keyof typeof TABLE_FIELDS

/** Tables of memories: CSV, a JSON list, or one JSON object per line. */
export const table: Importer = {
  name: 'table',
  title: 'Table of memories',
  describe: 'CSV, TSV, JSON lists and JSON lines with a column of texts. --map content=note,date=created names other columns.',
  async detect(tree) {
    const [entry] = tree.entries
    if (tree.kind !== 'file' || entry === undefined) return undefined
    const columns = await columnsOf(tree)
    return columns.some((name) => isContent(name)) && (columns.length > 1 || columns[0]?.toLowerCase() === 'content')
      ? { what: `${formOf(tree)} with columns ${columns.slice(0, 8).join(', ')}` }
      : undefined
  },
  async *read(tree, options) {
    const columns = await columnsOf(tree)
    const names = columnByField(columns, options)
    const times = new Times(options.now)
    for await (const part of rowsIn(tree)) {
      if ('skipped' in part) yield part.skipped
      else yield toRecord(part.row, part.from, names, times)
    }
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

const SAMPLE_ITEMS = 50

const isContent = (name: string): boolean => ['content', 'text', 'memory', 'note', 'fact'].includes(name.trim().toLowerCase())

const isJson = (head: string): boolean => outlineJson(head) !== undefined

function formOf({ name }: ImportTree): string {
  return /\.tsv$/i.test(name) ? 'TSV' : /\.(?:jsonl|ndjson|json)$/i.test(name) ? 'JSON' : 'CSV'
}

async function columnsOf(tree: ImportTree): Promise<readonly string[]> {
  const [entry] = tree.entries
  if (entry === undefined) return []
  const { text, whole } = await tree.head(entry.path)
  const outline = outlineJson(text)
  if (outline?.root === 'array') return keysOfItems(new TextEncoder().encode(text), outline.keys)
  if (outline !== undefined) return [...new Set(firstObjects(text, whole).flatMap((row) => Object.keys(row)))]
  if (!/\.(?:csv|tsv)$/i.test(tree.name) && !/^[^\n]{1,2000}[,;\t][^\n]{0,2000}\n/.test(text)) return []
  if (/\0/.test(text.slice(0, 4096))) return []
  for await (const { cells } of csvRows(single(new TextEncoder().encode(text))))
    return cells.length > 1 || /\.(?:csv|tsv)$/i.test(tree.name) ? cells.map((cell) => cell.trim()) : []
  return []
}

/** Keys of the first items: later ones may have more. */
async function keysOfItems(head: Uint8Array, known: ReadonlySet<string>): Promise<readonly string[]> {
  const keys = new Set(known)
  for await (const { index, value } of jsonItems(single(head))) {
    if (index >= SAMPLE_ITEMS) break
    for (const row of rowsOf([value])) for (const key of Object.keys(row)) keys.add(key)
  }
  return [...keys]
}

async function* single(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk
}

function columnByField(columns: readonly string[], { map }: ReadOptions): ReadonlyMap<Field, string> {
  const names = new Map<Field, string>()
  for (const [wanted, column] of map) {
    const field =
      FIELDS.find((name) => name === wanted) ?? FIELDS.find((name) => TABLE_FIELDS[name].some((alias) => alias === wanted.toLowerCase()))
    if (field === undefined)
      throw new MemoryError('invalid_input', `--map names the field "${wanted}".`, {
        hint: `Fields are ${Object.keys(TABLE_FIELDS).join(', ')}.`,
      })
    const found = columns.find((name) => name === column) ?? columns.find((name) => name.toLowerCase() === column.toLowerCase())
    if (found === undefined)
      throw new MemoryError('invalid_input', `--map names the column "${column}", which the file does not have.`, {
        hint: `Its columns are ${columns.join(', ')}.`,
      })
    names.set(field, found)
  }
  for (const field of FIELDS) {
    if (names.has(field)) continue
    const found = TABLE_FIELDS[field].flatMap(
      (alias) => columns.find((name) => name.toLowerCase() === alias && ![...names.values()].includes(name)) ?? [],
    )[0]
    if (found !== undefined) names.set(field, found)
  }
  if (!names.has('content'))
    throw new MemoryError('invalid_input', 'No column holds the texts.', {
      hint: `Name it: --map content=${columns[0] ?? 'column'}. Columns are ${columns.join(', ')}.`,
    })
  return names
}

const isField = (name: string): name is Field => Object.hasOwn(TABLE_FIELDS, name)
const FIELDS: readonly Field[] = Object.keys(TABLE_FIELDS).filter(isField)

type Part = { readonly row: Row; readonly from: RecordOrigin } | { readonly skipped: Extract<ImportRecord, { readonly kind: 'skipped' }> }

async function* rowsIn(tree: ImportTree): AsyncGenerator<Part> {
  const [entry] = tree.entries
  if (entry === undefined) return
  const { text } = await tree.head(entry.path)
  if (!isJson(text)) yield* csvParts(tree, entry.path)
  else if (outlineJson(text)?.root === 'object') yield* readLines(tree, entry.path)
  else
    for await (const { index, value, problem } of jsonItems(tree.bytes(entry.path))) {
      const from = { file: entry.path, line: index + 1 }
      const [row] = rowsOf([value])
      if (problem !== undefined || row === undefined)
        yield { skipped: { kind: 'skipped', reason: `a record cannot be read: ${problem ?? 'it is no object'}`, from, bad: true } }
      else yield { row, from }
    }
}

async function* csvParts(tree: ImportTree, path: string): AsyncGenerator<Part> {
  let columns: readonly string[] | undefined
  for await (const { cells, line, problem } of csvRows(tree.bytes(path))) {
    const from = { file: path, line }
    if (problem !== undefined) yield { skipped: { kind: 'skipped', reason: problem, from, bad: true } }
    else if (columns === undefined) columns = cells.map((cell) => cell.trim())
    else if (cells.some((cell) => cell.trim() !== ''))
      yield { row: Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? ''])), from }
  }
}

const STATUSES = ['active', 'candidate', 'contested', 'stale', 'outdated', 'superseded', 'retracted', 'archived'] as const
const TYPES = ['episodic', 'semantic', 'procedural'] as const

function toRecord(row: Row, from: RecordOrigin, names: ReadonlyMap<Field, string>, times: Times): ImportRecord {
  const cell = (field: Field): unknown => row[names.get(field) ?? '']
  const text = textOf(cell('content'))
  if (text === undefined) return { kind: 'skipped', reason: 'a row has no text', from, bad: true }
  const id = textOf(cell('id'))
  const type = textOf(cell('type'))
  const importance = Number(textOf(cell('importance')) ?? Number.NaN)
  return {
    ...{ kind: 'fact', key: id === undefined ? `text\0${text}` : `id\0${id}`, text, from },
    ...{ owner: textOf(cell('owner')), project: textOf(cell('project')), author: textOf(cell('author')), session: textOf(cell('session')) },
    ...{ title: textOf(cell('title')), subject: textOf(cell('subject')), predicate: textOf(cell('predicate')) },
    ...{
      createdAt: times.read(cell('date')),
      validFrom: times.read(cell('valid_from')),
      validUntil: times.read(cell('valid_until'), { mayLieAhead: true }),
    },
    memoryType: TYPES.find((known) => known === type?.toLowerCase()),
    status: STATUSES.find((known) => known === textOf(cell('status'))?.toLowerCase()),
    importance: importance >= 0 && importance <= 10 ? importance : undefined,
    confidence: fraction(Number(textOf(cell('confidence')) ?? Number.NaN)),
    tags: listOf(cell('tags')),
    metadata: toJsonObject({ ...withoutKeys(row, ...names.values()), ...(type === undefined ? {} : { type }) }),
  }
}
