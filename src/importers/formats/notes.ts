import type { Importer, ImportRecord, ImportTree, RecordOrigin } from '../../ports/importer.js'
import { splitFrontMatter } from '../front-matter.js'
import { markdownItems } from '../markdown-items.js'
import { wholeText } from '../text-lines.js'
import { listOf, type Row, Times, textOf, toJsonObject, withoutKeys } from '../values.js'
import { linksIn, observationIn, relationIn, tagsIn } from '../wiki-syntax.js'

const MAX_NOTE_BYTES = 8 * 1024 * 1024
const NOTE = /\.(?:md|markdown)$/i
const CONFIG_FOLDERS = /(?:^|\/)\.[^/]+\//
const SAMPLE_NOTES = 40

const isNote = (path: string): boolean => NOTE.test(path) && !CONFIG_FOLDERS.test(path)

const notesIn = (tree: ImportTree): readonly string[] => tree.entries.flatMap(({ path }) => (isNote(path) ? [path] : []))

/** A folder of notes of basic-memory. */
export const basicMemory: Importer = {
  name: 'basic-memory',
  title: 'basic-memory',
  describe:
    'Notes as entities, observations as facts, relations and wiki links as relations; paragraphs as facts with the title of their note.',
  async detect(tree) {
    for (const path of notesIn(tree).slice(0, SAMPLE_NOTES)) {
      const { matter } = splitFrontMatter((await tree.head(path)).text)
      if (textOf(matter.permalink) !== undefined && textOf(matter.mneme) === undefined)
        return { what: tree.kind === 'file' ? 'note' : 'folder of notes' }
    }
    return undefined
  },
  read: (tree, options) => readNotes(tree, new Times(options.now)),
}

/** An Obsidian vault. */
export const obsidian: Importer = {
  name: 'obsidian',
  title: 'Obsidian vault',
  describe:
    'Notes as entities with aliases and tags, links as relations, list items and paragraphs as facts. Canvas files and attachments are left out.',
  async detect(tree) {
    return tree.kind !== 'file' && tree.entries.some(({ path }) => /^(?:[^/]+\/)?\.obsidian\//.test(path)) && notesIn(tree).length > 0
      ? { what: 'vault' }
      : undefined
  },
  read: (tree, options) => readNotes(tree, new Times(options.now)),
}

/** Markdown of no particular program. */
export const markdown: Importer = {
  name: 'markdown',
  title: 'Markdown notes',
  describe: 'Each note as an entity; list items and paragraphs as facts; wiki links as relations.',
  async detect(tree) {
    const notes = notesIn(tree)
    const [only] = notes
    if (only === undefined) return undefined
    if (tree.kind === 'file') return /\0/.test((await tree.head(only)).text) ? undefined : { what: 'note' }
    return { what: 'folder of notes' }
  },
  read: (tree, options) => readNotes(tree, new Times(options.now)),
}

async function* readNotes(tree: ImportTree, times: Times): AsyncGenerator<ImportRecord> {
  const titles = await titlesOf(tree)
  for (const entry of tree.entries) {
    const from = { file: entry.path }
    if (!isNote(entry.path)) continue
    const text = await wholeText(tree.bytes(entry.path), MAX_NOTE_BYTES)
    if (text === undefined) yield { kind: 'skipped', reason: `a note is larger than ${MAX_NOTE_BYTES / 1024 / 1024} MB`, from, bad: true }
    else yield* readNote(text, from, entry.modifiedAt, titles, times)
  }
  for (const note of times.notes()) yield { kind: 'note', text: note }
}

/** Names of notes by what links may call them: path, stem, permalink and aliases. The first note of a name has it. */
async function titlesOf(tree: ImportTree): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>()
  const name = (key: string, title: string): void => {
    const plain = key.toLowerCase()
    if (!titles.has(plain)) titles.set(plain, title)
  }
  for (const path of notesIn(tree)) {
    const { matter } = splitFrontMatter((await tree.head(path)).text)
    const title = textOf(matter.title) ?? stemOf(path)
    for (const key of [title, path.replace(NOTE, ''), stemOf(path), textOf(matter.permalink) ?? title, ...listOf(matter.aliases)])
      name(key, title)
  }
  return titles
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(NOTE, '')

function* readNote(
  text: string,
  from: RecordOrigin,
  modifiedAt: number,
  titles: ReadonlyMap<string, string>,
  times: Times,
): Generator<ImportRecord> {
  const { matter, body, offset, problem } = splitFrontMatter(text)
  if (problem !== undefined) yield { kind: 'skipped', reason: problem, from, bad: true }
  const title = textOf(matter.title) ?? stemOf(from.file)
  const createdAt = times.read(matter.created ?? matter.date) ?? dayOf(stemOf(from.file), times) ?? modifiedAt
  const tags = listOf(matter.tags).map((tag) => tag.replace(/^#/, ''))
  const permalink = textOf(matter.permalink)
  yield {
    ...{ kind: 'entity', name: title, type: textOf(matter.type) ?? 'note', from, createdAt },
    aliases: [...listOf(matter.aliases), ...(permalink === undefined || permalink === title ? [] : [permalink])],
    metadata: toJsonObject({ ...withoutKeys(matter as Row, 'title', 'type', 'aliases', 'permalink', 'created', 'date'), file: from.file }),
  }
  const linked = new Set<string>()
  const link = function* (target: string, predicate: string, line: number): Generator<ImportRecord> {
    const object = titles.get(target.toLowerCase()) ?? target
    if (object === title || linked.has(`${predicate}\0${object}`)) return
    linked.add(`${predicate}\0${object}`)
    yield { kind: 'relation', subject: title, predicate, object, from: { ...from, line }, createdAt }
  }
  const seen = new Set<string>()
  for (const item of markdownItems(withoutHidden(body), offset)) {
    const place = { ...from, line: item.line }
    const relation = item.isListItem ? relationIn(item.text) : undefined
    if (relation !== undefined) {
      yield* link(relation.target, relation.type, item.line)
      continue
    }
    for (const target of linksIn(item.text)) yield* link(target, 'links_to', item.line)
    const observation = item.isListItem ? observationIn(item.text) : undefined
    const said = textOf((observation?.text ?? item.text).replace(/\s\^[\w-]+$/, ''))
    if (said === undefined || seen.has(said) || /^!?\[\[[^\]]*\]\]$/.test(said) || /^\[[ xX/>?-]\]\s*$/.test(said)) continue
    seen.add(said)
    yield {
      ...{ kind: 'fact', key: `${permalink ?? from.file}\0${said}`, text: said, from: place, createdAt, subject: title },
      title: item.headings.length === 0 ? title : `${title}: ${item.headings.at(-1)}`,
      tags: [...new Set([...tags, ...tagsIn(said), ...(observation?.category === undefined ? [] : [observation.category])])],
      metadata: toJsonObject({ category: observation?.category, context: observation?.context }),
    }
  }
}

/** Daily notes are named after their day. */
const dayOf = (stem: string, times: Times): number | undefined => (/^\d{4}-\d{2}-\d{2}$/.test(stem) ? times.read(stem) : undefined)

/** Without the comments of Obsidian; lines stay where they are. */
function withoutHidden(body: string): string {
  const parts = body.split('%%')
  return parts.map((part, index) => (index % 2 === 1 && index < parts.length - 1 ? part.replaceAll(/[^\n]/g, '') : part)).join('')
}
