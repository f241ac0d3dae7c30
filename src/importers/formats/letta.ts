import type { ConversationTurn, Importer, ImportRecord, ImportTree } from '../../ports/importer.js'
import { splitFrontMatter } from '../front-matter.js'
import { jsonItems } from '../json-items.js'
import { hasKeys, outlineJson } from '../json-outline.js'
import { markdownItems } from '../markdown-items.js'
import { wholeText } from '../text-lines.js'
import { type Row, rowsOf, Times, textOf, textsOf, toJsonObject } from '../values.js'

const MAX_FILE_BYTES = 4 * 1024 * 1024

/** Letta: agent files (.af) and the memory folders of its agents. */
export const letta: Importer = {
  name: 'letta',
  title: 'Letta',
  describe:
    'Memory blocks and memory files by heading and bullet, and the messages of agents. Tools and skills are left out; agent files hold no archive.',
  async detect(tree) {
    const [entry] = tree.entries
    if (tree.kind === 'file' && entry !== undefined) {
      const outline = outlineJson((await tree.head(entry.path)).text)
      if (hasKeys(outline, 'agents', 'blocks') && isAgent(outline.below.get('agents'))) return { what: 'agent file' }
      return hasKeys(outline, 'core_memory', 'messages') ? { what: 'agent file of an early version' } : undefined
    }
    for (const path of memoryFiles(tree)
      .filter((path) => /(?:^|\/)system\//.test(path))
      .slice(0, 5))
      if (textOf(splitFrontMatter((await tree.head(path)).text).matter.description) !== undefined) return { what: 'memory folder' }
    return undefined
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    const [entry] = tree.entries
    if (tree.kind === 'file' && entry !== undefined) yield* readAgentFile(tree, entry.path, times)
    else yield* readFolder(tree)
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

const isAgent = (keys: ReadonlySet<string> | undefined): boolean =>
  keys === undefined || ['id', 'agent_type', 'block_ids', 'messages', 'llm_config', 'system'].some((key) => keys.has(key))

const memoryFiles = (tree: ImportTree): readonly string[] =>
  tree.entries.flatMap(({ path }) => (path.endsWith('.md') && !/(?:^|\/)skills\//.test(path) ? [path] : []))

async function* readFolder(tree: ImportTree): AsyncGenerator<ImportRecord> {
  for (const path of memoryFiles(tree)) {
    const text = await wholeText(tree.bytes(path), MAX_FILE_BYTES)
    if (text === undefined) {
      yield { kind: 'skipped', reason: 'a memory file is too large', from: { file: path }, bad: true }
      continue
    }
    const { matter, body, offset } = splitFrontMatter(text)
    const label = path.replace(/\.md$/, '').replace(/^(?:.*\/)?memory\//, '')
    yield* blockFacts(label, body, { file: path, offset, description: textOf(matter.description) })
  }
}

function* blockFacts(
  label: string,
  text: string,
  {
    file,
    offset,
    description,
    agent,
  }: { readonly file: string; readonly offset: number; readonly description: string | undefined; readonly agent?: string | undefined },
): Generator<ImportRecord> {
  for (const item of markdownItems(text, offset))
    yield {
      ...{
        kind: 'fact',
        key: `${agent ?? ''}\0${label}\0${item.text}`,
        text: item.text,
        title: item.headings.at(-1) ?? label,
        tags: [label],
      },
      ...{ from: { file, line: item.line }, metadata: toJsonObject({ description, agent }) },
    }
}

async function* readAgentFile(tree: ImportTree, path: string, times: Times): AsyncGenerator<ImportRecord> {
  const owners = new Map<string, string>()
  const blocks: Row[] = []
  const early: ConversationTurn[] = []
  for await (const { key, index, value, problem } of jsonItems(tree.bytes(path))) {
    if (problem !== undefined) {
      yield { kind: 'skipped', reason: `${key} cannot be read: ${problem}`, from: { file: path }, bad: true }
      continue
    }
    for (const row of index < 0 ? [] : rowsOf([value])) {
      if (key === 'blocks' || key === 'core_memory') blocks.push(row)
      else if (key === 'messages') early.push(...turnsOf([row], times))
      else if (key === 'agents') {
        const name = textOf(row.name) ?? textOf(row.id) ?? 'agent'
        for (const id of textsOf(row.block_ids)) owners.set(id, name)
        const turns = turnsOf(rowsOf(row.messages), times)
        const id = textOf(row.id) ?? name
        if (turns.length > 0)
          yield {
            kind: 'conversation',
            key: `${tree.name}/${id}`,
            client: 'letta',
            from: { file: path },
            title: name,
            startedAt: turns[0]?.at,
            turns,
          }
      }
    }
  }
  if (early.length > 0)
    yield { kind: 'conversation', key: tree.name, client: 'letta', from: { file: path }, startedAt: early[0]?.at, turns: early }
  for (const block of blocks) {
    const text = textOf(block.value)
    if (text === undefined) yield { kind: 'skipped', reason: 'a memory block is empty', from: { file: path }, bad: false }
    else
      yield* blockFacts(textOf(block.label) ?? 'block', text, {
        ...{ file: path, offset: 0, description: textOf(block.description), agent: owners.get(textOf(block.id) ?? '') },
      })
  }
}

function turnsOf(messages: readonly Row[], times: Times): readonly ConversationTurn[] {
  return messages.flatMap((message): readonly ConversationTurn[] => {
    const author = message.role
    const text =
      typeof message.content === 'string'
        ? textOf(message.content)
        : textOf(
            rowsOf(message.content)
              .flatMap((part) => textOf(part.text) ?? [])
              .join('\n'),
          )
    // Login events and heartbeats are JSON in the name of the user.
    if (
      (author !== 'user' && author !== 'assistant') ||
      text === undefined ||
      /^\{\s*"type"\s*:\s*"(?:login|heartbeat|system_alert)"/.test(text)
    )
      return []
    return [{ author, text, at: times.read(message.created_at) }]
  })
}
