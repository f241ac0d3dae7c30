import type { Importer, ImportRecord, ImportTree } from '../../ports/importer.js'
import { ConversationParts } from '../conversation-parts.js'
import { jsonItems } from '../json-items.js'
import { firstRows, hasKeys, outlineJson } from '../json-outline.js'
import { readLines } from '../line-records.js'
import { type Row, rowOf, rowsOf, Times, textOf } from '../values.js'

/** Chats of Gemini CLI and Qwen Code. */
export const gemini: Importer = {
  name: 'gemini',
  title: 'Chats of Gemini CLI',
  describe: 'Turns of the person and the model, after rewinds. Subagents, thoughts and tool calls are left out.',
  async detect(tree) {
    for (const path of chatsIn(tree).slice(0, 5)) {
      const { text, whole } = await tree.head(path)
      const outline = outlineJson(text)
      if (firstRows(text, whole).some((row) => 'sessionId' in row && 'projectHash' in row))
        return { what: tree.kind === 'file' ? 'chat' : 'chats' }
      if (hasKeys(outline, 'sessionId', 'projectHash', 'messages')) return { what: 'chat of an earlier version' }
    }
    return undefined
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    for (const path of chatsIn(tree)) yield* readChat(tree, path, times)
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

const chatsIn = (tree: ImportTree): readonly string[] =>
  tree.entries.flatMap(({ path }) => (tree.kind === 'file' || /(?:^|\/)chats\/session-[^/]+\.jsonl?$/.test(path) ? [path] : []))

async function* readChat(tree: ImportTree, path: string, times: Times): AsyncGenerator<ImportRecord> {
  const messages = new Map<string, Row>()
  let about: Row = {}
  const put = (row: Row): void => {
    const id = textOf(row.id)
    if (id !== undefined) messages.set(id, row)
  }
  if (path.endsWith('.json')) {
    for await (const { key, index, value, problem } of jsonItems(tree.bytes(path))) {
      if (problem !== undefined) yield { kind: 'skipped', reason: `a message cannot be read: ${problem}`, from: { file: path }, bad: true }
      else if (index < 0) about = { ...about, [key]: value }
      else if (key === 'messages') for (const row of rowsOf([value])) put({ id: String(index), ...row })
    }
  } else
    for await (const line of readLines(tree, path)) {
      if ('skipped' in line) {
        yield line.skipped
        continue
      }
      const { row } = line
      if ('$rewindTo' in row) rewind(messages, textOf(row.$rewindTo))
      else if ('$set' in row) {
        const set = rowOf(row.$set)
        about = { ...about, ...set }
        if (Array.isArray(set.messages)) {
          messages.clear()
          for (const row of rowsOf(set.messages)) put(row)
        }
      } else if ('sessionId' in row && 'projectHash' in row) about = { ...about, ...row }
      else put(row)
    }
  if (textOf(about.kind) === 'subagent') {
    yield { kind: 'skipped', reason: 'a chat of a subagent is left out', from: { file: path }, bad: false }
    return
  }
  const parts = new ConversationParts('gemini', { file: path })
  parts.key = textOf(about.sessionId)
  parts.title = textOf(about.summary)
  parts.folder = await folderOf(tree, path, about)
  parts.startedAt = times.read(about.startTime)
  for (const row of messages.values()) {
    const author = row.type === 'user' ? 'user' : row.type === 'gemini' ? 'assistant' : undefined
    const text = textOf(row.displayContent) ?? contentText(row.content)
    if (author !== undefined && text !== undefined) parts.add({ author, text, at: times.read(row.timestamp) })
  }
  yield* parts.records()
}

/** Drops a message and all after it; an unknown one drops all. */
function rewind(messages: Map<string, Row>, id: string | undefined): void {
  let dropping = id === undefined || !messages.has(id)
  for (const key of [...messages.keys()]) {
    dropping ||= key === id
    if (dropping) messages.delete(key)
  }
}

const contentText = (content: unknown): string | undefined =>
  typeof content === 'string'
    ? textOf(content)
    : textOf(
        rowsOf(content)
          .flatMap((part) => textOf(part.text) ?? [])
          .join('\n'),
      )

/** The folder of the project is in a file next to the chats. */
async function folderOf(tree: ImportTree, path: string, about: Row): Promise<string | undefined> {
  const named = Array.isArray(about.directories) ? textOf(about.directories[0]) : undefined
  const rootFile = path.replace(/chats\/[^/]+$/, '.project_root')
  if (named !== undefined || rootFile === path || !tree.entries.some((entry) => entry.path === rootFile)) return named
  return textOf((await tree.head(rootFile)).text)
}
