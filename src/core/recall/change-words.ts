import { words } from '../text.js'

const among = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Said of what is no longer as it was. Only past forms: in the present the same verbs tell what is usual. */
const VERBS = among(
  'abandoned adjusted became bumped canceled cancelled changed converted corrected cut decreased delayed deprecated discontinued ' +
    'doubled downgraded dropped ended expired extended fallen fell gone grew grown halved increased lifted lowered migrated moved ' +
    'narrowed postponed quit raised redone reduced relocated removed renamed replaced rescheduled resigned retired reverted revised ' +
    'risen rose scrapped shifted shortened stopped superseded swapped switched transferred updated upgraded went widened withdrawn ' +
    'withdrew',
)

/** They set the present against the past. Of German, French and Spanish only the commonest. */
const ADVERBS = among(
  'now nowadays anymore instead henceforth formerly previously jetzt nun neuerdings stattdessen mittlerweile inzwischen früher ' +
    'maintenant désormais dorénavant auparavant ahora actualmente anteriormente',
)

/** The same in two words. */
const PHRASES: ReadonlySet<string> = new Set(
  (
    'no longer,any more,as of,from now,used to,until recently,since then,gave up,took over,handed over,pulled out,came back,down to,' +
    'brought forward,has left,have left,we left,nicht mehr,ab sofort,ne plus,au lieu,ya no,en lugar,en vez'
  ).split(','),
)

/** Whether a text says that something has changed. */
export function tellsChange(text: string): boolean {
  const said = words(text)
  return said.some((word, i) => VERBS.has(word) || ADVERBS.has(word) || PHRASES.has(`${word} ${said[i + 1] ?? ''}`))
}
