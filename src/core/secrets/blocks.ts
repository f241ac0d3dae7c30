import type { SecretSpan } from './token-forms.js'

const BLOCK_START = '-----BEGIN '
const HEAD = /^-----BEGIN [^-]*PRIVATE KEY[^-]*-----/
const DASHES = '-----'
const MAX_HEAD_CHARS = 60
/** Minimum body of a key; shorter ones are placeholders. In a string, lines end with `\\n` as two characters. */
const BODY = /[\w+/=-]{40}/
const MAX_BLOCK_CHARS = 50_000
/** Characters of a key without an end line. */
const PART = /^[\w+/=\s\\:,-]*/

/** Private keys in PEM form, complete or truncated, on lines or within a string. */
export function privateKeysIn(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = []
  for (let at = text.indexOf(BLOCK_START); at >= 0; at = text.indexOf(BLOCK_START, at)) {
    const head = HEAD.exec(text.slice(at, at + MAX_HEAD_CHARS))
    const from = at + (head?.[0] ?? BLOCK_START).length
    at = from
    if (head === null) continue
    // A key does not contain five dashes; they end it or start the next.
    const block = text.slice(from, from + MAX_BLOCK_CHARS)
    const key = block.split(DASHES, 1)[0] ?? ''
    const body = key.length < block.length ? key : (PART.exec(block)?.[0] ?? '')
    if (!BODY.test(body)) continue
    at = from + body.length
    spans.push({ from, to: at, kind: 'private key' })
  }
  return spans
}
