import { stem } from '../../src/core/text/stem.js'
import { identifierParts, STOP_WORDS } from '../../src/core/text/text.js'

const K1 = 1.2
const B = 0.75

/** The "code" tokeniser: identifiers split on case and underscore, the whole kept too, stemmed, stop words removed. */
export function codeTokens(text: string): string[] {
  const tokens: string[] = []
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    for (const part of [word, ...identifierParts(word)]) {
      const lower = part.toLowerCase()
      if (!STOP_WORDS.has(lower)) tokens.push(stem(lower))
    }
  }
  return tokens
}

export interface Bm25 {
  /** Ids of the documents that hold any of the words, best first, ties in document order. */
  search(query: string, limit: number): readonly string[]
}

/** Plain Okapi BM25 over whole documents: the floor that the product is compared with. */
export function createBm25(documents: readonly { readonly id: string; readonly text: string }[]): Bm25 {
  const postings = new Map<string, Map<number, number>>()
  const lengths = documents.map(({ text }, index) => {
    const tokens = codeTokens(text)
    for (const token of tokens) {
      const held = postings.get(token) ?? new Map<number, number>()
      held.set(index, (held.get(index) ?? 0) + 1)
      postings.set(token, held)
    }
    return tokens.length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  return {
    search(query, limit) {
      const scores = new Map<number, number>()
      for (const token of new Set(codeTokens(query))) {
        const held = postings.get(token)
        if (held === undefined) continue
        const idf = Math.log(1 + (documents.length - held.size + 0.5) / (held.size + 0.5))
        for (const [index, count] of held) {
          const weight = (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * (lengths[index] ?? 0)) / average))
          scores.set(index, (scores.get(index) ?? 0) + weight)
        }
      }
      return [...scores]
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, limit)
        .flatMap(([index]) => documents[index]?.id ?? [])
    },
  }
}
