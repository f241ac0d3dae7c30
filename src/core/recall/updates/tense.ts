import { fold, words } from '../../text/text.js'

/** As `words` gives them. */
const among = (text: string): ReadonlySet<string> => new Set(fold(text).split(' '))

/** Said of what is no longer as it was. Only past forms: in the present the same verbs tell what is usual. */
const VERBS = among(
  'abandoned adjusted appointed became bumped canceled cancelled changed converted corrected cut decreased delayed deprecated ' +
    'discontinued doubled downgraded dropped elected ended expired extended fallen fell fixed gone grew grown halved increased lifted ' +
    'lowered migrated moved narrowed postponed promoted quit raised redone reduced relocated removed renamed reopened replaced ' +
    'rescheduled resigned resolved retired reverted revised risen rose scrapped shifted shortened sold stopped superseded swapped ' +
    'switched transferred updated upgraded widened withdrawn withdrew umgezogen gewechselt verschoben geändert ersetzt umgestellt ' +
    'déménagé changé remplacé déplacé mudó mudado cambió cambiado reemplazado movido',
)

/** Words that contrast present and past. For German, French and Spanish, only the most common. */
const ADVERBS = among(
  'now nowadays anymore instead henceforth jetzt nun neuerdings stattdessen mittlerweile inzwischen maintenant désormais dorénavant ' +
    'ahora actualmente',
)

/** The same in two words. */
const PHRASES: ReadonlySet<string> = new Set(
  (
    'no longer,any more,as of,from now,since then,went up,went down,went from,went to,gave up,took over,handed over,pulled out,' +
    'came back,down to,brought forward,has left,have left,we left,nicht mehr,ab sofort,ne plus,au lieu,ya no,en lugar,en vez'
  ).split(','),
)

/** Words that describe an earlier state. */
const PAST = among('formerly previously originally früher damals auparavant anteriormente')
const PAST_PHRASES: ReadonlySet<string> = new Set(
  'until recently,last year,last month,last summer,last winter,back then,letztes jahr'.split(','),
)
const WAS = among('was were went did waren était étaient')
const IS = among('is are has have lives works ist sind est sont')
/** A completed action describes the present state: "was paid", "was fixed". */
const DONE = /(?:ed|en|paid|sold|built|made|sent|found|bought|cut|set|put|done|won|lost|held|hung|dug|left)$/u
/** "In 2010 she lived in Madrid": a year, and then a verb of the past. */
const LIVED = /^(?:in|back in)\s+(?:19|20)\d\d,?\s+(?:\p{L}+\s+){1,3}?\p{L}+ed\b/iu

/** Validity of a note according to its wording. */
export interface Tense {
  /** Words of change. */
  readonly changes: ReadonlySet<string>
  /** Explicit words of the past. */
  readonly past: boolean
  /** True if its verbs are in the past, false if in the present. */
  readonly was: boolean
  readonly is: boolean
}

export function tenseOf(text: string): Tense {
  const said = words(text)
  const changes = new Set<string>()
  let [past, was] = [false, false]
  said.forEach((word, i) => {
    const next = said[i + 1] ?? ''
    const phrase = `${word} ${next}`
    if (PHRASES.has(phrase)) changes.add(phrase)
    else if (VERBS.has(word) || ADVERBS.has(word)) changes.add(word)
    const usedTo = phrase === 'used to' && !IS.has(said[i - 1] ?? '')
    if (usedTo || PAST.has(word) || PAST_PHRASES.has(phrase)) past = true
    if (WAS.has(word) && !DONE.test(next)) was = true
  })
  return { changes, past: past || LIVED.test(text.trim()), was, is: said.some((word) => IS.has(word)) }
}

/** True if a note contains words of change; of two notes with the same words of change, neither supersedes the other. */
export const mentionsChange = ({ changes }: Tense, of?: Tense): boolean => [...changes].some((change) => of?.changes.has(change) !== true)

/** True if a note only describes an earlier state: it does not supersede a note about the present, even if it was written later. */
export const describesPastOnly = (said: Tense, of: Tense): boolean => said.past || (said.was && !said.is && of.is)
