import { endOfRun, PADDED } from './characters.js'
import type { Span } from './token-forms.js'

const BEGIN = '-----BEGIN '
const DASHES = '-----'
const LONGEST_HEAD = 60
/** What a key of the smallest kind takes; less is a form to fill in. */
const LEAST_BODY = 40
const LONGEST_BLOCK = 50_000

/** Private keys in their armour, whole or cut off, on lines or within a string. */
export function privateKeysIn(text: string): readonly Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at)) {
    const head = text.slice(at, at + LONGEST_HEAD)
    const line = head.indexOf(DASHES, BEGIN.length)
    const from = at + line + DASHES.length
    at += BEGIN.length
    if (line < 0 || !head.slice(0, line).includes('PRIVATE KEY')) continue
    // No key holds five dashes: they end it, or begin the next.
    const dashes = text.indexOf(DASHES, from)
    const to = dashes < 0 || dashes - from > LONGEST_BLOCK ? endOfKey(text, from) : dashes
    if (longestRun(text, from, to) < LEAST_BODY) continue
    spans.push({ from, to, kind: 'private key' })
    at = to
  }
  return spans
}

/** Where what may be part of a key ends, when its end is missing. */
function endOfKey(text: string, from: number): number {
  const limit = Math.min(text.length, from + LONGEST_BLOCK)
  let at = from
  while (at < limit) {
    const end = endOfRun(text, at, PADDED)
    if (end > at) at = end
    else if (' \r\n\t\\:,'.includes(text[at] ?? 'x')) at++
    else break
  }
  return at
}

/** The characters of a key that stand in a row; in a string lines end with `\n` as two characters. */
function longestRun(text: string, from: number, to: number): number {
  let longest = 0
  for (let at = from; at < to && longest < LEAST_BODY; ) {
    const end = Math.min(to, endOfRun(text, at, PADDED))
    longest = Math.max(longest, end - at)
    at = Math.max(end, at + 1)
  }
  return longest
}
