import { type Fact, IMPLICIT_SESSION, type Instant } from '../facts/fact.js'
import { normalName } from '../graph/names.js'
import { terms } from '../text/text.js'
import { areDifferentItems } from './different-items.js'
import { hasDigit, isTime, type NoteWords, readWords } from './note-words.js'
import { isLater, parseStatedDate } from './stated-date.js'
import { canSupersede, newestFirst, type RankedFact, type Revision } from './supersession.js'
import { describesPastOnly, mentionsChange, type Tense, tenseOf } from './tense.js'

/** Similarity of two results, from unrelated (0) to equal (1); null if one has no vector. */
export type PairSimilarity = (a: number, b: number) => number | null

/** Only among the best is one taken for news of another; what both stand next to is judged by all that were found. */
const LOOKED_AT = 15

/**
 * How alike two notes must be, and how much of the support that the older one has for the query the newer one needs itself.
 * Each value is in the middle of a range that gives the same order.
 */
const NEXT_TO = { alike: 0.4, share: 0.4 }
const CHANGED = { alike: 0.4, share: 0.75 }
const RESTATED = { alike: 0.54, share: 0.9, terms: 2 }
/** Discriminative query terms in both notes, and their share of those in the older one. */
const ANSWERED = { alike: 0.45, share: 0.6, terms: 2, part: 0.66 }

const contributionTo = ({ contributions }: RankedFact, wanted: string): number =>
  contributions.find(({ name }) => name === wanted)?.value ?? 0

/**
 * Maximum distance in log-odds at which the reranker may place the newer note below the older one: beyond it, the newer note
 * answers another query.
 */
const MAX_JUDGED_BELOW = 2.5

/** Evidence for each result: its contributions without the base, and the rerank score relative to the lowest. */
function supportOf(results: readonly RankedFact[]): readonly number[] {
  const lowest = results.reduce((least, one) => Math.min(least, contributionTo(one, 'judge')), 0)
  return results.map((one) => Math.max(0, one.score - contributionTo(one, 'base') - lowest))
}

/** The question, as it was put and by its terms. */
export interface RevisionQuery {
  readonly text: string
  readonly terms: readonly string[]
}

const EMPTY_QUERY: RevisionQuery = { text: '', terms: [] }

/** Which results are newer statements of what others say, newest first. */
export function findRevisions(
  results: readonly RankedFact[],
  likeness: PairSimilarity,
  now: Instant,
  asked: RevisionQuery = EMPTY_QUERY,
): readonly Revision[] {
  const ages = new Map(newestFirst(results, now).map(({ fact }, age) => [fact.id, age]))
  const said = new Map(results.map(({ fact }) => [fact.id, parseStatedDate(fact)]))
  const isNewer: IsNewer = (newer, older) =>
    isLater(said.get(newer.id), said.get(older.id)) ?? (ages.get(newer.id) ?? 0) < (ages.get(older.id) ?? 0)
  const found = [...statementsAgain(results, isNewer), ...notesAgain(results, likeness, isNewer, asked)]
  return found.sort((a, b) => (ages.get(a.newer.id) ?? 0) - (ages.get(b.newer.id) ?? 0))
}

type IsNewer = (newer: Fact, older: Fact) => boolean

const revision = (older: Fact, newer: Fact, why: string): Revision => ({ older, newer, why, trusted: canSupersede(newer, older) })

/** Longer texts are documents, which contain more than one statement; so do lists. */
const MAX_NOTE_CHARS = 1_000
const LIST_ITEM = /^[^\S\n]*(?:[-*+•]|#{1,6}|\d{1,2}[.)])\s/gmu
const MAX_ITEMS = 2
/** A paragraph under a title is limited in length: other paragraphs under the same title continue it. */
const MAX_TITLED_NOTE_CHARS = 300

const statementOf = ({ owner, subject, predicate }: Fact): string | null =>
  subject === null || predicate === null ? null : [owner, normalName(subject), normalName(predicate)].join('\0')

function statementsAgain(results: readonly RankedFact[], isNewer: IsNewer): readonly Revision[] {
  const groups = new Map<string, Fact[]>()
  for (const { fact } of results) {
    const key = statementOf(fact)
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), fact])
  }
  return [...groups.values()].flatMap((group) =>
    group.flatMap((older) =>
      group.filter((newer) => isNewer(newer, older)).map((newer) => revision(older, newer, 'states the same of the same subject later')),
    ),
  )
}

function notesAgain(results: readonly RankedFact[], likeness: PairSimilarity, isNewer: IsNewer, asked: RevisionQuery): readonly Revision[] {
  const inTalk = createTurnPredicate(results.map(({ fact }) => fact))
  const read = createReader()
  const best = results.slice(0, LOOKED_AT)
  const support = supportOf(best)
  const lists = new Set(best.filter(({ fact }) => isList(fact)).map(({ fact }) => fact.id))
  let telling: ReadonlySet<string> | undefined
  let question: NoteWords | undefined
  return best.flatMap((older, i) =>
    best.flatMap((newer, j) => {
      const [a, b] = [older.fact, newer.fact]
      if (i === j || lists.has(a.id) || lists.has(b.id) || (inTalk(a) && inTalk(b)) || !areNotes(older, newer) || !isNewer(b, a)) return []
      const share = (support[j] ?? 0) / Math.max(1e-9, support[i] ?? 0)
      const judgedBelow = contributionTo(older, 'judge') - contributionTo(newer, 'judge')
      if (share < NEXT_TO.share || judgedBelow > MAX_JUDGED_BELOW) return []
      const alike = likeness(i, j)
      if (alike === null || alike < NEXT_TO.alike) return []
      telling ??= selectDiscriminativeTerms(asked.terms, best, read)
      question ??= readWords(asked.text)
      const pair = { older: read(a), newer: read(b), share, alike, question, telling }
      const why = findRevisionReason(pair, () => areNearest(results, i, j, likeness, isNewer))
      return why === null ? [] : [revision(a, b, why)]
    }),
  )
}

