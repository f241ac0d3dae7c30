/** A stretch of text that both sides share, or only one of them has. */
interface DiffSegment {
  readonly text: string
  readonly side: 'both' | 'before' | 'after'
}

/** Longer texts are compared as two wholes: the time it takes grows with the product of their words. */
const MAX_WORDS = 600

const split = (text: string): readonly string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** What changed between two texts, word by word. */
export function diffWords(before: string, after: string): readonly DiffSegment[] {
  const [a, b] = [split(before), split(after)]
  if (a.length > MAX_WORDS || b.length > MAX_WORDS)
    return before === after
      ? [{ text: after, side: 'both' }]
      : [
          { text: before, side: 'before' },
          { text: after, side: 'after' },
        ]
  const table = lengths(a, b)
  const found: DiffSegment[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push({ text: a[i] ?? '', side: 'both' })
      i++
      j++
    } else if (i < a.length && (j === b.length || (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0)))
      found.push({ text: a[i++] ?? '', side: 'before' })
    else found.push({ text: b[j++] ?? '', side: 'after' })
  }
  return joined(found)
}

/** Of the longest common sequence of what is left, from each pair of places on. */
function lengths(a: readonly string[], b: readonly string[]): readonly Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = table[i]
      if (row === undefined) continue
      row[j] = a[i] === b[j] ? (table[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(table[i + 1]?.[j] ?? 0, row[j + 1] ?? 0)
    }
  return table
}

/** Neighbours of one side are one stretch; a space between two changes belongs to both of them. */
function joined(stretches: readonly DiffSegment[]): readonly DiffSegment[] {
  const found: DiffSegment[] = []
  let [before, after] = ['', '']
  const flush = (): void => {
    if (before !== '') found.push({ text: before, side: 'before' })
    if (after !== '') found.push({ text: after, side: 'after' })
    ;[before, after] = ['', '']
  }
  for (const [at, { text, side }] of stretches.entries()) {
    const isGap =
      side === 'both' &&
      /^\s+$/.test(text) &&
      (before !== '' || after !== '') &&
      stretches[at + 1]?.side !== 'both' &&
      at + 1 < stretches.length
    if (side === 'before' || isGap) before += text
    if (side === 'after' || isGap) after += text
    if (side !== 'both' || isGap) continue
    flush()
    const last = found[found.length - 1]
    if (last?.side === 'both') found[found.length - 1] = { text: last.text + text, side: 'both' }
    else found.push({ text, side: 'both' })
  }
  flush()
  return found
}
