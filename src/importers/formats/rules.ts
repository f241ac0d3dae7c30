import type { Importer, ImportRecord, ImportTree, TreeEntry } from '../../ports/importer.js'
import { splitFrontMatter } from '../front-matter.js'
import { firstObjects } from '../json-outline.js'
import { markdownItems } from '../markdown-items.js'
import { wholeText } from '../text-lines.js'
import { listOf, rowOf, textOf, toJsonObject } from '../values.js'

const MAX_BYTES = 4 * 1024 * 1024
const RULE_FILES = new Set([
  ...[
    'claude.md',
    'claude.local.md',
    'agents.md',
    'agents.override.md',
    'gemini.md',
    'qwen.md',
    '.cursorrules',
    '.windsurfrules',
    '.clinerules',
  ],
  ...['copilot-instructions.md', 'global_rules.md'],
])
const RULE_FOLDERS =
  /(?:^|\/)(?:\.cursor\/rules|\.windsurf\/rules|\.kiro\/steering|\.clinerules|\.continue\/rules|\.github\/instructions|memory-bank)\/[^/]+\.(?:md|mdc)$/i
/** Written by the clients themselves, or already imported from elsewhere. */
const MEMORY_FILES =
  /(?:^|\/)(?:memory\.md|memory_summary\.md|user\.md|(?:user|feedback|project|reference)_[\w-]+\.md|\d{4}-\d{2}-\d{2}(?:-[\w-]+)?\.md)$/i
const LEFT_OUT = /(?:^|\/)(?:skills|imports|rollout_summaries|pending|raw_memories\.md|dreams\.md)(?:\/|$)/i
/** Entries of Hermes are separated by a section sign. */
const HERMES_SEPARATOR = '\n§\n'
/** Lines that say no rule: references to other files, which are not followed. */
const REFERENCE = /^@\S+$/

/** Instructions that people write for their agents. */
export const rules: Importer = {
  name: 'rules',
  title: 'Instructions for agents',
  describe:
    'CLAUDE.md, AGENTS.md, GEMINI.md, rules of Cursor, Windsurf, Cline and others: each list item and paragraph as a procedural fact. Referenced files are not read.',
  async detect(tree) {
    if (tree.kind !== 'file')
      return rulesIn(tree).length > 0 && rulesIn(tree).length === textsIn(tree) ? { what: 'folder of rules' } : undefined
    return rulesIn(tree).length > 0 || /\/(?:\.cursor|\.windsurf)\/rules\//.test(tree.origin.replaceAll('\\', '/'))
      ? { what: 'rules' }
      : undefined
  },
  read: (tree) => readFiles(tree, tree.kind === 'file' ? tree.entries : rulesIn(tree), 'procedural'),
}

/** Memory folders of Claude Code, Codex, Gemini CLI, OpenClaw, Windsurf and Hermes. */
export const clientMemory: Importer = {
  name: 'client-memory',
  title: 'Memory folder of a client',
  describe:
    'MEMORY.md and topic files of Claude Code, Codex, Gemini CLI, OpenClaw and Hermes, item by item. Skills, raw notes and imports are left out.',
  async detect(tree) {
    const files = memoriesIn(tree)
    if (tree.kind === 'file') return /(?:^|\/)(?:memory|memory_summary)\.md$/i.test(tree.name) ? { what: 'memory file' } : undefined
    return files.some(({ path }) => /(?:^|\/)memory\.md$/i.test(path) && path.split('/').length <= 3)
      ? { what: 'memory folder' }
      : undefined
  },
  read: (tree) => readFiles(tree, tree.kind === 'file' ? tree.entries : memoriesIn(tree), undefined),
}

const textsIn = (tree: ImportTree): number => tree.entries.filter(({ path }) => /\.(?:md|mdc|txt)$/i.test(path) || isRule(path)).length

const isRule = (path: string): boolean => RULE_FILES.has(path.slice(path.lastIndexOf('/') + 1).toLowerCase()) || RULE_FOLDERS.test(path)

const rulesIn = (tree: ImportTree): readonly TreeEntry[] => tree.entries.filter(({ path }) => isRule(path))

const memoriesIn = (tree: ImportTree): readonly TreeEntry[] =>
  tree.entries.filter(
    ({ path }) => !LEFT_OUT.test(path) && (MEMORY_FILES.test(path) || /(?:^|\/)memory\/[^/]+\.md$/i.test(`${tree.name}/${path}`)),
  )

async function* readFiles(
  tree: ImportTree,
  entries: readonly TreeEntry[],
  memoryType: 'procedural' | undefined,
): AsyncGenerator<ImportRecord> {
  for (const { path, modifiedAt } of entries) {
    const from = { file: path }
    const text = await wholeText(tree.bytes(path), MAX_BYTES)
    if (text === undefined) yield { kind: 'skipped', reason: `a file is larger than ${MAX_BYTES / 1024 / 1024} MB`, from, bad: true }
    else yield* readFile(text, { path, modifiedAt, project: await projectOf(tree, path) }, memoryType)
  }
}

function* readFile(
  text: string,
  { path, modifiedAt, project }: { readonly path: string; readonly modifiedAt: number; readonly project: string | undefined },
  memoryType: 'procedural' | undefined,
): Generator<ImportRecord> {
  const { matter, body, offset, problem } = splitFrontMatter(text)
  if (problem !== undefined) yield { kind: 'skipped', reason: problem, from: { file: path }, bad: true }
  const type = textOf(matter.type) ?? textOf(rowOf(matter.metadata).type)
  const title = textOf(matter.name) ?? textOf(matter.description)
  const about = {
    ...{ project, createdAt: modifiedAt },
    memoryType: memoryType ?? (type === 'feedback' || type === 'user' ? ('procedural' as const) : undefined),
    tags: type === undefined ? [] : [type],
    metadata: toJsonObject({ description: matter.description, globs: listOf(matter.globs), always_apply: matter.alwaysApply }),
  }
  const isTopic = type !== undefined && title !== undefined
  const items = body.includes(HERMES_SEPARATOR)
    ? body.split(HERMES_SEPARATOR).map((part) => ({ text: part.trim(), headings: [], line: 1 }))
    : isTopic
      ? [{ text: body.trim(), headings: [], line: offset + 1 }]
      : markdownItems(body, offset)
  const seen = new Set<string>()
  for (const item of items) {
    const from = { file: path, line: item.line }
    const said = textOf(item.text)
    if (said === undefined || seen.has(said)) continue
    seen.add(said)
    if (REFERENCE.test(said)) yield { kind: 'skipped', reason: 'a reference to another file is not followed', from, bad: false }
    // The index of a memory folder links its topic files, which are read themselves.
    else if (/(?:^|\/)memory\.md$/i.test(path) && /^\[[^\]]{1,200}\]\([^)\s]{1,200}\.md\)/.test(said)) continue
    else yield { kind: 'fact', key: `${path}\0${said}`, text: said, title: item.headings.at(-1) ?? title, from, ...about }
  }
}

/** Claude Code keeps the memories of a project next to its transcripts, which name the folder. */
async function projectOf(tree: ImportTree, path: string): Promise<string | undefined> {
  const folder = /^([^/]+)\/memory\//.exec(path)?.[1]
  if (folder === undefined) return undefined
  const transcript = tree.entries.find((entry) => entry.path.startsWith(`${folder}/`) && entry.path.endsWith('.jsonl'))
  if (transcript === undefined) return folder
  const { text, whole } = await tree.head(transcript.path)
  return firstObjects(text, whole, 60).flatMap(({ cwd }) => textOf(cwd) ?? [])[0] ?? folder
}
