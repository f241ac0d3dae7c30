import type { ImportTree, RecordOrigin, SkippedRecord } from '../ports/importer.js'
import { parseLoose } from './json-items.js'
import { MAX_LINE_BYTES, textLines } from './text-lines.js'
import { isRow, type Row } from './values.js'

type LineRecord = { readonly row: Row; readonly from: RecordOrigin } | { readonly skipped: SkippedRecord }

const MAX_NESTING = 500

/** The objects of a file with one JSON object per line. A line that is none is named and skipped. */
export async function* readLines(tree: ImportTree, path: string): AsyncGenerator<LineRecord> {
  for await (const { number, text } of textLines(tree.bytes(path))) {
    const from = { file: path, line: number }
    const bad = (reason: string): LineRecord => ({ skipped: { kind: 'skipped', reason, from, bad: true } })
    if (text === undefined) {
      yield bad(`a line is longer than ${MAX_LINE_BYTES / 1024 / 1024} MB`)
      continue
    }
    if (text.trim() === '') continue
    if (nestsDeeper(text, MAX_NESTING)) {
      yield bad(`a line is nested more than ${MAX_NESTING} levels deep`)
      continue
    }
    const parsed = parseLoose(text)
    if (parsed === undefined) yield bad('a line is not valid JSON')
    else if (isRow(parsed.value)) yield { row: parsed.value, from }
    else yield bad('a line is no JSON object')
  }
}

/** Counts brackets, also those in strings: an upper bound is enough. */
function nestsDeeper(text: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5b || code === 0x7b) depth++
    else if (code === 0x5d || code === 0x7d) depth--
    if (depth > most) return true
  }
  return false
}
