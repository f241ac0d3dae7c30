import type { Answer } from '../../contracts/operation.js'

type Row = Readonly<Record<string, unknown>>

const SCORE_FIELDS = ['score', 'similarity', 'rrf_score', 'weight']
const TEXT_FIELDS = ['content', 'text', 'message', 'name', 'title', 'summary', 'key']
const MAX_LINE_CHARS = 160
/** Number of code lines to show, and lines without information: brackets, imports, comments. */
const CODE_LINES = 3
const IDLE_LINE =
  /^\W*$|^\s*(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\b.*\brequire\(|use\s|using\s|package\s|#\s*include|["']use |\/\/|\/?\*|#\s|#!|--\s|<!--)/

/** Formats a response for a terminal: lists as lines, other fields as `key: value`. The length of a list is visible. */
export function renderText(answer: Answer): string {
  const listed = Object.values(answer).some(Array.isArray)
  const { masked: _, ...rest } = answer
  return renderObject(listed ? Object.fromEntries(Object.entries(rest).filter(([key]) => !isCounter(key))) : rest, '')
}

const isCounter = (key: string): boolean => key === 'count' || key.endsWith('_count')

/** Reports the secrets masked by the operation. */
export function maskedLine({ masked }: Answer): string | undefined {
  return Array.isArray(masked) ? `Masked before it was stored: ${masked.join(', ')}.` : undefined
}

/** Ids as text, if a contract returns them as records of a document database. */
export const withPlainIds = (answer: Answer): Answer =>
  Object.fromEntries(Object.entries(answer).map(([key, part]) => [key, plainIds(part)]))

function plainIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainIds)
  if (!isRow(value)) return value
  const { tb, id, ...rest } = value
  if (typeof tb === 'string' && isRow(id) && typeof id.String === 'string' && Object.keys(rest).length === 0) return id.String
  return withPlainIds(value)
}

const MAX_SUMMARY_CHARS = 100

/** The first sentence of a description, for a list of commands. */
export function summaryOf(description: string): string {
  const end = /(?<!")[;:](?= )|\.(?= [A-Z])|\.$/.exec(description)?.index ?? description.length
  const sentence = description.slice(0, end)
  return sentence.length > MAX_SUMMARY_CHARS ? `${sentence.slice(0, sentence.lastIndexOf(' ', MAX_SUMMARY_CHARS))} ...` : sentence
}

function renderObject(value: Row, indent: string): string {
  const lines = Object.entries(value).flatMap(([key, part]) => {
    if (part === null || part === undefined) return []
    if (Array.isArray(part))
      return part.length === 0
        ? [`${indent}${key}: none`]
        : [`${indent}${key}:`, ...part.map((item) => `${indent}  ${renderItem(item, `${indent}    `)}`)]
    if (isRow(part)) return Object.keys(part).length === 0 ? [] : [`${indent}${key}:`, renderObject(part, `${indent}  `)]
    return [`${indent}${key}: ${String(part)}`]
  })
  return lines.join('\n')
}

/** `indent` applies to the lines after the first. */
function renderItem(item: unknown, indent: string): string {
  if (!isRow(item)) return typeof item === 'object' ? JSON.stringify(item) : String(item)
  const value = SCORE_FIELDS.map((key) => item[key]).find((candidate) => typeof candidate === 'number')
  const score = typeof value === 'number' ? `${value.toFixed(3)}  ` : ''
  const id = typeof item.id === 'string' ? `  [${item.id}]` : ''
  if (typeof item.file_path === 'string') {
    const name = typeof item.name === 'string' ? item.name : undefined
    const code = typeof item.content === 'string' ? tellingLines(item.content, name) : []
    return [`${score}${placeOf(item, item.file_path)}${name === undefined ? '' : `  ${name}`}${id}`, ...code].join(`\n${indent}`)
  }
  const text = TEXT_FIELDS.map((key) => item[key]).find((candidate) => typeof candidate === 'string')
  if (typeof text === 'string') return `${score}${clip(text)}${id}`
  return clip(
    Object.entries(item)
      .map(([key, part]) => `${key} ${typeof part === 'object' ? JSON.stringify(part) : String(part)}`)
      .join('  '),
  )
}

function placeOf(item: Row, path: string): string {
  return typeof item.start_line === 'number' && typeof item.end_line === 'number' ? `${path}:${item.start_line}-${item.end_line}` : path
}

/** The lines with the name of the code, otherwise the first with a statement. */
function tellingLines(content: string, name: string | undefined): readonly string[] {
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '')
  const firstTelling = lines.findIndex((line) => !IDLE_LINE.test(line) && (name === undefined || line.includes(name)))
  const shown = lines.slice(Math.max(firstTelling, 0)).slice(0, CODE_LINES)
  const margin = Math.min(...shown.map((line) => line.length - line.trimStart().length))
  return shown.map((line) => cut(line.slice(margin).trimEnd()))
}

function clip(text: string): string {
  return cut(text.replaceAll(/\s+/g, ' ').trim())
}

function cut(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS - 3)}...` : line
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
