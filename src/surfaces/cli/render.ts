import type { Answer } from '../../contracts/operation.js'

type Row = Readonly<Record<string, unknown>>

const SCORES = ['score', 'similarity', 'rrf_score', 'weight']
const TEXTS = ['content', 'text', 'message', 'name', 'title', 'summary', 'key']
const WIDEST = 160

/** An answer for a person at a terminal: lists as lines, the rest as `key: value`. */
export function renderText(answer: Answer): string {
  return renderObject(answer, '')
}

function renderObject(value: Row, indent: string): string {
  const lines = Object.entries(value).flatMap(([key, part]) => {
    if (part === null || part === undefined) return []
    if (Array.isArray(part))
      return part.length === 0 ? [`${indent}${key}: none`] : [`${indent}${key}:`, ...part.map((item) => `${indent}  ${renderItem(item)}`)]
    if (isRow(part)) return Object.keys(part).length === 0 ? [] : [`${indent}${key}:`, renderObject(part, `${indent}  `)]
    return [`${indent}${key}: ${String(part)}`]
  })
  return lines.join('\n')
}

function renderItem(item: unknown): string {
  if (!isRow(item)) return typeof item === 'object' ? JSON.stringify(item) : String(item)
  const score = SCORES.map((key) => item[key]).find((value) => typeof value === 'number')
  const text = TEXTS.map((key) => item[key]).find((value) => typeof value === 'string')
  if (typeof text !== 'string') return clip(JSON.stringify(item))
  const id = typeof item.id === 'string' ? `  [${item.id}]` : ''
  return `${typeof score === 'number' ? `${score.toFixed(3)}  ` : ''}${clip(text)}${id}`
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 3)}...` : line
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
