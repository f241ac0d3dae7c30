export type Answer = Readonly<Record<string, unknown>>

/** For whom a response is formatted. */
export interface Reader {
  /** An instant in the reader's time zone. */
  time(instant: string): string
  /** Columns per line. */
  readonly width: number
  /** The owner that results omit. */
  readonly owner: string
}

/** Unicode noncharacters mark emphasis until the surface replaces them with colours or removes them. */
export const EMPHASIS = { strong: '\uFDD0', faint: '\uFDD1', end: '\uFDD2' } as const

export const strong = (text: string): string => (text === '' ? '' : `${EMPHASIS.strong}${text}${EMPHASIS.end}`)
export const faint = (text: string): string => (text === '' ? '' : `${EMPHASIS.faint}${text}${EMPHASIS.end}`)

/** Formats a response for people; responses without it are formatted by the surface. */
export type PlainText = (answer: Answer, reader: Reader) => string

export type AnswerRow = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is AnswerRow => typeof value === 'object' && value !== null && !Array.isArray(value)

export const rowOf = (value: unknown): AnswerRow => (isRow(value) ? value : {})

export const rowsOf = (value: unknown): readonly AnswerRow[] => (Array.isArray(value) ? value.filter(isRow) : [])

export const wordOf = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Ids are text, or the object form of the memory contract. */
export const idOf = (value: unknown): string => (isRow(value) ? wordOf(rowOf(value.id).String) : wordOf(value))

const MAX_LINE_CHARS = 160

/** On one line, truncated to the width of a terminal. */
export function oneLine(value: unknown, widest = MAX_LINE_CHARS): string {
  const line = wordOf(value).split(/\s+/).join(' ').trim()
  return line.length > widest ? `${line.slice(0, widest - 3)}...` : line
}

const MIN_LINE_CHARS = 20

/** Wraps a text at spaces; cuts longer words and keeps its line breaks. */
export function wrapped(text: string, width: number): readonly string[] {
  const widest = Math.max(MIN_LINE_CHARS, width)
  return text
    .trimEnd()
    .split(/\r?\n/)
    .flatMap((line) => wrapLine(line.trimEnd(), widest))
}

function wrapLine(line: string, widest: number): readonly string[] {
  const lines: string[] = []
  let current: string | undefined
  for (const word of line.split(' ')) {
    const joined: string = current === undefined ? word : `${current} ${word}`
    if (joined.length <= widest) {
      current = joined
      continue
    }
    if (current !== undefined) lines.push(current)
    let at = 0
    for (; word.length - at > widest; at += widest) lines.push(word.slice(at, at + widest))
    current = word.slice(at)
  }
  return [...lines, current ?? '']
}

export const counted = (count: number, singular: string, several = `${singular}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? singular : several}`

export const paragraph = (...lines: readonly (string | false | undefined)[]): string =>
  lines.filter((line): line is string => typeof line === 'string' && line !== '').join('\n')

/** Formats counts by reason: `3 too large, 1 empty`. */
export const tallied = (counts: unknown): string =>
  Object.entries(rowOf(counts))
    .map(([reason, count]) => `${numberOf(count)} ${reason.replaceAll('_', ' ')}`)
    .join(', ')
