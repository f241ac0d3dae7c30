import { stem } from '../stem.js'
import { fold, STOP_WORDS, terms } from '../text.js'

/** Things that people number or letter: "bed 4" and "bed 7" are two of them, not one that changed. */
const LABELLED: ReadonlySet<string> = new Set(
  (
    'account apartment area article aisle backup batch bay bed block board box building bus cabin cabinet camera case chapter class ' +
    'cluster contract course customer desk device door employee engine episode exam experiment flat flight form gate grade group hall ' +
    'host hive house invoice issue item kiln lab lane lesson level line locker lot machine meter milestone module number option order ' +
    'part patient phase pipeline plan plate platform plot printer project pump question quote rack reactor request room route row ' +
    'sample seat section sector sensor server shelf ship slot sprint stage station step storey street subject table tank task team ' +
    'tenant terminal test ticket track train tram truck unit user van volume wagon ward week wing zone'
  )
    .split(' ')
    .map(stem),
)

interface Token {
  /** As search knows it. */
  readonly term: string
  readonly raw: string
  /** Nothing but a space between it and the one before. */
  readonly adjacent: boolean
  /** First of its sentence, where a capital letter says nothing. */
  readonly first: boolean
}

const TOKEN = /[\p{L}\p{N}]+(?:[.:/_-][\p{L}\p{N}]+|,\p{Nd}+)*(?:['’]s(?![\p{L}\p{N}]))?/gu
const POSSESSIVE = /['’]s$/u
const DIGIT = /\p{Nd}/u
const DIGITS = /\p{Nd}+/gu
/** A letter by itself. */
const CAPITAL = /^\p{Lu}$/u
const LABEL = /^(?:\p{Nd}{1,6}|\p{Lu})$/u
/** Capital and small letters: a name, not an abbreviation. */
const NAME = /^\p{Lu}\p{Ll}/u
const LETTERS = /^\p{L}{2,}$/u

/** A dot behind "Mr" or "Dr" ends no sentence. */
const SENTENCE_END = /[!?\n]|(?<!\b(?:mr|mrs|ms|dr|prof|st|no|nr|vs))\./iu

/** Notes are short; of a long question the beginning tells what is asked. */
const MOST_CHARACTERS = 4_000

function tokensOf(text: string): readonly Token[] {
  const read = text.slice(0, MOST_CHARACTERS)
  let end = 0
  let last = ''
  return [...read.matchAll(TOKEN)].map((match) => {
    const before = last
    last = match[0]
    const gap = read.slice(end, match.index)
    end = match.index + match[0].length
    const raw = match[0].replace(POSSESSIVE, '')
    return { term: stem(fold(raw)), raw, adjacent: gap === ' ', first: match.index === 0 || SENTENCE_END.test(`${before}${gap}`) }
  })
}

/** "Server A"; neither an article nor "I". */
const isLetter = ({ raw, adjacent, first }: Token): boolean => CAPITAL.test(raw) && raw !== 'I' && adjacent && !first
const COUNTS: ReadonlySet<string> = new Set('one two three four five six seven eight nine ten'.split(' '))
const isStop = ({ raw }: Token): boolean => STOP_WORDS.has(fold(raw)) || COUNTS.has(fold(raw))
/** Written with a capital letter, and no name of anyone. */
const NO_NAMES: ReadonlySet<string> = new Set(
  (
    'january february march april may june july august september october november december ' +
    'monday tuesday wednesday thursday friday saturday sunday mr mrs ms miss dr prof'
  ).split(' '),
)
const isName = ({ raw, first }: Token): boolean => NAME.test(raw) && !first && !NO_NAMES.has(raw.toLowerCase())

/** Two words side by side. */
interface Pair {
  readonly left: Token
  readonly right: Token
}

const pairsOf = (tokens: readonly Token[]): readonly Pair[] =>
  tokens.flatMap((right, i) => {
    const left = tokens[i - 1]
    return left !== undefined && right.adjacent ? [{ left, right }] : []
  })

/** A question and two notes that answer it, looked at word by word. */
export interface Comparison {
  readonly question: string
  readonly older: string
  readonly newer: string
}

/**
 * Whether two notes that read alike are about two things of one kind, of which the question means the one of the older: it
 * holds a name, a number or a letter that only the older has, or the word before another ("apple cake") in the place of which
 * the newer has a third ("carrot cake"). A newer note that tells of a change and names someone whom the older names, too, is
 * about the same.
 */
export function asksForOlder({ question, older, newer }: Comparison, changed: boolean): boolean {
  const [asked, before, after] = [tokensOf(question), tokensOf(older), tokensOf(newer)]
  const [inOlder, inNewer] = [termsOf(older, before), termsOf(newer, after)]
  // A number is another one as soon as more belongs to it: 1 is no part of 1,240.
  const written = new Set(after.map(({ term }) => term))
  const onlyOlder = asked.filter(({ term, raw }) => inOlder.has(term) && !(DIGIT.test(raw) ? written : inNewer).has(term))
  if (onlyOlder.length === 0) return false
  if (onlyOlder.some((one) => DIGIT.test(one.raw) || isLetter(one))) return true
  const sharesName = changed && before.some((one) => isName(one) && inNewer.has(one.term) && !asked.some(({ term }) => term === one.term))
  if (sharesName) return false
  const named = new Set(before.filter(isName).map(({ term }) => term))
  if (onlyOlder.some((one) => named.has(one.term) || isName(one))) return true
  const together = new Set(pairsOf(asked).map(({ left, right }) => `${left.term} ${right.term}`))
  return contrasts({ before, after, inOlder, inNewer }).some(({ left, right }) => together.has(`${left.term} ${right.term}`))
}

/**
 * Whether two notes tell by themselves that they are about two things: the same word with another number or letter behind
 * it ("bed 4", "server B"), codes of one form ("C3" and "C4"), or another name before the same word ("Tom's shoe size"). So
 * does any other word there ("red pump"), unless the question is about pumps: then it may be what is asked for.
 */
export function areSiblings({ question, older, newer }: Comparison): boolean {
  const [asked, before, after] = [tokensOf(question), tokensOf(older), tokensOf(newer)]
  const [inOlder, inNewer] = [termsOf(older, before), termsOf(newer, after)]
  const labels = labelsOf(before)
  for (const [noun, label] of labelsOf(after)) {
    const other = labels.get(noun)
    if (other !== undefined && other !== label && !asksWhich(asked, noun)) return true
  }
  const forms = new Set(after.filter(({ term }) => isCode(term) && !inOlder.has(term)).map(({ term }) => formOf(term)))
  if (before.some(({ term }) => isCode(term) && !inNewer.has(term) && forms.has(formOf(term)))) return true
  const inQuestion = new Set(asked.map(({ term }) => term))
  return contrasts({ before, after, inOlder, inNewer }).some(
    ({ left, right, other }) => !inQuestion.has(right.term) || [left, other].every((one) => NAME.test(one.raw)),
  )
}

/** Its words as search knows them, identifiers in parts, and each as it is written. */
const termsOf = (text: string, tokens: readonly Token[]): ReadonlySet<string> =>
  new Set([...terms(text.slice(0, MOST_CHARACTERS)), ...tokens.map(({ term }) => term)])

/** What begins with a digit is a number with its unit. */
const isCode = (term: string): boolean => /^\p{L}/u.test(term) && DIGIT.test(term)
const formOf = (term: string): string => term.replace(DIGITS, '#')

const labelsOf = (tokens: readonly Token[]): ReadonlyMap<string, string> =>
  new Map(pairsOf(tokens).flatMap(({ left, right }) => (LABELLED.has(left.term) && LABEL.test(right.raw) ? [[left.term, right.raw]] : [])))

/** "Which bed", "what room": then the number is what is asked for. */
const asksWhich = (asked: readonly Token[], noun: string): boolean =>
  pairsOf(asked).some(({ left, right }) => right.term === noun && (left.term === 'which' || left.term === 'what'))

interface Contrast extends Pair {
  /** What the newer has in the place of the left one. */
  readonly other: Token
}

interface Sides {
  readonly before: readonly Token[]
  readonly after: readonly Token[]
  readonly inOlder: ReadonlySet<string>
  readonly inNewer: ReadonlySet<string>
}

/** Where both have the same word, and before it one that the other note does not have. */
function contrasts({ before, after, inOlder, inNewer }: Sides): readonly Contrast[] {
  const isModifier = (one: Token): boolean => LETTERS.test(one.raw) && !isStop(one)
  const others = new Map<string, Token>()
  for (const { left, right } of pairsOf(after))
    if (isModifier(left) && !isStop(right) && !inOlder.has(left.term) && inOlder.has(right.term)) others.set(right.term, left)
  return pairsOf(before).flatMap(({ left, right }) => {
    const other = others.get(right.term)
    return other !== undefined && isModifier(left) && !inNewer.has(left.term) ? [{ left, right, other }] : []
  })
}
