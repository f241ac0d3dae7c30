import type { Importer, ImportRecord, ImportTree } from '../../ports/importer.js'
import { ConversationParts } from '../conversation-parts.js'
import { firstRows } from '../json-outline.js'
import { readLines } from '../line-records.js'
import { type Row, rowOf, rowsOf, Times, textOf } from '../values.js'

/** Transcripts of Claude Code. */
export const claudeCode: Importer = {
  name: 'claude-code',
  title: 'Transcripts of Claude Code',
  describe: 'Turns of the person and the assistant. Subagents, tool output, thoughts and injected text are left out.',
  async detect(tree) {
    for (const path of transcriptsIn(tree).slice(0, 5)) {
      const { text, whole } = await tree.head(path)
      if (firstRows(text, whole, 60).some(isTranscriptLine)) return { what: tree.kind === 'file' ? 'transcript' : 'transcripts' }
    }
    return undefined
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    // A resumed session repeats the lines of the session before it.
    const seen = new Set<string>()
    for (const path of transcriptsIn(tree)) yield* readTranscript(tree, path, seen, times)
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

const isTranscriptLine = (row: Row): boolean =>
  (row.type === 'user' || row.type === 'assistant') &&
  typeof row.sessionId === 'string' &&
  (typeof row.uuid === 'string' || 'parentUuid' in row) &&
  'message' in row

const transcriptsIn = (tree: ImportTree): readonly string[] =>
  tree.entries.flatMap(({ path }) => (path.endsWith('.jsonl') && !/(?:^|\/)(?:subagents|tool-results)\//.test(path) ? [path] : []))

async function* readTranscript(tree: ImportTree, path: string, seen: Set<string>, times: Times): AsyncGenerator<ImportRecord> {
  const parts = new ConversationParts('claude-code', { file: path })
  let lastMessage: string | undefined
  let known = 0
  for await (const line of readLines(tree, path)) {
    if ('skipped' in line) {
      yield line.skipped
      continue
    }
    const { row } = line
    const title = textOf(row.customTitle) ?? textOf(row.aiTitle) ?? (row.type === 'summary' ? textOf(row.summary) : undefined)
    if (title !== undefined) parts.title = title
    if (
      (row.type !== 'user' && row.type !== 'assistant') ||
      row.isSidechain === true ||
      row.isMeta === true ||
      row.isApiErrorMessage === true
    )
      continue
    parts.key ??= textOf(row.sessionId)
    parts.folder ??= textOf(row.cwd)
    const id = textOf(row.uuid)
    if (id !== undefined && seen.has(id)) {
      known++
      continue
    }
    if (id !== undefined) seen.add(id)
    const message = rowOf(row.message)
    noteTools(message, parts)
    const text = row.isCompactSummary === true ? undefined : spokenIn(message)
    if (text === undefined) continue
    const messageId = textOf(message.id)
    parts.add(
      { author: row.type, text, at: times.read(row.timestamp) },
      { continues: messageId !== undefined && messageId === lastMessage },
    )
    lastMessage = messageId
  }
  const records = [...parts.records()]
  if (known > 0 && records.every(({ kind }) => kind === 'skipped'))
    yield { kind: 'skipped', reason: 'a transcript repeats one that was read before', from: { file: path }, bad: false }
  else yield* records
}

/** Injected text is removed by the engine, as it is from captured prompts. */
function spokenIn(message: Row): string | undefined {
  if (typeof message.content === 'string') return withoutNotices(message.content)
  const texts = rowsOf(message.content).flatMap((block) => (block.type === 'text' ? (textOf(block.text) ?? []) : []))
  return texts.length === 0 ? undefined : withoutNotices(texts.join('\n'))
}

const NOTICES = ['task-notification', 'local-command-caveat']

function withoutNotices(text: string): string | undefined {
  let plain = text
  for (const tag of NOTICES) {
    const start = plain.indexOf(`<${tag}>`)
    const end = plain.indexOf(`</${tag}>`, start)
    if (start !== -1) plain = end === -1 ? plain.slice(0, start) : plain.slice(0, start) + plain.slice(end + tag.length + 3)
  }
  return textOf(plain)
}

function noteTools(message: Row, parts: ConversationParts): void {
  for (const block of rowsOf(message.content)) {
    if (block.type !== 'tool_use') continue
    const input = rowOf(block.input)
    const file = textOf(input.file_path) ?? textOf(input.notebook_path)
    const command = textOf(input.command)
    if (file !== undefined && /^(?:Edit|Write|MultiEdit|NotebookEdit)$/.test(textOf(block.name) ?? '')) parts.touches(file)
    if (command !== undefined) parts.runs(command)
  }
}
