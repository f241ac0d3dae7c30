import { refusal } from '../input/refusal.js'

/** Exact labels and prefixes (`memory:*`) of relations. */
export interface RelationFilter {
  readonly labels: readonly string[]
  readonly prefixes: readonly string[]
}

const SPECIAL_CHARACTERS = /[?[\](){}^$\\|+]/u
const MAX_PATTERNS = 50

/** Labels separated by commas; a star is allowed only at the end of one. */
export function relationFilter(text: string): RelationFilter {
  const parts = text.split(',').map((part) => part.trim())
  const wrong = parts.find((part) => part === '' || SPECIAL_CHARACTERS.test(part) || part.slice(0, -1).includes('*'))
  if (wrong !== undefined || parts.length > MAX_PATTERNS)
    throw refusal(
      'invalid_relation_filter',
      `Invalid relation_filter: ${wrong === undefined ? `more than ${MAX_PATTERNS} labels` : `"${wrong}" is neither a label nor a prefix`}`,
      'Pass labels separated by commas; a * is allowed at the end of one, as in memory:*.',
    )
  return {
    labels: parts.filter((part) => !part.endsWith('*')),
    prefixes: parts.filter((part) => part.endsWith('*')).map((part) => part.slice(0, -1)),
  }
}

export const passes = ({ labels, prefixes }: RelationFilter, relation: string): boolean =>
  labels.includes(relation) || prefixes.some((prefix) => relation.startsWith(prefix))
