import { fold } from '../../text/text.js'
import { isStop, type NoteWords, type Token } from './note-words.js'

const among = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Common verbs that follow the subject of a short statement. */
const VERBS = among(
  'is are was were has have had will can must should takes take lives live works work costs cost runs run goes go starts start begins begin ' +
    'ends end meets meet leaves leave likes like prefers prefer drinks drink eats eat uses use needs need owns own keeps keep stays stay plays ' +
    'play opens open closes close gets get comes come sits sit weighs weigh measures holds hold pays pay reports report handles ' +
    'handle leads lead sleeps sleep swims swim studies study rings ring retries cooks cook seats kept given tested drips moved reads read sends ' +
    'send wants want charges charge expects expect arrives arrive',
)
/** Words that begin a condition: "When the grandparents are here", "On weekends". */
const CONDITIONS = among('when if unless except outside during for in on at while under with inside within between')
/** Words of a condition anywhere in a note. */
const CLAUSES = among('when if unless except outside during')
/** Words that date a change: "Since June", "From this week". */
const STARTS = among('since after from as starting until because')
/** Words by which a note says that it adds to another one, or limits it. */
const ADDITIONS = among(
  'also too another additionally besides both second extra plus likewise alongside third other except unless otherwise sometimes usually only',
)
const RELATIVE = /\b(?:last|this|next)\s+(?:year|month|week|summer|winter|spring|autumn)/iu

/** What the wording of a short note tells about its structure. */
export interface NoteStructure {
  /** Terms of its content words. */
  readonly content: ReadonlySet<string>
  /** Terms of the content words before its first verb; empty if no known verb follows. */
  readonly subject: ReadonlySet<string>
  /** Content words with the content word that directly follows. */
  readonly modifiers: readonly { readonly modifier: string; readonly head: string; readonly isPossessive: boolean }[]
  /** First word, folded. */
  readonly opening: string
  readonly hasClause: boolean
  readonly adds: boolean
  /** True if it says "last year", "this week" and the like. */
  readonly isRelative: boolean
}

const isContent = (token: Token): boolean => !isStop(token)
const POSSESSIVE = /['’]s$/u

export function structureOf(text: string, { tokens }: NoteWords): NoteStructure {
  const folded = tokens.map(({ raw }) => fold(raw))
  const verb = folded.findIndex((word, place) => place > 0 && VERBS.has(word))
  const modifiers = tokens.flatMap((token, i) => {
    const next = tokens[i + 1]
    if (next === undefined || !isContent(token) || !isContent(next)) return []
    const written = text.slice(token.start, token.end)
    return [{ modifier: token.term, head: next.term, isPossessive: POSSESSIVE.test(written) }]
  })
  return {
    content: new Set(tokens.filter(isContent).map(({ term }) => term)),
    subject: new Set(tokens.filter((token, i) => i < verb && isContent(token)).map(({ term }) => term)),
    modifiers,
    opening: folded[0] ?? '',
    hasClause: folded.some((word) => CLAUSES.has(word)),
    adds: folded.some((word) => ADDITIONS.has(word)),
    isRelative: RELATIVE.test(text),
  }
}

export const opensCondition = ({ opening }: NoteStructure): boolean => CONDITIONS.has(opening)
export const opensChange = ({ opening }: NoteStructure): boolean => STARTS.has(opening)
