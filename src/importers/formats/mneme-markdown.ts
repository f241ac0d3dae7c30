import { type PageRecord, parsePage, shownHash } from '../../core/transfer/markdown-page.js'
import type { Importer, ImportRecord, ImportTree, TreeEntry } from '../../ports/importer.js'
import { splitFrontMatter } from '../front-matter.js'
import { wholeText } from '../text-lines.js'
import { textOf } from '../values.js'

const MAX_PAGE_BYTES = 64 * 1024 * 1024

/** The folder that `mneme export --to markdown` writes. */
export const mnemeMarkdown: Importer = {
  name: 'mneme-markdown',
  title: 'Markdown export of mneme',
  describe:
    'Everything the folder shows, under the same ids; texts as they were edited, and items that were added. Edited front matter is not read.',
  async detect(tree) {
    for (const { path } of pagesIn(tree).slice(0, 20))
      if (isPage((await tree.head(path)).text)) return { what: tree.kind === 'file' ? 'page' : 'folder' }
    return undefined
  },
  async *read(tree) {
    for (const { path, modifiedAt } of pagesIn(tree)) {
      const text = await wholeText(tree.bytes(path), MAX_PAGE_BYTES)
      if (text === undefined) yield { kind: 'skipped', reason: 'a page is too large', from: { file: path }, bad: true }
      else if (isPage(text)) yield* readPage(text, { path, modifiedAt })
      else yield { kind: 'skipped', reason: 'a file is no page of mneme', from: { file: path }, bad: false }
    }
  },
}

const pagesIn = (tree: ImportTree): readonly TreeEntry[] =>
  tree.entries.filter(({ path }) => path.endsWith('.md') && !/(?:^|\/)\./.test(path))

const isPage = (text: string): boolean => {
  const { matter } = splitFrontMatter(text)
  return matter.mneme === 1 && typeof matter.kind === 'string' && typeof matter.owner === 'string'
}

function* readPage(text: string, { path, modifiedAt }: Pick<TreeEntry, 'path' | 'modifiedAt'>): Generator<ImportRecord> {
  const { matter } = splitFrontMatter(text)
  const { items, records, intact } = parsePage(text)
  const owner = textOf(matter.owner)
  if (!intact && items.some(({ id }) => id !== undefined))
    yield {
      kind: 'skipped',
      reason: 'the comment at the end of a page is missing, so its items are imported as new ones',
      from: { file: path },
      bad: true,
    }
  const shown = new Map(items.flatMap((item) => (item.id === undefined ? [] : [[item.id, item] as const])))
  const known = new Set<string>()
  const line = (value: object, number: number): ImportRecord => ({
    kind: 'line',
    text: JSON.stringify(value),
    number,
    from: { file: path, line: number },
  })
  for (const record of records) {
    if (!('fact' in record)) {
      yield line(record, 1)
      continue
    }
    const id = typeof record.fact.id === 'string' ? record.fact.id : ''
    const item = shown.get(id)
    known.add(id)
    if (item === undefined) yield { kind: 'skipped', reason: 'an item was removed from its page', from: { file: path }, bad: false }
    else yield line({ fact: { ...record.fact, text: textOfRecord(record, item.text) } }, item.line)
  }
  const subject = records.flatMap((record) => ('entity' in record && typeof record.entity.name === 'string' ? [record.entity.name] : []))[0]
  for (const item of items) {
    if (item.id !== undefined && known.has(item.id)) continue
    const said = textOf(item.text)
    if (said !== undefined)
      yield {
        kind: 'fact',
        key: `${path}\0${said}`,
        text: said,
        owner,
        subject,
        title: subject,
        from: { file: path, line: item.line },
        createdAt: modifiedAt,
      }
  }
}

const textOfRecord = (record: Extract<PageRecord, { readonly fact: unknown }>, shown: string): string =>
  record.text !== undefined && shownHash(shown) === record.shown ? record.text : shown
