import { sha256 } from '../encoding/hash.js'
import { type Fact, isLate } from '../facts/fact.js'
import { isCurrentStatus } from '../facts/validity.js'
import type { Edge } from '../graph/edge.js'
import type { Entity } from '../graph/entity.js'

/** A file of a Markdown export before it is written. */
export interface PageContent {
  readonly kind: 'entity' | 'memories' | 'index'
  readonly owner: string
  readonly title: string
  readonly entity?: Entity
  readonly facts: readonly Fact[]
  readonly edges: readonly Edge[]
  readonly pages?: readonly { readonly name: string; readonly page: string }[]
}

type Record = { readonly [name: string]: unknown }

/** An item of a page as a person sees it. */
export interface PageItem {
  readonly id: string | undefined
  readonly text: string
  readonly line: number
}

/** A page that was read back. */
export interface ParsedPage {
  readonly items: readonly PageItem[]
  /** What the page was written from: facts without their texts, entities and edges. */
  readonly records: readonly PageRecord[]
  /** True if all records are present and complete. */
  readonly intact: boolean
  /** True if headings, relations, front matter or quotations were edited, which are not read. */
  readonly restEdited: boolean
}

export type PageRecord =
  | { readonly fact: Record; readonly shown: string; readonly text?: string }
  | { readonly entity: Record }
  | { readonly edge: Record }

const TAIL_START = '\n<!-- mneme\n'
const TAIL_END = '\n-->'
const ENDED_HEADING = '## Ended'
const RELATIONS = '## Relations'

/** Marks how a text is shown, so that an edit by a person is recognised. */
export const shownHash = (shown: string): string => sha256(shown).slice(0, 12)

/** Everything a page shows and what is needed to read it back; the same content gives the same text. */
export function renderPage(
  content: PageContent,
  nameOf: (id: string) => { readonly name: string; readonly page: string } | undefined,
): string {
  const { entity, facts, edges } = content
  const current = facts.filter(({ status }) => isCurrentStatus(status))
  const ended = facts.filter(({ status }) => !isCurrentStatus(status))
  const relations = edges.flatMap((edge) => {
    const target = edge.fromKind === 'entity' && edge.toKind === 'entity' ? nameOf(edge.to) : undefined
    return target === undefined ? [] : [`- ${relationName(edge)} ${wikiLink(target)}`]
  })
  const sections = [
    `# ${content.title.replaceAll(/\s+/g, ' ')}`,
    ...(entity?.description == null || entity.description === ''
      ? []
      : [
          entity.description
            .split('\n')
            .map((line) => `> ${line}`.trimEnd())
            .join('\n'),
        ]),
    ...(content.pages === undefined ? [] : [content.pages.map((page) => `- ${wikiLink(page)}`).join('\n')]),
    ...(current.length === 0 ? [] : [current.map(shownFact).join('\n')]),
    ...(relations.length === 0 ? [] : [RELATIONS, relations.join('\n')]),
    ...(ended.length === 0 ? [] : [ENDED_HEADING, ended.map(shownFact).join('\n')]),
  ]
  const body = `\n${sections.filter((section) => section !== '').join('\n\n')}\n`
  const head = frontMatter(content)
  const page = { rest: restMark(head, parseItems(body, 0).rest) }
  const records = [{ page }, ...(entity === undefined ? [] : [{ entity }]), ...facts.map(factRecord), ...edges.map((edge) => ({ edge }))]
  // A comment ends at its first arrow, wherever it is.
  const tail = records.map((record) => JSON.stringify(record).replaceAll('>', '\\u003e')).join('\n')
  return `${head}${body}${TAIL_START}${tail}${TAIL_END}\n`
}

/** Hash of the text outside of items. Excludes blank lines and trailing spaces, which editors change. */
const restMark = (head: string, rest: readonly string[]): string =>
  shownHash(
    [...head.split('\n'), ...rest]
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
      .join('\n'),
  )

const date = (at: number): string => new Date(at / 1000).toISOString()

