import { identifierParts } from '../text/text.js'

/** Patterns that only code matches: trailing brackets, blocks, assignments, directives, calls. */
const STATEMENTS: readonly RegExp[] = [
  /[{}]\s*$/u,
  /(?:[=()[\]<>]|\b(?:return|break|continue|throw|import|package|using|use)\b).*;\s*$/u,
  /^\s*(?:def|class|if|elif|else|for|while|try|except|finally|with|switch|case)\b.*:\s*$/u,
  /^\s*(?:const|let|var|final|auto)\s[\w$[{,: ]{1,60}=/u,
  /^\s*(?:return\s+[\w.]+\s*[(+*/-]|import\s+[\w{*"'][\w.{},* ]*$|from\s+[\w.]+\s+import\b|package\s+[\w.]+$)/u,
  /^\s*[\w.[\]]+\s*[+*/-]?=\s*(?:["'[({]|\w+[.(]|\w+\s*[+*/-]\s|new\b|await\b|True\b|False\b|None\b)/u,
  /^\s*#\s*(?:include|define|undef|ifdef|ifndef|endif|pragma)\b/u,
  /^\s*@\w[\w.]*(?:\([^)]*\))?\s*$/u,
  /=>/u,
  /\w\((?!e?s\))[^)]*\)\s*[:{;]?\s*$/u,
]

const isStatement = (line: string): boolean => STATEMENTS.some((form) => form.test(line))

/** Comments of code begin like headings and lists of Markdown, so these lines decide nothing. */
const COMMENT_START = /^\s*(?:\/\/|\/\*|#|\*|"""|''')/u

/** A first line that opens a definition, with the brackets or colon that prose lacks. */
const DEFINITION =
  /^\s*(?:@\w[\w.]*(?:\(.*\))?\s*)?(?:(?:export|default|public|private|protected|static|final|async|abstract|inline|pub)\s+)*(?:(?:def|func|fn|function\*?|sub|class|struct|interface|impl|trait|enum|module|namespace)\s+[\w.<>:*&]+\s*[({:<]|(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:function|\([^)]*\)\s*=>)|[\w<>[\],*&]+\s+\w+\s*\([^)]*\)\s*\{\s*$)/u

const LINE_HEAD = 200
const LINE_TAIL = 100

/** Only both ends of a long line are matched, because the expressions are quadratic in its length. */
const bothEnds = (line: string): string =>
  line.length <= LINE_HEAD + LINE_TAIL ? line : `${line.slice(0, LINE_HEAD)} ${line.slice(-LINE_TAIL)}`

/** True for source code stored as a memory: it opens with a definition, or most of its lines, comments excluded, match a statement. */
export function looksLikeCode(text: string): boolean {
  const sample = text.length > 4000 ? text.slice(0, 4000) : text
  const lines = sample
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(bothEnds)
  const opening = lines.find((line) => !/^\s*(?:@|#|\/\/|\/?\*)/u.test(line)) ?? ''
  if (DEFINITION.test(opening)) return true
  if (lines.length < 2) return false
  const statements = lines.filter(isStatement).length
  const marks = lines.filter((line) => COMMENT_START.test(line) && !isStatement(line)).length
  return statements >= lines.length / 2 || (statements >= 2 && statements >= (lines.length - marks) / 2)
}

/** About 160 tokens: the rest of a function does not improve the vector, and the cost grows with length. */
const EMBED_CHARS = 800

/** Splits identifiers first, because models lower-case text before splitting words. */
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

/** Removes trailing blank lines: chunks cover them, results do not show them. */
export function withoutBlankEnd<P extends { readonly text: string; readonly endLine: number }>(chunk: P): P {
  const kept = chunk.text.trimEnd()
  const breaks = chunk.text.slice(kept.length).split('\n').length - 1
  return kept === '' || breaks < 2 ? chunk : { ...chunk, text: `${kept}\n`, endLine: chunk.endLine - (breaks - 1) }
}

const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!define\b)|--|@|"""|''')/u
const NAME_SIGN = /[\p{L}\p{N}_$]/u

/** The line on which the definition of a passage begins, counted from 0: after its comments and decorators. */
export function definitionLine({ text, name }: { readonly text: string; readonly name: string | null }): number {
  if (name === null || name === '') return 0
  let isInComment = false
  let at = 0
  for (const line of text.split('\n')) {
    const opens = line.indexOf('/*')
    const isComment = isInComment || COMMENT.test(line)
    isInComment = isInComment || opens >= 0 ? line.indexOf('*/', Math.max(0, opens)) < 0 : false
    if (!isComment && holdsName(line, name)) return at
    at++
  }
  return 0
}

function holdsName(line: string, name: string): boolean {
  for (let from = line.indexOf(name); from >= 0; from = line.indexOf(name, from + 1))
    if (!NAME_SIGN.test(line[from - 1] ?? ' ') && !NAME_SIGN.test(line[from + name.length] ?? ' ')) return true
  return false
}

/** `Class.method`: the name with the names that enclose it. */
export const qualifiedName = ({ name, scopePath }: { readonly name: string | null; readonly scopePath: string | null }): string =>
  [scopePath, name].filter((part) => part !== null && part !== '').join('.')
