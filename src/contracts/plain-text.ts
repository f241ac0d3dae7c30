export type Answer = Readonly<Record<string, unknown>>

/** For whom an answer is written out. */
export interface Reader {
  /** An instant in the reader's own time. */
  time(at: string): string
}

/** An answer as a person reads it; one that cannot say it in a better way leaves it to the surface. */
export type PlainText = (answer: Answer, reader: Reader) => string

export type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

export const rowOf = (value: unknown): Row => (isRow(value) ? value : {})

export const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.filter(isRow) : [])

export const wordOf = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Ids are text, or the object form of the memory contract. */
export const idOf = (value: unknown): string => (isRow(value) ? wordOf(rowOf(value.id).String) : wordOf(value))

const WIDEST = 160

/** On one line, cut where a line of a terminal would end. */
export function oneLine(value: unknown, widest = WIDEST): string {
  const line = wordOf(value).split(/\s+/).join(' ').trim()
  return line.length > widest ? `${line.slice(0, widest - 3)}...` : line
}

export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`

export const paragraph = (...lines: readonly (string | false | undefined)[]): string =>
  lines.filter((line): line is string => typeof line === 'string' && line !== '').join('\n')

/** `3 too large, 1 empty` of counts by reason. */
export const tallied = (counts: unknown): string =>
  Object.entries(rowOf(counts))
    .map(([reason, count]) => `${numberOf(count)} ${reason.replaceAll('_', ' ')}`)
    .join(', ')
