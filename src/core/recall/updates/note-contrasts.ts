import { stem } from '../../text/stem.js'
import { hasDigit, isCapitalised, isLetter, isName, isStop, isTime, type NoteWords, type Pair, type Token } from './note-words.js'

/** Things that people number or letter: "bed 4" and "bed 7" are two of them, not one that changed. */
const LABELLED: ReadonlySet<string> = new Set(
  (
    'account apartment area article aisle backup batch bay bed block board box building bus cabin cabinet camera case chapter class ' +
    'cluster contract course customer desk device door employee engine episode exam experiment flat flight form gate grade group gym ' +
    'hall host hive house invoice issue item kiln lab lane lesson level line locker lot machine meter milestone module number option ' +
    'order part patient phase pipeline plan plate platform plot printer project pump question quote rack reactor release request room ' +
    'route row sample seat section sector sensor server shelf ship slot sprint stage station step storey street subject table tank ' +
    'task team tenant terminal test ticket track train tram truck unit user van version volume wagon ward week wing zone'
  )
    .split(' ')
    .map(stem),
)
const LABEL = /^(?:\p{Nd}[\p{L}\p{Nd}.]{0,9}|\p{Lu})$/u
const DIGITS = /\p{Nd}+/gu
const LETTERS = /^\p{L}{2,}$/u
/** The subject of a note is at its beginning, at most after an article. */
const SUBJECT = 1

/** A query and two notes that answer it. */
export interface Comparison {
  readonly question: NoteWords
  readonly older: NoteWords
  readonly newer: NoteWords
}

/** In which ways two notes differ that read alike. */
export interface Contrasts {
  /** Different names before the same word: "Tom's shoe size". */
  readonly name: boolean
  /** Different numbers or letters after the same word ("bed 4"), unless the query asks which. */
  readonly label: boolean
  /** Different codes of one form at the beginning: "db-02" and "db-03". */
  readonly code: boolean
  /** Different words before the same word at the beginning ("red pump"), unless the query is about pumps. */
  readonly subject: boolean
  /** The query refers to the older, or to the newer note, and not to the other. */
  readonly askedOlder: boolean
  readonly askedNewer: boolean
}

export function findContrasts({ question, older, newer }: Comparison): Contrasts {
  const found = contrasts(older, newer)
  const labels = labelsOf(older)
  const forms = new Set(codesAtBeginning(newer, older).map(formOf))
  return {
    name: found.some(({ left, right, other }) => isCapitalised(left) && isCapitalised(other) && !isCapitalised(right)),
    label: [...labelsOf(newer)].some(([noun, own]) => {
      const others = labels.get(noun)
      return others !== undefined && ![...own].some((label) => others.has(label)) && !asksWhich(question, noun)
    }),
    code: codesAtBeginning(older, newer).some((code) => forms.has(formOf(code))),
    subject: found.some(({ left, right, other }) => Math.max(left.place, other.place) <= SUBJECT && !question.written.has(right.term)),
    askedOlder: asksFor(question, older, newer),
    askedNewer: asksFor(question, newer, older),
  }
}

/**
 * True if the query refers to one note and not the other: it contains a name, number, letter or month that only one note contains,
 * or a word before another ("apple cake") where the other note has a third ("carrot cake").
 */
function asksFor(question: NoteWords, one: NoteWords, other: NoteWords): boolean {
  // A number is another one as soon as more belongs to it.
  const only = question.tokens.filter(({ term, raw }) => one.terms.has(term) && !(hasDigit(raw) ? other.written : other.terms).has(term))
  if (only.length === 0) return false
  if (only.some((token) => hasDigit(token.raw) || isLetter(token) || isTime(token))) return true
  const named = new Set(one.tokens.filter(isName).map(({ term }) => term))
  if (only.some((token) => named.has(token.term) || isName(token))) return true
  const together = new Set(question.pairs.map(({ left, right }) => `${left.term} ${right.term}`))
  return contrasts(one, other).some(({ left, right }) => together.has(`${left.term} ${right.term}`))
}

/** A token that begins with a digit is a number with its unit. */
const codesAtBeginning = ({ tokens }: NoteWords, other: NoteWords): readonly string[] =>
  tokens
    .slice(0, SUBJECT + 1)
    .map(({ term }) => term)
    .filter((term) => /^\p{L}/u.test(term) && hasDigit(term) && !other.terms.has(term))

const formOf = (term: string): string => term.replace(DIGITS, '#')

function labelsOf({ pairs }: NoteWords): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>()
  for (const { left, right } of pairs)
    if (LABELLED.has(left.term) && LABEL.test(right.raw)) labels.set(left.term, (labels.get(left.term) ?? new Set<string>()).add(right.raw))
  return labels
}

/** True for "which bed" or "what room", which ask for the number. */
const asksWhich = ({ pairs }: NoteWords, noun: string): boolean =>
  pairs.some(({ left, right }) => right.term === noun && (left.term === 'which' || left.term === 'what'))

interface Contrast extends Pair {
  /** The token of the other note at the same position. */
  readonly other: Token
}

const isModifier = (one: Token): boolean => LETTERS.test(one.raw) && !isStop(one)

/** Pairs in which both notes have the same word after different ones. */
function contrasts(one: NoteWords, another: NoteWords): readonly Contrast[] {
  const others = new Map<string, Token>()
  for (const { left, right } of another.pairs)
    if (isModifier(left) && !isStop(right) && !one.terms.has(left.term) && one.terms.has(right.term)) others.set(right.term, left)
  return one.pairs.flatMap(({ left, right }) => {
    const other = others.get(right.term)
    return other !== undefined && isModifier(left) && !another.terms.has(left.term) ? [{ left, right, other }] : []
  })
}
