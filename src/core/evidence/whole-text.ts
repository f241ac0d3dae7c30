import type { Passage } from '../facts/source.js'

const numberAt = (passage: Pick<Passage, 'locator'>, name: string): number | undefined => {
  const value = passage.locator?.[name]
  return typeof value === 'number' ? value : undefined
}

/** The text of a document, joined from its segments by their locators. White space between segments may be missing. */
export function wholeText(passages: readonly Pick<Passage, 'text' | 'locator'>[]): string {
  const pages = new Map<number, string[]>()
  for (const passage of passages) {
    const page = numberAt(passage, 'page') ?? 0
    const lines = pages.get(page) ?? []
    pages.set(page, lines)
    const first = (numberAt(passage, 'line_start') ?? 1) - 1
    const start = numberAt(passage, 'char_start')
    // Lines shared by two segments are complete in the earlier one.
    if (start === undefined) for (const [index, line] of passage.text.split('\n').entries()) lines[first + index] ??= line
    else lines[first] = `${(lines[first] ?? '').padEnd(start)}${passage.text}`
  }
  return [...pages.values()].map((lines) => Array.from(lines, (line) => line ?? '').join('\n')).join('\n\n')
}
