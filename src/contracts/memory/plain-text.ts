import {
  type AnswerRow,
  counted,
  faint,
  idOf,
  numberOf,
  oneLine,
  type PlainText,
  paragraph,
  type Reader,
  rowOf,
  rowsOf,
  strong,
  tallied,
  wordOf,
  wrapped,
} from '../plain-text.js'

/** Author, date and owner, as far as the response contains them. */
function detailsOf(row: AnswerRow, reader: Reader): string {
  const at = ['date', 'event_time', 'created_at', 'ingestion_time'].map((key) => wordOf(row[key])).find((text) => text !== '')
  const metadata = rowOf(row.metadata)
  const count = numberOf(row.count)
  return [
    [wordOf(row.title) || wordOf(metadata.title), ...headingsOf(row)].filter((part) => part !== '').join(' > '),
    documentPlace(rowOf(row.locator)),
    wordOf(row.author) || wordOf(metadata.author),
    wordOf(row.client),
    at === undefined ? '' : reader.time(at),
    row.user_id === undefined || row.user_id === reader.owner ? '' : `owner ${wordOf(row.user_id)}`,
    count > 1 ? `stored ${count} times` : '',
    typeof row.valid_until === 'string' ? `ended ${reader.time(row.valid_until)}` : '',
    wordOf(row.invalidation_reason),
  ]
    .filter((part) => part !== '')
    .join(', ')
}

const headingsOf = (row: AnswerRow): readonly string[] => (Array.isArray(row.heading_path) ? row.heading_path.map(wordOf) : [])

/** Of a passage of a document: its page or its lines. */
function documentPlace(locator: AnswerRow): string {
  if (locator.page !== undefined) return `page ${wordOf(locator.page)}`
  return locator.line_start === undefined ? '' : `lines ${wordOf(locator.line_start)}-${wordOf(locator.line_end)}`
}

/** Files are followed by the lines of the passage, its name, and the line that answers if it is a later one. */
function place(row: AnswerRow): string {
  if (row.file_path === undefined) return ''
  const line = typeof row.line === 'number' && row.line !== row.start_line ? `, line ${row.line}` : ''
  const symbol = row.symbol === undefined ? '' : `  ${wordOf(row.symbol)}`
  return `${wordOf(row.file_path)}:${wordOf(row.start_line)}-${wordOf(row.end_line)}${symbol}${line}  `
}

/** Further information about a result, one line each. */
const remarks = (row: AnswerRow): readonly (string | undefined)[] => [
  row.superseded_by_newer === undefined ? undefined : `superseded by ${wordOf(row.superseded_by_newer)}`,
  Array.isArray(row.contradicts) ? `contradicts ${row.contradicts.map(wordOf).join(', ')}` : undefined,
  row.caution === undefined ? undefined : wordOf(row.caution),
  ...explained(rowOf(row.explain)),
]

function entry(row: AnswerRow, reader: Reader): string {
  const details = detailsOf(row, reader)
  const content = wordOf(row.content) || wordOf(row.name)
  return paragraph(
    `${place(row)}${oneLine(content)}  ${faint(`[${idOf(row.id)}]`)}`,
    details === '' ? undefined : `    ${faint(details)}`,
    ...remarks(row).map((line) => line && `    ${line}`),
  )
}

/** A complete result: its text wrapped to the reader's width, its number and its relevance. */
function numberedEntry(row: AnswerRow, nth: number, reader: Reader): string {
  const label = `${nth}. `
  const relevance = typeof row.relevance === 'number' ? `${Math.round(row.relevance * 100)}%  ` : ''
  const margin = ' '.repeat(label.length)
  const lines = [
    ...(row.file_path === undefined ? [] : [place(row).trimEnd()]),
    ...wrapped(wordOf(row.content) || wordOf(row.name), reader.width - margin.length),
  ]
  const details = [detailsOf(row, reader), `[${idOf(row.id)}]`].filter((part) => part !== '').join('  ')
  return [
    ...lines.map((line, index) => `${index === 0 ? label : margin}${strong(line)}`),
    ...wrapped(`${relevance}${details}`, reader.width - margin.length).map((line) => `${margin}${faint(line)}`),
    ...remarks(row).flatMap((line) =>
      line === undefined ? [] : wrapped(line, reader.width - margin.length).map((part) => `${margin}${part}`),
    ),
  ].join('\n')
}

const quoted = (value: unknown): string => (Array.isArray(value) ? value.map((word) => `"${wordOf(word)}"`).join(', ') : '')

