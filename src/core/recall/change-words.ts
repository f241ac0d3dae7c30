import { fold, words } from '../text.js'

/** As `words` gives them. */
const among = (text: string): ReadonlySet<string> => new Set(fold(text).split(' '))

/** Said of what is no longer as it was. Only past forms: in the present the same verbs tell what is usual. */
const VERBS = among(
  'abandoned adjusted became bumped canceled cancelled changed converted corrected cut decreased delayed deprecated discontinued ' +
    'doubled downgraded dropped ended expired extended fallen fell gone grew grown halved increased lifted lowered migrated moved ' +
    'narrowed postponed quit raised redone reduced relocated removed renamed replaced rescheduled resigned retired reverted revised ' +
    'risen rose scrapped shifted shortened stopped superseded swapped switched transferred updated upgraded widened withdrawn ' +
    'withdrew',
)

/** They set the present against the past. Of German, French and Spanish only the commonest. */
const ADVERBS = among(
  'now nowadays anymore instead henceforth jetzt nun neuerdings stattdessen mittlerweile inzwischen maintenant désormais dorénavant ' +
    'ahora actualmente',
)

/** The same in two words. */
const PHRASES: ReadonlySet<string> = new Set(
  (
    'no longer,any more,as of,from now,since then,went up,went down,went from,went to,gave up,took over,handed over,pulled out,came back,down to,' +
    'brought forward,has left,have left,we left,nicht mehr,ab sofort,ne plus,au lieu,ya no,en lugar,en vez'
  ).split(','),
)

function changesIn(text: string): readonly string[] {
  const said = words(text)
  return said.flatMap((word, i) => {
    const phrase = `${word} ${said[i + 1] ?? ''}`
    return PHRASES.has(phrase) ? [phrase] : VERBS.has(word) || ADVERBS.has(word) ? [word] : []
  })
}

/** Whether a text says that something has changed; of two notes that both tell of the same change none is news of the other. */
export function tellsChange(text: string, of = ''): boolean {
  const found = changesIn(text)
  if (found.length === 0 || of === '') return found.length > 0
  const known = new Set(changesIn(of))
  return found.some((change) => !known.has(change))
}

/** They tell how it was. */
const PAST = among('formerly previously originally früher damals auparavant anteriormente')
const PAST_PHRASES: ReadonlySet<string> = new Set(
  'used to,until recently,last year,last month,last summer,last winter,back then,back in,letztes jahr,il y'.split(','),
)
const WAS = among('was were went did war waren était étaient era eran')
const IS = among('is are has have lives works ist sind hat est sont es son')
const YEAR_FIRST = /^(?:in|back in|im jahr|en)\s+(?:19|20)\d\d\b/iu

/** Whether a note only tells how it was: of what is now it is no news, though it was written later. */
export function speaksOfThePast(text: string, of: string): boolean {
  const said = words(text)
  if (YEAR_FIRST.test(text.trim()) || said.some((word, i) => PAST.has(word) || PAST_PHRASES.has(`${word} ${said[i + 1] ?? ''}`)))
    return true
  return said.some((word) => WAS.has(word)) && !said.some((word) => IS.has(word)) && words(of).some((word) => IS.has(word))
}
