import type { ConversationTurn, Importer, ImportRecord, ImportTree, RecordOrigin } from '../../ports/importer.js'
import { jsonItems } from '../json-items.js'
import { hasKeys, outlineJson } from '../json-outline.js'
import { isRow, type Row, rowOf, rowsOf, Times, textOf, textsOf } from '../values.js'

const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/
/** Keys of a conversation next to `mapping`, at least one of them. */
const COMPANIONS = ['title', 'create_time', 'current_node', 'conversation_id'] as const
const MEMORY = /(?:^|\/)memory\.json$/
/** Maximum number of messages read per conversation, whatever its links say. */
const MAX_MESSAGES = 100_000

/** The data export of ChatGPT: a zip, its unpacked folder, or one of its conversation files. */
export const chatgpt: Importer = {
  name: 'chatgpt',
  title: 'ChatGPT data export',
  describe:
    'Conversations along the branch that was shown last, saved memories and custom instructions. Deleted branches, images and tool output are left out.',
  async detect(tree) {
    for (const path of conversationFiles(tree)) {
      const outline = outlineJson((await tree.head(path)).text)
      if (outline?.root === 'array' && outline.keys.has('mapping') && COMPANIONS.some((key) => outline.keys.has(key)))
        return { what: tree.kind === 'file' ? 'conversations' : 'export' }
    }
    return undefined
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    const memories = new Set<string>()
    const records = async function* (): AsyncGenerator<ImportRecord> {
      for (const path of conversationFiles(tree)) yield* readConversations(tree, path, times)
      for (const { path } of tree.entries) if (MEMORY.test(path)) yield* readMemories(tree, path, times)
    }
    // Each conversation repeats the memories of its time.
    for await (const record of records()) {
      if (record.kind !== 'fact') yield record
      else if (!memories.has(record.text)) {
        memories.add(record.text)
        yield record
      }
    }
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

export const conversationFiles = (tree: ImportTree): readonly string[] =>
  tree.kind === 'file' ? tree.entries.map(({ path }) => path) : tree.entries.flatMap(({ path }) => (CONVERSATIONS.test(path) ? [path] : []))

async function* readConversations(tree: ImportTree, path: string, times: Times): AsyncGenerator<ImportRecord> {
  for await (const { index, value, problem } of jsonItems(tree.bytes(path))) {
    const from = { file: path, line: index + 1 }
    if (problem !== undefined) yield { kind: 'skipped', reason: `a conversation cannot be read: ${problem}`, from, bad: true }
    else if (!isRow(value) || !isRow(value.mapping))
      yield { kind: 'skipped', reason: 'a conversation has no messages (mapping)', from, bad: true }
    else if (value.is_do_not_remember === true)
      yield { kind: 'skipped', reason: 'a conversation is marked as not to be remembered', from, bad: false }
    else yield* readConversation(value, value.mapping, from, times)
  }
}

function* readConversation(row: Row, mapping: Row, from: RecordOrigin, times: Times): Generator<ImportRecord> {
  const turns: ConversationTurn[] = []
  let first: number | undefined
  for (const message of messagesOf(mapping, textOf(row.current_node))) {
    const content = rowOf(message.content)
    const at = times.read(message.create_time)
    yield* savedIn(content, from, at)
    const author = textOf(rowOf(message.author).role)
    const text = author === 'user' || author === 'assistant' ? spokenIn(message, content) : undefined
    if (text === undefined || (author !== 'user' && author !== 'assistant')) continue
    first = Math.min(first ?? Number.POSITIVE_INFINITY, at ?? Number.POSITIVE_INFINITY)
    turns.push({ author, text, at })
  }
  const key = textOf(row.conversation_id) ?? textOf(row.id)
  if (turns.length === 0) {
    yield { kind: 'skipped', reason: 'a conversation has no messages of a person or an assistant', from, bad: false }
    return
  }
  const startedAt =
    times.read(row.create_time) ?? (first === undefined || !Number.isFinite(first) ? undefined : first) ?? times.read(row.update_time)
  yield {
    kind: 'conversation',
    key: key ?? `${from.file}#${from.line}`,
    client: 'chatgpt',
    from,
    title: textOf(row.title),
    startedAt,
    turns,
  }
}

/** The messages of the branch that was shown last, oldest first. Links that lead in a circle end there. */
function messagesOf(mapping: Row, current: string | undefined): readonly Row[] {
  const found: Row[] = []
  const seen = new Set<string>()
  let at = current !== undefined && isRow(mapping[current]) ? current : newestLeaf(mapping)
  while (at !== undefined && !seen.has(at) && seen.size < MAX_MESSAGES) {
    seen.add(at)
    const node = Object.hasOwn(mapping, at) ? rowOf(mapping[at]) : {}
    if (isRow(node.message)) found.push(node.message)
    at = textOf(node.parent)
  }
  return found.reverse()
}

function newestLeaf(mapping: Row): string | undefined {
  let newest: string | undefined
  let latest = -1
  for (const [id, value] of Object.entries(mapping)) {
    const node = rowOf(value)
    const time = rowOf(node.message).create_time
    const at = typeof time === 'number' ? time : 0
    if (textsOf(node.children).length === 0 && at >= latest) {
      newest = id
      latest = at
    }
  }
  return newest
}

/** The text of a message of user or assistant; empty for tools, hidden messages and reasoning. */
function spokenIn(message: Row, content: Row): string | undefined {
  if (rowOf(message.metadata).is_visually_hidden_from_conversation === true) return undefined
  const recipient = textOf(message.recipient)
  if (recipient !== undefined && recipient !== 'all') return undefined
  const type = textOf(content.content_type)
  if (type !== undefined && type !== 'text' && type !== 'multimodal_text') return undefined
  const parts = Array.isArray(content.parts) ? content.parts : []
  return textOf(parts.flatMap((part: unknown) => (typeof part === 'string' ? [part] : (textOf(rowOf(part).text) ?? []))).join('\n'))
}

/** Saved memories and custom instructions are separate messages. */
function* savedIn(content: Row, from: RecordOrigin, createdAt: number | undefined): Generator<ImportRecord> {
  if (content.content_type === 'model_editable_context')
    for (const text of (textOf(content.model_set_context) ?? '').split('\n').flatMap((line) => memoryLine(line) ?? []))
      yield { kind: 'fact', key: `memory\0${text.text}`, text: text.text, from, createdAt: text.at ?? createdAt, tags: ['saved-memory'] }
  if (content.content_type !== 'user_editable_context') return
  for (const [field, title] of [
    ['user_profile', 'About the user'],
    ['user_instructions', 'Custom instructions'],
  ] as const) {
    const text = textOf(content[field])
    if (text !== undefined)
      yield {
        kind: 'fact',
        key: `${field}\0${text}`,
        text,
        title,
        from,
        createdAt: createdAt,
        memoryType: 'procedural',
        tags: ['custom-instructions'],
      }
  }
}

/** `1. [2026-01-31]. The text`, as the model is given it. */
function memoryLine(line: string): { readonly text: string; readonly at: number | undefined } | undefined {
  const found = /^\s*\d{1,6}\.\s*(?:\[(\d{4}-\d{2}-\d{2})\]\.?\s*)?(\S.*)$/.exec(line)
  const text = textOf(found?.[2])
  if (text === undefined) return undefined
  const day = found?.[1] === undefined ? Number.NaN : Date.parse(`${found[1]}T00:00:00Z`)
  return { text, at: Number.isNaN(day) ? undefined : day * 1000 }
}

async function* readMemories(tree: ImportTree, path: string, times: Times): AsyncGenerator<ImportRecord> {
  if (!hasKeys(outlineJson((await tree.head(path)).text), 'content')) return
  for await (const { value, index } of jsonItems(tree.bytes(path)))
    for (const row of rowsOf([value])) {
      const text = textOf(row.content)
      const from = { file: path, line: index + 1 }
      if (text === undefined || row.enabled === false)
        yield { kind: 'skipped', reason: 'a saved memory is empty or disabled', from, bad: false }
      else
        yield {
          kind: 'fact',
          key: `memory\0${text}`,
          text,
          from,
          createdAt: times.read(row.created_at ?? row.timestamp),
          tags: ['saved-memory'],
        }
    }
}