/** The explanation of a result's rank. */
function explained(explain: AnswerRow): readonly string[] {
  if (Object.keys(explain).length === 0) return []
  const parts = rowsOf(explain.contributions).map(({ name, value }) => `${wordOf(name)} ${numberOf(value).toFixed(2)}`)
  const path = Array.isArray(explain.path) ? explain.path.map(wordOf) : []
  return [
    `because: meaning ${share(explain.vector)}, words ${share(explain.lexical)}, links ${share(explain.graph)}`,
    quoted(explain.matched_terms) === '' ? '' : `words found: ${quoted(explain.matched_terms)}`,
    explain.matched_in_context === true ? 'its words stand in the memories around it' : '',
    path.length === 3 ? `linked to ${path[0]} by "${path[1]}"` : '',
    parts.length === 0 ? '' : `score: ${parts.join(' + ')}`,
  ].filter((line) => line !== '')
}

const share = (value: unknown): string => numberOf(value).toFixed(2)

export const resultsText: PlainText = (answer, reader) => {
  const rows = rowsOf(answer.results)
  return paragraph(
    ...wrapped(wordOf(answer.notice), reader.width),
    rows.length === 0 ? 'Nothing found.' : rows.map((row, index) => numberedEntry(row, index + 1, reader)).join('\n\n'),
  )
}

export const memoriesText: PlainText = (answer, reader) => {
  const rows = rowsOf(answer.memories)
  const total = numberOf(answer.total)
  const next = numberOf(answer.offset) + rows.length
  return paragraph(
    ...(rows.length === 0 ? ['No memories here.'] : rows.map((row) => entry(row, reader))),
    next < total && rows.length > 0 ? `${counted(total - next, 'older memory', 'older memories')}: --offset ${next}` : undefined,
  )
}

export const memoryText: PlainText = (answer, reader) => {
  const metadata = rowOf(answer.metadata)
  return paragraph(
    wordOf(answer.content),
    `  id        ${idOf(answer.id)}`,
    `  kind      ${wordOf(answer.memory_type)}`,
    answer.user_id === undefined || answer.user_id === reader.owner ? undefined : `  owner     ${wordOf(answer.user_id)}`,
    `  stored    ${reader.time(wordOf(answer.ingestion_time))}`,
    answer.event_time === answer.ingestion_time ? undefined : `  happened  ${reader.time(wordOf(answer.event_time))}`,
    typeof answer.valid_until === 'string' ? `  ended     ${reader.time(answer.valid_until)}` : undefined,
    answer.invalidation_reason === undefined ? undefined : `  because   ${wordOf(answer.invalidation_reason)}`,
    answer.superseded_by === undefined ? undefined : `  replaced  by ${wordOf(answer.superseded_by)}`,
    Object.keys(metadata).length === 0 ? undefined : `  metadata  ${JSON.stringify(metadata)}`,
  )
}

export const storedText: PlainText = (answer) => `Stored as ${idOf(answer.id)}.`

export const deletedText: PlainText = (answer) => (answer.deleted === true ? 'Forgotten for good.' : 'There is no such memory.')

export const indexText: PlainText = (answer) => {
  const skipped = tallied(answer.files_skipped)
  const pending = numberOf(answer.vectors_pending)
  const masked = rowOf(answer.masked)
  return paragraph(
    `${wordOf(answer.project_id)}: ${counted(numberOf(answer.files_indexed), 'file')} in the index (${numberOf(answer.files_changed)} new or changed, ${numberOf(answer.files_removed)} removed), ${counted(numberOf(answer.chunks_created), 'passage')}.`,
    skipped === '' ? undefined : `Left out: ${skipped}.`,
    Object.keys(masked).length === 0 ? undefined : `Secrets masked, by files: ${tallied(masked)}.`,
    pending === 0
      ? undefined
      : `Searchable now; ${counted(pending, 'vector is', 'vectors are')} still to be made, by a server that runs or the next command.`,
  )
}

export const statusText: PlainText = (answer) => {
  const embedding = rowOf(answer.embedding)
  const pending = numberOf(embedding.pending)
  const waiting = numberOf(answer.waiting_for_review)
  const problems = Array.isArray(answer.problems) ? answer.problems.map(wordOf) : []
  return paragraph(
    `mneme ${wordOf(answer.version)} is ${wordOf(answer.status)}.`,
    ...problems.map((problem) => `  ${problem}`),
    `${counted(numberOf(answer.memories_count), 'memory', 'memories')}, ${counted(numberOf(answer.entities_count), 'entity', 'entities')}, ${counted(numberOf(answer.code_chunks_count), 'code passage')}.`,
    `Embedding model: ${wordOf(embedding.model)}, ${wordOf(embedding.status)}${pending === 0 ? '' : `, ${counted(pending, 'vector')} to be made`}.`,
    waiting === 0 ? undefined : `${counted(waiting, 'item')} waiting for review: \`mneme console\` shows them.`,
  )
}

export const projectsText: PlainText = (answer) => {
  const names = Array.isArray(answer.projects) ? answer.projects.map(wordOf) : []
  return names.length === 0 ? 'No project is indexed. `mneme index <folder>` adds one.' : names.join('\n')
}
