/** The form of a term: code, capitalised phrase, heading, or CJK script. */
export type TermForm = 'code' | 'phrase' | 'heading' | 'cjk'

interface FoundTerm {
  readonly title: string
  readonly form: TermForm
}

/** Only the beginning of longer texts is read. */
const MAX_TEXT = 20_000
const CODE = /`([^`\n]{2,80})`/g
const PHRASE = /\p{Lu}[\p{L}\p{N}'’-]{0,40}(?: \p{Lu}[\p{L}\p{N}'’-]{0,40}){1,5}/gu
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu
const CJK_LENGTH = { least: 2, most: 8 }
const ARTICLE = /^(?:the|a|an) /i
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/

/** Terms of one segment: text in backquotes, capitalised phrases, its own heading and runs of CJK. Fenced code is ignored. */
export function termsOf(text: string, heading: string | null): readonly FoundTerm[] {
  const found: FoundTerm[] = []
  const add = (title: string, form: TermForm): void => {
    const plain = title.trim().replace(/\s+/g, ' ').replace(ARTICLE, '')
    if (plain !== '') found.push({ title: plain, form })
  }
  if (heading !== null) add(withoutMarks(heading), 'heading')
  const prose = proseOf(text.slice(0, MAX_TEXT))
  for (const [, code = ''] of prose.matchAll(CODE)) add(code, 'code')
  const words = prose.replace(CODE, '\n')
  for (const [phrase] of words.matchAll(PHRASE)) add(phrase, 'phrase')
  for (const [run] of words.matchAll(CJK)) if (run.length >= CJK_LENGTH.least && run.length <= CJK_LENGTH.most) add(run, 'cjk')
  return found
}

const withoutMarks = (heading: string): string => heading.replace(/[`*_]+/g, '')

/** Removes headings, which are counted separately, and code blocks. */
function proseOf(text: string): string {
  let fenced = false
  const lines = text.split('\n').filter((line) => {
    const fence = FENCE.test(line)
    if (fence) fenced = !fenced
    return !fence && !fenced && !/^ {0,3}#{1,6}(?:\s|$)/.test(line)
  })
  return lines.join('\n')
}

/** Spellings of one term have the same key. */
export const termKey = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()
