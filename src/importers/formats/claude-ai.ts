import type { ConversationTurn, Importer, ImportRecord, ImportTree, PassageRecord, RecordOrigin } from '../../ports/importer.js'
import { jsonItems } from '../json-items.js'
import { outlineJson } from '../json-outline.js'
import { markdownItems } from '../markdown-items.js'
import { isRow, type Row, rowOf, rowsOf, Times, textOf } from '../values.js'
import { conversationFiles } from './chatgpt.js'

const MEMORIES = /(?:^|\/)memories(?:\.json$|\/[^/]+\.json$)/
const PROJECTS = /(?:^|\/)projects(?:\.json$|\/[^/]+\.json$)/
const MAX_MESSAGES = 100_000

/** The data export of Claude: a zip, its unpacked folder, or one of its files. */
export const claudeAi: Importer = {
  name: 'claude',
  title: 'Claude data export',
  describe: 'Conversations, memories by heading and bullet, project instructions and documents. Thoughts and tool calls are left out.',
  async detect(tree) {
    for (const path of tree.kind === 'file' ? conversationFiles(tree) : [...conversationFiles(tree), ...named(tree, MEMORIES)]) {
      const outline = outlineJson((await tree.head(path)).text)
      if (outline?.keys.has('chat_messages') === true || outline?.keys.has('conversations_memory') === true)
        return { what: tree.kind === 'file' ? (outline.keys.has('chat_messages') ? 'conversations' : 'memories') : 'export' }
    }
    return undefined
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    const projects = new Map<string, string>()
    for (const path of named(tree, PROJECTS)) yield* readProjects(tree, path, projects, times)
    for (const path of tree.kind === 'file' ? conversationFiles(tree) : [...named(tree, MEMORIES), ...conversationFiles(tree)])
      for await (const { index, value, problem } of jsonItems(tree.bytes(path))) {
        const from = { file: path, line: index + 1 }
        if (problem !== undefined || !isRow(value)) {
          if (problem !== undefined) yield { kind: 'skipped', reason: `a record cannot be read: ${problem}`, from, bad: true }
          else if (index < 0) yield* readMemories({ conversations_memory: value }, from, projects)
        } else if ('chat_messages' in value) yield* readConversation(value, from, times)
        else if (MEMORIES.test(path) || 'conversations_memory' in value) yield* readMemories(value, from, projects)
        else yield { kind: 'skipped', reason: 'a record is no conversation', from, bad: true }
      }
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

const named = (tree: ImportTree, pattern: RegExp): readonly string[] =>
  tree.kind === 'file' ? [] : tree.entries.flatMap(({ path }) => (pattern.test(path) ? [path] : []))

function* readConversation(row: Row, from: RecordOrigin, times: Times): Generator<ImportRecord> {
  const turns = messagesOf(row).flatMap((message): readonly ConversationTurn[] => {
    const text = spokenIn(message)
    const author = message.sender === 'human' ? 'user' : message.sender === 'assistant' ? 'assistant' : undefined
    return text === undefined || author === undefined ? [] : [{ author, text, at: times.read(message.created_at) }]
  })
  if (turns.length === 0) yield { kind: 'skipped', reason: 'a conversation has no messages', from, bad: false }
  else
    yield {
      ...{ kind: 'conversation', key: textOf(row.uuid) ?? `${from.file}#${from.line}`, client: 'claude', from, turns },
      ...{ title: textOf(row.name), startedAt: times.read(row.created_at) ?? turns[0]?.at },
    }
}

/** The branch that ends in the current leaf where the export has branches; otherwise all messages in their order. */
function messagesOf(row: Row): readonly Row[] {
  const messages = rowsOf(row.chat_messages)
  const leaf = textOf(row.current_leaf_message_uuid)
  const byId = new Map(messages.flatMap((message) => (typeof message.uuid === 'string' ? [[message.uuid, message] as const] : [])))
  if (leaf === undefined || !byId.has(leaf)) return messages
  const branch: Row[] = []
  const seen = new Set<string>()
  for (let at: string | undefined = leaf; at !== undefined && !seen.has(at) && seen.size < MAX_MESSAGES; ) {
    seen.add(at)
    const message: Row | undefined = byId.get(at)
    if (message !== undefined) branch.push(message)
    at = textOf(message?.parent_message_uuid)
  }
  return branch.reverse()
}

/** Text blocks; `text` repeats them, so it is read only where there are none. */
function spokenIn(message: Row): string | undefined {
  const blocks = rowsOf(message.content).flatMap((block) => (block.type === 'text' ? (textOf(block.text) ?? []) : []))
  return blocks.length > 0 ? blocks.join('\n') : textOf(message.text)
}

function* readMemories(row: Row, from: RecordOrigin, projects: ReadonlyMap<string, string>): Generator<ImportRecord> {
  yield* factsOf(textOf(row.conversations_memory), from, undefined)
  for (const [id, text] of Object.entries(rowOf(row.project_memories))) yield* factsOf(textOf(text), from, projects.get(id) ?? id)
}

/** Headings of memories are paragraphs in bold. */
const BOLD_LINE = /^\*\*([^*\n]{1,200})\*\*:?[ \t]*$/gm

function* factsOf(text: string | undefined, from: RecordOrigin, project: string | undefined): Generator<ImportRecord> {
  for (const { text: said, headings } of text === undefined ? [] : markdownItems(text.replaceAll(BOLD_LINE, '## $1')))
    yield {
      kind: 'fact',
      key: `memory\0${project ?? ''}\0${said}`,
      text: said,
      title: headings.at(-1),
      project,
      from,
      tags: ['saved-memory'],
    }
}

async function* readProjects(tree: ImportTree, path: string, names: Map<string, string>, times: Times): AsyncGenerator<ImportRecord> {
  const items = jsonItems(tree.bytes(path))
  const isList = outlineJson((await tree.head(path)).text)?.root === 'array'
  if (isList) for await (const { value } of items) yield* rowsOf([value]).flatMap((row) => [...readProject(row, path, names, times)])
  else {
    const row: Record<string, unknown> = {}
    const docs: unknown[] = []
    for await (const { key, index, value } of items)
      if (index < 0) row[key] = value
      else if (key === 'docs') docs.push(value)
    yield* readProject({ ...row, docs }, path, names, times)
  }
}

function* readProject(row: Row, path: string, names: Map<string, string>, times: Times): Generator<ImportRecord> {
  const name = textOf(row.name)
  const id = textOf(row.uuid)
  if (name === undefined || id === undefined) return
  names.set(id, name)
  const from = { file: path }
  const instructions = textOf(row.prompt_template)
  const createdAt = times.read(row.created_at)
  if (instructions !== undefined)
    yield {
      kind: 'fact',
      key: `project\0${id}`,
      text: instructions,
      title: `Instructions of ${name}`,
      project: name,
      from,
      createdAt,
      memoryType: 'procedural',
    }
  for (const doc of rowsOf(row.docs)) {
    const text = textOf(doc.content)
    const title = textOf(doc.filename) ?? 'document'
    if (text === undefined) continue
    yield {
      ...{ kind: 'source', key: `doc\0${id}\0${textOf(doc.uuid) ?? title}`, sourceKind: 'document', title, project: name, from },
      ...{ createdAt: times.read(doc.created_at), passages: passagesOf(text) },
    }
  }
}

const PASSAGE_CHARS = 2000

/** A document in pieces that recall can cite, cut between paragraphs. */
export function passagesOf(text: string): readonly PassageRecord[] {
  const passages: PassageRecord[] = []
  let part = ''
  let line = 1
  let begins = 1
  const close = (): void => {
    if (part.trim() !== '') passages.push({ text: part.trim(), line: begins })
    part = ''
    begins = line
  }
  for (const raw of text.split('\n')) {
    if (part.length + raw.length > PASSAGE_CHARS || (part.length > PASSAGE_CHARS / 2 && raw.trim() === '')) close()
    for (let at = 0; at < Math.max(1, raw.length); at += PASSAGE_CHARS) {
      if (at > 0) close()
      part += `${raw.slice(at, at + PASSAGE_CHARS)}\n`
    }
    line++
  }
  close()
  return passages
}
