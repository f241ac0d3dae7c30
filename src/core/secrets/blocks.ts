import { endOfRun, PADDED } from './characters.js'
import type { Span } from './token-forms.js'

const BEGIN = '-----BEGIN '
const END = '-----END '
const LONGEST_HEAD = 60
/** What a key of the smallest kind takes; less is a form to fill in. */
const LEAST_BODY = 40
const LONGEST_BLOCK = 50_000

/** Private keys in their armour, whole or cut off, on lines or within a string. */
export function* privateKeys(text: string): Generator<Span> {
  let end = -1
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at)) {
    const head = text.slice(at, at + LONGEST_HEAD)
    const line = head.indexOf('-----', BEGIN.length)
    const from = at + line + 5
    at += BEGIN.length
    if (line < 0 || !head.slice(0, line).includes('PRIVATE KEY')) continue
    // Looked for once: a text of nothing but beginnings is read once.
    if (end >= 0 && end < from) end = -1
    if (end < 0) end = nextOf(text, END, from)
    const to = end - from > LONGEST_BLOCK ? endOfKey(text, from) : end
    if (bodyOf(text, from, to) < LEAST_BODY) continue
    yield { from, to, kind: 'private key' }
    at = to
  }
}

const nextOf = (text: string, what: string, from: number): number => {
  const at = text.indexOf(what, from)
  return at < 0 ? Number.MAX_SAFE_INTEGER : at
}

/** Where what may be part of a key ends. */
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

/** How many characters of a key there are; in a string lines end with `\n` as two characters. */
function bodyOf(text: string, from: number, to: number): number {
  let longest = 0
  for (let at = from; at < to; ) {
    const end = Math.min(to, endOfRun(text, at, PADDED))
    longest = Math.max(longest, end - at)
    at = Math.max(end, at + 1)
    if (longest >= LEAST_BODY) return longest
  }
  return longest
}
