import { identifierParts } from '../text.js'

const CODE_LINE =
  /[;{}]\s*$|^\s*(?:def|class|fn|func|function|import|from|return|public|private|static|const|let|var|if|for|while|#include|@\w+)\b.*[:({;=]|^\s*(?:\/\/|#|\*|"""|''')|=>|\w+\([^)]*\)\s*[:{;]?\s*$/u

/** A first line that opens a definition, with the brackets or the colon that prose would not have. */
const DEFINITION =
  /^\s*(?:@\w[\w.]*(?:\(.*\))?\s*)?(?:(?:export|default|public|private|protected|static|final|async|abstract|inline|pub)\s+)*(?:(?:def|func|fn|function\*?|sub|class|struct|interface|impl|trait|enum|module|namespace)\s+[\w.<>:*&]+\s*[({:<]|(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:function|\([^)]*\)\s*=>)|[\w<>[\],*&]+\s+\w+\s*\([^)]*\)\s*\{\s*$)/u

const LINE_HEAD = 200
const LINE_TAIL = 100

/** What tells code stands at the ends of a line, and the expressions take the square of its length. */
const bothEnds = (line: string): string =>
  line.length <= LINE_HEAD + LINE_TAIL ? line : `${line.slice(0, LINE_HEAD)} ${line.slice(-LINE_TAIL)}`

/** Source code pasted as a memory: it opens with a definition, or most of its lines read like statements. */
export function looksLikeCode(text: string): boolean {
  const sample = text.length > 4000 ? text.slice(0, 4000) : text
  const lines = sample
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(bothEnds)
  const opening = lines.find((line) => !/^\s*(?:@|#|\/\/|\/?\*)/u.test(line)) ?? ''
  if (DEFINITION.test(opening)) return true
  if (lines.length < 2) return false
  let hits = 0
  for (const line of lines) if (CODE_LINE.test(line)) hits++
  return hits / lines.length >= 0.5
}

/** About 160 tokens: a model gains nothing from the rest of a function, and the cost grows with length. */
const EMBED_CHARS = 800

/** Models lower-case before they split words, so identifiers are taken apart while their case still tells how. */
export function splitForEmbedding(code: string): string {
  return code
    .slice(0, EMBED_CHARS * 2)
    .replace(/[\p{L}_][\p{L}\p{N}_]*/gu, (word) => {
      const parts = identifierParts(word)
      return parts.length > 0 ? parts.join(' ') : word
    })
    .replace(/[^\S\n]+/gu, ' ')
    .slice(0, EMBED_CHARS)
}

/** Every line of a file lies in some chunk; the blank ones behind it are no part of what is shown. */
export function withoutBlankEnd<P extends { readonly text: string; readonly endLine: number }>(chunk: P): P {
  const kept = chunk.text.trimEnd()
  const breaks = chunk.text.slice(kept.length).split('\n').length - 1
  return kept === '' || breaks < 2 ? chunk : { ...chunk, text: `${kept}\n`, endLine: chunk.endLine - (breaks - 1) }
}
