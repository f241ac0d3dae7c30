import { termHash, terms } from './text.js'

/** Occurrences of a term in each part of a fact. Only the text contributes context terms to neighbours. */
interface TermCount {
  title: number
  /** Author and date, which describe this fact alone. */
  head: number
  text: number
}

/** Bytes per term: its hash and its counts in title, head and text. */
export const TERM_BYTES = 7

/** The packed terms of a fact: a hash and three counts per distinct term. */
export function packTerms(parts: { readonly title: string; readonly head: string; readonly text: string }): Uint8Array {
  const counts = new Map<number, TermCount>()
  const add = (text: string, part: keyof TermCount): void => {
    for (const term of terms(text)) {
      const hash = termHash(term)
      let count = counts.get(hash)
      if (count === undefined) {
        count = { title: 0, head: 0, text: 0 }
        counts.set(hash, count)
      }
      if (count[part] < 255) count[part]++
    }
  }
  add(parts.title, 'title')
  add(parts.head, 'head')
  add(parts.text, 'text')
  const packed = new Uint8Array(counts.size * TERM_BYTES)
  const view = new DataView(packed.buffer)
  let index = 0
  for (const [hash, count] of counts) {
    view.setUint32(index, hash, true)
    packed[index + 4] = count.title
    packed[index + 5] = count.head
    packed[index + 6] = count.text
    index += TERM_BYTES
  }
  return packed
}

export function eachTerm(packed: Uint8Array, visit: (hash: number, title: number, head: number, text: number) => void): void {
  for (let index = 0; index + TERM_BYTES <= packed.length; index += TERM_BYTES)
    visit(hashAt(packed, index), packed[index + 4] ?? 0, packed[index + 5] ?? 0, packed[index + 6] ?? 0)
}

/** The hash of the term at that offset. */
export const hashAt = (packed: Uint8Array, index: number): number =>
  ((packed[index] ?? 0) | ((packed[index + 1] ?? 0) << 8) | ((packed[index + 2] ?? 0) << 16) | ((packed[index + 3] ?? 0) << 24)) >>> 0