/** Several things in one note, none of which another note replaces. */
const isList = ({ text }: Fact): boolean => text.length <= MAX_NOTE_CHARS && (text.match(LIST_ITEM)?.length ?? 0) > MAX_ITEMS

/** A term that more than this share of the best results contains does not distinguish two of them. */
const MAX_SHARED_SHARE = 1 / 3

/** Query terms that few of the best results contain; terms in most of them do not make two results similar. */
function selectDiscriminativeTerms(asked: readonly string[], best: readonly RankedFact[], read: Reader): ReadonlySet<string> {
  const notes = best.filter(({ fact }) => fact.text.length <= MAX_NOTE_CHARS).map(({ fact }) => read(fact).terms)
  const most = Math.max(2, notes.length * MAX_SHARED_SHARE)
  return new Set(asked.filter((term) => notes.filter((words) => words.has(term)).length <= most))
}

interface ReadNote {
  readonly terms: ReadonlySet<string>
  readonly words: NoteWords
  readonly tense: Tense
}

type Reader = (fact: Fact) => ReadNote

/** Each is compared with several others, and read once. */
function createReader(): Reader {
  const known = new Map<string, ReadNote>()
  return ({ id, text }) => {
    const note = known.get(id) ?? { terms: new Set(terms(text)), words: readWords(text), tense: tenseOf(text) }
    known.set(id, note)
    return note
  }
}

/**
 * Returns a predicate for turns of a conversation: facts of a named session, and facts of several authors over one connection.
 * Facts of a single author over a connection are notes.
 */
export function createTurnPredicate(facts: readonly Fact[]): (fact: Fact) => boolean {
  const authors = new Map<string, Set<string | null>>()
  const keyOf = ({ owner, session }: Fact): string => `${owner}\0${session}`
  for (const fact of facts) authors.set(keyOf(fact), (authors.get(keyOf(fact)) ?? new Set<string | null>()).add(fact.author))
  return (fact) => fact.session !== null && (!fact.session.startsWith(IMPLICIT_SESSION) || (authors.get(keyOf(fact))?.size ?? 0) > 1)
}

/** Texts of two titles have two subjects, long ones many. */
function areNotes({ fact: a, isCode }: RankedFact, { fact: b, isCode: alsoCode }: RankedFact): boolean {
  if (Math.max(a.text.length, b.text.length) > (a.title === null || b.title === null ? MAX_NOTE_CHARS : MAX_TITLED_NOTE_CHARS)) return false
  const oneTitle = a.title === null || b.title === null || a.title === b.title
  return oneTitle && a.owner === b.owner && !isCode && !alsoCode && statementOf(a) === null && statementOf(b) === null
}

interface Pair {
  readonly older: ReadNote
  readonly newer: ReadNote
  /** Support of the newer relative to that of the older. */
  readonly share: number
  readonly alike: number
  readonly question: NoteWords
  /** Terms of the question that tell some results from the rest. */
  readonly telling: ReadonlySet<string>
}

/**
 * Two notes in free text are about the same thing if they are similar and share words. The later one supersedes the earlier one if
 * it contains words of change, if each is the nearest of the other among all later or earlier notes, or if both contain the same
 * query terms: then they answer it with two values.
 */
function findRevisionReason({ older, newer, share, alike, question, telling }: Pair, areNearestNotes: () => boolean): string | null {
  const times = new Set(older.words.tokens.filter((one) => isTime(one) || hasDigit(one.raw)).map(({ term }) => term))
  const shared = [...newer.terms].filter((term) => older.terms.has(term) && !times.has(term))
  if (shared.length === 0) return null
  const changed = mentionsChange(newer.tense, older.tense)
  if (areDifferentItems({ question, older: older.words, newer: newer.words, changed })) return null
  if (!changed && describesPastOnly(newer.tense, older.tense)) return null
  const answerAlike = (): boolean => {
    const both = shared.filter((term) => telling.has(term)).length
    const held = [...older.terms].filter((term) => telling.has(term)).length
    return both >= ANSWERED.terms && both >= ANSWERED.part * held
  }
  if (!changed) {
    if (shared.length >= RESTATED.terms && alike >= RESTATED.alike && share >= RESTATED.share) return 'says much the same later'
    return alike >= ANSWERED.alike && share >= ANSWERED.share && answerAlike() ? 'answers the same question later' : null
  }
  if (alike >= CHANGED.alike && share >= CHANGED.share) return 'tells later of a change in it'
  if (answerAlike()) return 'answers the same question later and tells of a change'
  return areNearestNotes() ? 'is the nearest later note and tells of a change' : null
}

/** No other later note is nearer to the older, and no other earlier one to the newer. */
function areNearest(results: readonly RankedFact[], i: number, j: number, likeness: PairSimilarity, isNewer: IsNewer): boolean {
  const [older, newer] = [results[i]?.fact, results[j]?.fact]
  const alike = likeness(i, j) ?? 0
  if (older === undefined || newer === undefined) return false
  return results.every(({ fact }, k) => {
    if (k === i || k === j) return true
    return !(isNewer(newer, fact) && (likeness(k, j) ?? 0) > alike) && !(isNewer(fact, older) && (likeness(k, i) ?? 0) > alike)
  })
}
