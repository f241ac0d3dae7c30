import type { Passage } from '../facts/source.js'

const numberAt = (passage: Pick<Passage, 'locator'>, name: string): number | undefined => {
  const value = passage.locator?.[name]
  return typeof value === 'number' ? value : undefined
}

/** The text of a document, put together out of its segments by their locators. Where a segment begins, white space may be missing. */
export function wholeText(passages: readonly Pick<Passage, 'text' | 'locator'>[]): string {
  const pages = new Map<number, string[]>()
  for (const passage of passages) {
    const page = numberAt(passage, 'page') ?? 0
    const lines = pages.get(page) ?? []
    pages.set(page, lines)
    const first = (numberAt(passage, 'line_start') ?? 1) - 1
    const start = numberAt(passage, 'char_start')
    // Lines that segments have in common are whole in the earlier one.
    if (start === undefined) for (const [at, line] of passage.text.split('\n').entries()) lines[first + at] ??= line
    else lines[first] = `${(lines[first] ?? '').padEnd(start)}${passage.text}`
  }
  return [...pages.values()].map((lines) => Array.from(lines, (line) => line ?? '').join('\n')).join('\n\n')
}
