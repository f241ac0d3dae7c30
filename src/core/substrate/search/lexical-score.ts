import { terms } from '../../text/text.js'
import type { QueryPlan } from './query-plan.js'

/** The texts of an object, by the weight of a match. */
export interface ObjectTexts {
  readonly title: string
  readonly summary: string
  /** Ids, paths and other names. */
  readonly names: readonly string[]
  readonly payload: string
  readonly segments: string
}

const WEIGHTS = { title: 20, summary: 10, names: 8, payload: 5, segments: 3 } as const
const EXACT_TITLE = 100
const PHRASE = 20

export interface LexicalScore {
  readonly score: number
  readonly matched: readonly string[]
}

type Side = keyof typeof WEIGHTS

/** Scores by the share of query words matched; the whole query in a title scores highest. */
export function scoreTexts({ tokens, normalizedTerms }: QueryPlan, texts: ObjectTexts): LexicalScore {
  const [whole = ''] = normalizedTerms
  const title = texts.title.toLowerCase()
  const sides: readonly (readonly [Side, string])[] = [
    ['title', texts.title],
    ['summary', texts.summary],
    ['names', texts.names.join(' ')],
    ['payload', texts.payload],
    ['segments', texts.segments],
  ]
  const held = sides.map(([side, text]) => ({ side, text: text.toLowerCase(), words: new Set(terms(text)) }))
  const matched: string[] = []
  let score = 0
  for (const token of tokens) {
    const wanted = terms(token)
    const found = held.find(({ side, text, words }) =>
      side === 'names' ? text.includes(token) : wanted.length > 0 && wanted.every((word) => words.has(word)),
    )
    if (found === undefined) continue
    matched.push(token)
    score += WEIGHTS[found.side]
  }
  if (title === whole) score += EXACT_TITLE
  else if (tokens.length > 1 && title.includes(whole)) score += PHRASE
  return { score, matched }
}

/** True if the title of an object equals the query. */
export const isNamed = (title: string, query: string): boolean => title.trim().toLowerCase() === query.trim().toLowerCase()
