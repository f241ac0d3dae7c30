import type { Importer, ImportRecord, ImportTree } from '../../ports/importer.js'
import { ConversationParts } from '../conversation-parts.js'
import { firstRows } from '../json-outline.js'
import { readLines } from '../line-records.js'
import { numberOf, type Row, rowOf, rowsOf, Times, textOf } from '../values.js'

const INJECTED_TEXT = /^\s*(?:<environment_context>|<user_instructions>|<permissions|# AGENTS\.md instructions)/

/** Rollouts of Codex, in both forms of its history. */
export const codex: Importer = {
  name: 'codex',
  title: 'Sessions of Codex',
  describe:
    'Turns of the person and final answers, in both forms of the history. Subagents, commands and turns that were rolled back are left out.',
  async detect(tree) {
    for (const path of rolloutsIn(tree).slice(0, 5)) {
      if (path.endsWith('.zst') && /(?:^|\/)rollout-/.test(path)) return { what: 'sessions' }
      const { text, whole } = await tree.head(path)
      if (
        /^\s*\{[^\n]{0,200}"type"\s*:\s*"session_meta"/.test(text.slice(0, 400)) ||
        firstRows(text, whole).some((row) => row.type === 'session_meta' && 'payload' in row)
      )
        return { what: tree.kind === 'file' ? 'session' : 'sessions' }
    }
    return undefined
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    for (const path of rolloutsIn(tree)) {
      try {
        yield* readRollout(tree, path, times)
      } catch (failure) {
        yield { kind: 'skipped', reason: failure instanceof Error ? failure.message : String(failure), from: { file: path }, bad: true }
      }
    }
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

const rolloutsIn = (tree: ImportTree): readonly string[] =>
  tree.entries.flatMap(({ path }) =>
    tree.kind === 'file' ? [path] : /(?:^|\/)rollout-[^/]*\.jsonl(?:\.zst|\.gz)?$/.test(path) ? [path] : [],
  )

/** The forms in which a rollout may say the same; the first one that says anything counts. */
const FORMS = ['event', 'item', 'response'] as const
type Form = (typeof FORMS)[number]

async function* readRollout(tree: ImportTree, path: string, times: Times): AsyncGenerator<ImportRecord> {
  const parts = new Map(FORMS.map((form) => [form, new ConversationParts('codex', { file: path })]))
  const each = (change: (part: ConversationParts) => void): void => parts.forEach(change)
  let spoken: Form | undefined
  for await (const line of readLines(tree, path)) {
    if ('skipped' in line) {
      yield line.skipped
      continue
    }
    const { row } = line
    const payload = rowOf(row.payload)
    if (row.type === 'session_meta') {
      if (textOf(payload.agent_role) !== undefined) {
        yield { kind: 'skipped', reason: 'a session of a subagent is left out', from: { file: path }, bad: false }
        return
      }
      each((part) => {
        part.key ??= textOf(payload.id) ?? textOf(payload.session_id)
        part.folder ??= textOf(payload.cwd)
        part.project ??= textOf(rowOf(payload.git).repository_url)
        part.startedAt ??= times.read(payload.timestamp)
      })
      continue
    }
    if (payload.type === 'thread_rolled_back') {
      each((part) => part.rollBack(numberOf(payload.num_turns) ?? 0))
      continue
    }
    const turn = turnIn(row, payload)
    if (turn === undefined) continue
    parts.get(turn.form)?.add({ author: turn.author, text: turn.text, at: times.read(row.timestamp) })
    if (spoken === undefined || FORMS.indexOf(turn.form) < FORMS.indexOf(spoken)) spoken = turn.form
  }
  yield* parts.get(spoken ?? 'event')?.records() ?? []
}

interface FormTurn {
  readonly form: Form
  readonly author: 'user' | 'assistant'
  readonly text: string
}

function turnIn(row: Row, payload: Row): FormTurn | undefined {
  const made = (form: Form, author: 'user' | 'assistant', text: string | undefined): FormTurn | undefined =>
    text === undefined || INJECTED_TEXT.test(text) || payload.phase === 'commentary' ? undefined : { form, author, text }
  if (row.type === 'event_msg') {
    if (payload.type === 'user_message') return made('event', 'user', textOf(payload.message))
    if (payload.type === 'agent_message') return made('event', 'assistant', textOf(payload.message))
    if (payload.type !== 'item_completed') return undefined
    const item = rowOf(payload.item)
    if (item.phase === 'commentary') return undefined
    if (item.type === 'UserMessage') return made('item', 'user', contentText(item.content))
    return item.type === 'AgentMessage' ? made('item', 'assistant', contentText(item.content)) : undefined
  }
  if (row.type !== 'response_item' || payload.type !== 'message') return undefined
  const { role } = payload
  return role === 'user' || role === 'assistant' ? made('response', role, contentText(payload.content)) : undefined
}

const contentText = (content: unknown): string | undefined =>
  textOf(
    rowsOf(content)
      .flatMap((part) => textOf(part.text) ?? [])
      .join('\n'),
  )
