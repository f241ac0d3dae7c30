import { stem } from '../text/stem.js'
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

/** A question and two notes that answer it. */
export interface Comparison {
  readonly question: NoteWords
  readonly older: NoteWords
  readonly newer: NoteWords
  /** True if the newer note contains words of change. */
  readonly changed: boolean
}

/**
 * Whether two notes that read alike are about two things of one kind, so that neither is news of the other: because the
 * question means one of them, or because they say so themselves.
 */
export const areDifferentItems = (compared: Comparison): boolean =>
  asksForOlder(compared) || asksFor(compared.question, compared.newer, compared.older) || tellThemselvesApart(compared)

/** True if the newer note describes a change and names a person whom the older one names too. */
function asksForOlder({ question, older, newer, changed }: Comparison): boolean {
  const sharesName = older.tokens.some((one) => isName(one) && newer.terms.has(one.term) && !question.written.has(one.term))
  return asksFor(question, older, newer, changed && sharesName)
}

/**
 * True if the query refers to one note and not the other: it contains a name, number, letter or month that only one note contains,
 * or a word before another ("apple cake") where the other note has a third ("carrot cake").
 */
function asksFor(question: NoteWords, one: NoteWords, other: NoteWords, exactly = false): boolean {
  // A number is another one as soon as more belongs to it.
  const only = question.tokens.filter(({ term, raw }) => one.terms.has(term) && !(hasDigit(raw) ? other.written : other.terms).has(term))
  if (only.length === 0) return false
  if (only.some((token) => hasDigit(token.raw) || isLetter(token) || isTime(token))) return true
  if (exactly) return false
  const named = new Set(one.tokens.filter(isName).map(({ term }) => term))
  if (only.some((token) => named.has(token.term) || isName(token))) return true
  const together = new Set(question.pairs.map(({ left, right }) => `${left.term} ${right.term}`))
  return contrasts(one, other).some(({ left, right }) => together.has(`${left.term} ${right.term}`))
}

/**
 * True if another name precedes the same word ("Tom's shoe size"). Without words of change also if another number or letter
 * follows the same word ("bed 4", "server B"), and at the beginning for codes of one form ("db-02" and "db-03") or another word
 * before the same one ("red pump"), unless the query is about pumps: then the word may be what the query asks for.
 */
function tellThemselvesApart({ question, older, newer, changed }: Comparison): boolean {
  const found = contrasts(older, newer)
  if (found.some(({ left, right, other }) => isCapitalised(left) && isCapitalised(other) && !isCapitalised(right))) return true
  if (changed) return false
  const labels = labelsOf(older)
  for (const [noun, own] of labelsOf(newer)) {
    const others = labels.get(noun)
    if (others !== undefined && ![...own].some((label) => others.has(label)) && !asksWhich(question, noun)) return true
  }
  const forms = new Set(codesAtBeginning(newer, older).map(formOf))
  if (codesAtBeginning(older, newer).some((code) => forms.has(formOf(code)))) return true
  return found.some(({ left, right, other }) => Math.max(left.place, other.place) <= SUBJECT && !question.written.has(right.term))
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