function frontMatter({ kind, owner, entity }: PageContent): string {
  const fields: readonly (readonly [string, unknown])[] = [
    ['mneme', 1],
    ['kind', kind],
    ['owner', owner],
    ...(entity === undefined
      ? []
      : ([
          ['id', entity.id],
          ['type', entity.type],
          ['aliases', entity.aliases.length === 0 ? undefined : entity.aliases],
          ['created', date(entity.createdAt)],
          ['updated', date(entity.updatedAt)],
        ] as const)),
  ]
  // JSON is YAML.
  return `---\n${fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`])).join('\n')}\n---\n`
}

function relationName({ type, properties }: Edge): string {
  const relation = typeof properties.predicate === 'string' ? properties.predicate : type.toLowerCase()
  return /^\S+$/.test(relation) ? relation : JSON.stringify(relation)
}

const wikiLink = ({ name, page }: { readonly name: string; readonly page: string }): string =>
  name === page || /[[\]|#^]/.test(name) ? `[[${page}]]` : `[[${page}|${name}]]`

const shownText = (text: string): string =>
  text
    .split('\n')
    .map((line, nth) => (nth === 0 || line === '' ? line : `  ${line}`))
    .join('\n')

const shownFact = (fact: Fact): string => `- ${shownText(fact.text)} ^${fact.id}`

/** The item that a fact is read back as; its text differs from that of the fact where Markdown cannot show it. */
const readBack = (fact: Fact): PageItem | undefined => parseItems(`${shownFact(fact)}\n`, 0).items[0]

/** Hash of the text that a page shows for a fact. */
export const shownMark = (fact: Fact): string => shownHash(readBack(fact)?.text ?? '')

function factRecord(fact: Fact): PageRecord {
  const { text, ...rest } = fact
  const kept = Object.fromEntries(Object.entries(rest).filter(([name, value]) => value !== null || !isLate(name)))
  const read = readBack(fact)
  const shown = shownHash(read?.text ?? '')
  return { fact: kept, shown, ...(read?.text === text && read.id === fact.id ? {} : { text }) }
}

/** Reads a page of an export, as it was written or as it was edited since. */
export function parsePage(text: string): ParsedPage {
  const plain = text.replace(/^\uFEFF/u, '').replaceAll('\r\n', '\n')
  const start = plain.lastIndexOf(TAIL_START)
  const end = start === -1 ? -1 : plain.indexOf(TAIL_END, start + TAIL_START.length - 1)
  const lines =
    end === -1
      ? []
      : plain
          .slice(start + TAIL_START.length, end)
          .split('\n')
          .flatMap(parseJson)
  const head = /^---\n[\s\S]*?\n---\n/.exec(plain)?.[0] ?? ''
  const before = parseItems(plain.slice(head.length, end === -1 ? plain.length : start), linesIn(head))
  // A person may write behind the comment, at the end of the file.
  const tailEnd = end + TAIL_END.length
  const behind = end === -1 ? NO_ITEMS : parseItems(plain.slice(tailEnd), linesIn(plain.slice(0, tailEnd)))
  const items = [...before.items, ...behind.items]
  const rest = [...before.rest, ...behind.rest]
  const mark = lines.flatMap(({ page }) => (isRecord(page) && typeof page.rest === 'string' ? [page.rest] : []))[0]
  const restEdited = mark !== undefined && mark !== restMark(head, rest)
  return { items, records: lines.flatMap(toRecord), intact: end !== -1, restEdited }
}

const linesIn = (text: string): number => text.split('\n').length - 1

const isRecord = (value: unknown): value is Record => typeof value === 'object' && value !== null && !Array.isArray(value)

function parseJson(line: string): readonly Record[] {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? [value] : []
  } catch {
    return []
  }
}

function toRecord(value: Record): readonly PageRecord[] {
  if (isRecord(value.entity)) return [{ entity: value.entity }]
  if (isRecord(value.edge)) return [{ edge: value.edge }]
  if (!isRecord(value.fact) || typeof value.shown !== 'string') return []
  return [{ fact: value.fact, shown: value.shown, ...(typeof value.text === 'string' ? { text: value.text } : {}) }]
}

interface ParsedItems {
  readonly items: readonly PageItem[]
  readonly rest: readonly string[]
}

const NO_ITEMS: ParsedItems = { items: [], rest: [] }
/** The id behind a text; a person may have written a line below it. */
const ID_MARK = /(?:^| )\^(\S+)$/
const MARK_WITHIN = / \^([\w-]{5,64})$/m
/** Editors replace one mark of a list by another. */
const LIST_ITEM = /^[-*+] /

/** List items outside of the relations; a paragraph that a person added is an item as well. */
function parseItems(body: string, offset: number): ParsedItems {
  const items: PageItem[] = []
  const rest: string[] = []
  let open: { lines: string[]; line: number } | undefined
  let skipping = false
  const close = (): void => {
    if (open === undefined) return
    const text = open.lines.join('\n').replace(/\n+$/, '')
    const mark = ID_MARK.exec(text) ?? MARK_WITHIN.exec(text)
    const plain = mark === null ? text : `${text.slice(0, mark.index)}${text.slice(mark.index + mark[0].length)}`
    const item = { id: mark?.[1], text: plain, line: open.line }
    if (item.text !== '' || item.id !== undefined) items.push(item)
    open = undefined
  }
  body.split('\n').forEach((line, nth) => {
    const isHeading = /^#{1,6} /.test(line)
    if (isHeading) {
      close()
      skipping = line === RELATIONS
      rest.push(line)
    } else if (skipping || line.startsWith('> ') || line === '>') {
      close()
      rest.push(line)
    } else if (LIST_ITEM.test(line)) {
      close()
      if (/^[-*+] \[\[[^\]]*\]\]$/.test(line)) rest.push(line)
      else open = { lines: [line.slice(2)], line: nth + 1 + offset }
    } else if (open !== undefined && (line === '' || line.startsWith('  '))) open.lines.push(line.slice(2))
    else if (line !== '') {
      if (open !== undefined && open.lines.at(-1) !== '') open.lines.push(line)
      else {
        close()
        open = { lines: [line], line: nth + 1 + offset }
      }
    }
  })
  close()
  return { items, rest }
}
