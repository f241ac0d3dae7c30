type SanitizerMethod = 'passthrough' | 'labeled_line' | 'question_sentence' | 'tail_truncation'

export interface SanitizedQuery {
  readonly text: string
  readonly wasSanitized: boolean
  readonly method: SanitizerMethod
  readonly originalLength: number
}

/** A longer query is a whole prompt. */
const MAX_QUERY_CHARS = 400

const LABELLED_QUESTION = /^\s*(?:user question|question|query|task|用户问题|问题|任务)\s*[:：]\s*(.+)$/iu
/** A sentence also ends at a full stop followed by white space. */
const SENTENCE_END = /(?<=[?？!！。])|(?<=\.)(?=\s)|\n+/u

const collapsed = (text: string): string => text.replace(/\s+/gu, ' ').trim()

/** Extracts the question from a longer text: a labelled line, otherwise the last question, otherwise the end. */
export function sanitizeQuery(input: string): SanitizedQuery {
  const whole = collapsed(input)
  const made = (text: string, method: SanitizerMethod): SanitizedQuery => {
    const clean = collapsed(text).slice(-MAX_QUERY_CHARS).trim()
    return { text: clean, wasSanitized: clean !== whole, method, originalLength: input.length }
  }
  if (whole.length <= MAX_QUERY_CHARS) return { text: whole, wasSanitized: false, method: 'passthrough', originalLength: input.length }
  const lines = input.split('\n')
  for (let index = lines.length - 1; index >= 0; index--) {
    const query = LABELLED_QUESTION.exec((lines[index] ?? '').slice(0, 4 * MAX_QUERY_CHARS))?.[1]
    if (query !== undefined && query.trim() !== '') return made(query.slice(0, MAX_QUERY_CHARS), 'labeled_line')
  }
  const sentences = input.slice(-20_000).split(SENTENCE_END)
  const asking = sentences.findLast((sentence) => /[?？]\s*$/u.test(sentence))
  return asking === undefined ? made(whole, 'tail_truncation') : made(asking, 'question_sentence')
}
