import type { Importer, ImportRecord, ImportTree, RecordOrigin } from '../../ports/importer.js'
import { databaseRecords, detectDatabase } from '../database-records.js'
import { jsonItems } from '../json-items.js'
import { hasKeys, outlineJson } from '../json-outline.js'
import { listOf, objectOf, type Row, rowsOf, Times, textOf, toJsonObject } from '../values.js'
import { fraction } from './server-memory.js'

/** mcp-memory-service: its database, or its JSON export. */
export const mcpMemoryService: Importer = {
  name: 'mcp-memory-service',
  title: 'mcp-memory-service',
  describe:
    'Memories with tags, type and dates; replaced ones as superseded. Deleted memories, vectors and associations by likeness are left out.',
  async detect(tree) {
    const [entry] = tree.entries
    if (
      tree.kind === 'file' &&
      entry !== undefined &&
      hasKeys(outlineJson((await tree.head(entry.path)).text), 'export_metadata', 'memories')
    )
      return { what: 'export' }
    return detectDatabase(
      tree,
      async ({ tables }) => {
        const columns = tables.get('memories')
        return columns?.includes('content_hash') === true && columns.includes('content') ? { what: 'database' } : undefined
      },
      ['sqlite_vec.db'],
    )
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    const [entry] = tree.entries
    if (tree.kind === 'file' && entry !== undefined && outlineJson((await tree.head(entry.path)).text) !== undefined)
      yield* readExport(tree, entry.path, times)
    else yield* readDatabase(tree, times)
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

async function* readExport(tree: ImportTree, path: string, times: Times): AsyncGenerator<ImportRecord> {
  for await (const { key, index, value, problem } of jsonItems(tree.bytes(path))) {
    const from = { file: path, line: index + 1 }
    if (problem !== undefined) yield { kind: 'skipped', reason: `a memory cannot be read: ${problem}`, from, bad: true }
    else if (key === 'memories') for (const row of rowsOf([value])) yield memory(row, from, times)
  }
}

async function* readDatabase(tree: ImportTree, times: Times): AsyncGenerator<ImportRecord> {
  yield* databaseRecords(tree, ['sqlite_vec.db'], async function* ({ tables, rows }, file) {
    for await (const row of rows('SELECT * FROM memories ORDER BY id')) {
      const from = { file, line: Number(row.id) }
      if (row.deleted_at !== undefined && row.deleted_at !== null)
        yield { kind: 'skipped', reason: 'a memory was deleted', from, bad: false }
      else yield memory(row, from, times)
    }
    if (!tables.has('memory_graph') || tables.get('memory_graph')?.includes('relationship_type') !== true) return
    for await (const row of rows("SELECT count(*) AS links FROM memory_graph WHERE relationship_type <> 'related'"))
      if (Number(row.links) > 0) yield { kind: 'note', text: `${Number(row.links)} associations between memories were left out.` }
  })
}

function memory(row: Row, from: RecordOrigin, times: Times): ImportRecord {
  const text = textOf(row.content)
  if (text === undefined) return { kind: 'skipped', reason: 'a memory has no text', from, bad: true }
  const tags = listOf(row.tags).filter((tag) => tag !== 'untagged')
  const tagged = (prefix: string): string | undefined => tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length)
  const supersededBy = textOf(row.superseded_by)
  return {
    ...{ kind: 'fact', key: textOf(row.content_hash) ?? `text\0${text}`, text, from, tags, supersededBy },
    ...{
      owner: tagged('user:'),
      project: tagged('proj:'),
      author: tagged('agent:'),
      createdAt: times.read(row.created_at ?? row.created_at_iso),
    },
    ...{ status: supersededBy === undefined ? undefined : ('superseded' as const), confidence: fraction(row.confidence) },
    validUntil: supersededBy === undefined ? undefined : times.read(row.updated_at ?? row.updated_at_iso),
    metadata: toJsonObject({ ...objectOf(row.metadata), memory_type: row.memory_type }),
  }
}
