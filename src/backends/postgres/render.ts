import type { Query } from '../sql/plan.js'

/** A statement as PostgreSQL is sent it. */
export interface Statement {
  readonly text: string
  /** Changes rows and is asked for nothing: it can go along with the next one that is. */
  readonly isSilent: boolean
}

const MOST_KEPT = 1000
const kept = new Map<string, Statement>()

/** Numbers the placeholders and leaves out the hints for the planner of SQLite. Texts repeat, so what was made is kept. */
export function statementOf({ text, each, counted }: Query): Statement {
  const known = kept.get(text)
  const made = known ?? render(text)
  if (known === undefined) {
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(text, made)
  }
  return each === undefined && counted !== true ? made : { ...made, isSilent: false }
}

/** Words of the program itself hold neither placeholders nor quotes: a text between quotes is passed over. */
const PARTS = /'[^']*'|\?|(?<=[\s(,])\+(?=[a-z_])/g

function render(text: string): Statement {
  let place = 0
  const rendered = text.replace(PARTS, (part) => (part === '?' ? `$${++place}` : part === '+' ? '' : part))
  return { text: rendered, isSilent: /^\s*(?:INSERT|UPDATE|DELETE)\b/i.test(text) && !/\bRETURNING\b/i.test(text) }
}
