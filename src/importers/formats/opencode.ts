import type { ForeignDatabase, Importer, ImportRecord, ImportTree } from '../../ports/importer.js'
import { ConversationParts } from '../conversation-parts.js'
import { databaseRecords, detectDatabase } from '../database-records.js'
import { jsonItems } from '../json-items.js'
import { hasKeys, outlineJson } from '../json-outline.js'
import { objectOf, type Row, rowOf, rowsOf, Times, textOf } from '../values.js'

const NAMES = ['opencode.db']

/** Sessions of OpenCode, from its database or from `opencode export`. */
export const opencode: Importer = {
  name: 'opencode',
  title: 'Sessions of OpenCode',
  describe: 'Text of the person and the assistant. Subagents, synthetic parts, reasoning and tool calls are left out.',
  async detect(tree) {
    const [entry] = tree.entries
    if (tree.kind === 'file' && entry !== undefined) {
      const outline = outlineJson((await tree.head(entry.path)).text)
      if (hasKeys(outline, 'info', 'messages') && outline.below.get('messages')?.has('parts') === true) return { what: 'exported session' }
    }
    return detectDatabase(
      tree,
      async ({ tables }) =>
        tables.has('session') && ['message', 'part'].every((name) => tables.get(name)?.includes('data') === true)
          ? { what: 'database' }
          : undefined,
      NAMES,
    )
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    const [entry] = tree.entries
    if (tree.kind === 'file' && entry !== undefined && outlineJson((await tree.head(entry.path)).text) !== undefined)
      yield* readExport(tree, entry.path, times)
    else yield* databaseRecords(tree, NAMES, (db, path) => readDatabase(db, path, times))
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

async function* readDatabase(db: ForeignDatabase, path: string, times: Times): AsyncGenerator<ImportRecord> {
  for await (const session of db.rows('SELECT * FROM session ORDER BY time_created, id')) {
    if (textOf(session.parent_id) !== undefined) {
      yield { kind: 'skipped', reason: 'a session of a subagent is left out', from: { file: path }, bad: false }
      continue
    }
    const parts = begin(session, path, times)
    let last: string | undefined
    const id = textOf(session.id) ?? ''
    for await (const row of db.rows(
      'SELECT m.id AS message, m.data AS about, m.time_created AS at, p.data AS part FROM message m JOIN part p ON p.message_id = m.id WHERE m.session_id = ? ORDER BY m.time_created, m.id, p.id',
      id,
    )) {
      const message = textOf(row.message)
      addPart(parts, objectOf(row.about), objectOf(row.part), times.read(row.at), message === last)
      last = message
    }
    yield* parts.records()
  }
}

function begin(session: Row, path: string, times: Times): ConversationParts {
  const parts = new ConversationParts('opencode', { file: path })
  parts.key = textOf(session.id)
  parts.title = textOf(session.title)
  parts.folder = textOf(session.directory)
  parts.startedAt = times.read(session.time_created ?? rowOf(session.time).created)
  return parts
}

function addPart(parts: ConversationParts, about: Row, part: Row, createdAt: number | undefined, continues: boolean): void {
  const text = part.type === 'text' && part.synthetic !== true ? textOf(part.text) : undefined
  if (text === undefined || (about.role !== 'user' && about.role !== 'assistant')) return
  parts.add({ author: about.role, text, at: createdAt }, { continues })
}

async function* readExport(tree: ImportTree, path: string, times: Times): AsyncGenerator<ImportRecord> {
  let parts = new ConversationParts('opencode', { file: path })
  for await (const { key, index, value, problem } of jsonItems(tree.bytes(path))) {
    if (problem !== undefined) yield { kind: 'skipped', reason: `a message cannot be read: ${problem}`, from: { file: path }, bad: true }
    else if (key === 'info' && index < 0) parts = begin(rowOf(value), path, times)
    else if (key === 'messages')
      for (const message of rowsOf([value])) {
        const about = rowOf(message.info)
        for (const [nth, part] of rowsOf(message.parts).entries())
          addPart(parts, about, part, times.read(rowOf(about.time).created), nth > 0)
      }
  }
  yield* parts.records()
}
