import type { Importer, ImportTree } from '../../ports/importer.js'
import { firstObjects } from '../json-outline.js'
import { textLines } from '../text-lines.js'

/** Kinds of lines of an export. */
const LINES = ['mneme', 'fact', 'entity', 'edge', 'source', 'file', 'arrangement', 'entry']
const PLAIN_MEMORY_FIELDS = new Set([
  ...[
    'content',
    'id',
    'user_id',
    'memory_type',
    'metadata',
    'event_time',
    'ingestion_time',
    'valid_from',
    'valid_until',
    'importance_score',
  ],
  ...['invalidation_reason', 'superseded_by', 'subject', 'predicate', 'version', 'vector'],
])

/** What `mneme export` wrote, and plain memories of the memory contract, such as the exports of memory-1file. */
export const mneme: Importer = {
  name: 'mneme',
  title: 'Export of mneme',
  describe: 'Everything an export holds, under the same ids; also plain memories ({"content": ...}), as memory-1file exports them.',
  async detect(tree) {
    const [entry] = tree.entries
    if (tree.kind !== 'file' || entry === undefined) return undefined
    const { text, whole } = await tree.head(entry.path)
    const [first] = firstObjects(text, whole, 1)
    // A file that breaks off in its first line.
    if (first === undefined) return /^\s*\{"(?:mneme|content)":/.test(text) ? { what: 'damaged export' } : undefined
    const keys = Object.keys(first)
    if ('mneme' in first && text.trimStart().startsWith('{"mneme"')) return { what: 'export' }
    if (LINES.some((name) => name in first) && keys.length <= 2 && keys.every((key) => key === 'vector' || typeof first[key] === 'object'))
      return { what: 'part of an export' }
    return typeof first.content === 'string' && keys.every((key) => PLAIN_MEMORY_FIELDS.has(key)) && isLines(text, whole)
      ? { what: 'plain memories' }
      : undefined
  },
  async *read(tree: ImportTree) {
    for (const { path } of tree.entries)
      for await (const { number, text } of textLines(tree.bytes(path))) {
        const from = { file: path, line: number }
        if (text === undefined) yield { kind: 'skipped', reason: 'a line is too long', from, bad: true }
        else yield { kind: 'line', text, number, from }
      }
  },
}

/** One object per line, rather than one object over several. */
const isLines = (text: string, whole: boolean): boolean =>
  firstObjects(text, whole, 2).length > 1 || (whole && text.trim().split('\n').length === 1)
