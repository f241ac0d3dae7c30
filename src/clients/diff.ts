const CONTEXT_LINES = 3

/** The changed lines between two texts with context, as one block, because an entry is one block. */
export function diffOf(before: string, after: string): readonly string[] {
  const [a, b] = [before, after].map((text) => (text === '' ? [] : text.split(/\r?\n/)))
  if (a === undefined || b === undefined || before === after) return []
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const start = Math.max(0, head - CONTEXT_LINES)
  const end = Math.max(0, tail - CONTEXT_LINES)
  return [
    `@@ line ${head + 1} @@`,
    ...a.slice(start, head).map((line) => `  ${line}`),
    ...a.slice(head, a.length - tail).map((line) => `- ${line}`),
    ...b.slice(head, b.length - tail).map((line) => `+ ${line}`),
    ...a.slice(a.length - tail, a.length - end).map((line) => `  ${line}`),
  ]
}
