import type { Fact, Instant } from '../fact.js'
import { normalName } from '../names.js'
import { terms } from '../text.js'
import { speaksOfThePast, tellsChange } from './change-words.js'
import { isTrusted, newestFirst, type Placed, type Revision } from './newer.js'
import { saidLater } from './said-when.js'
import { areSiblings, asksForOlder } from './siblings.js'

/** How alike two results are, from unrelated (0) to equal (1); null where one has no vector. */
export type Likeness = (a: number, b: number) => number | null

/** Only among the best is one taken for news of another; what both stand next to is judged by all that were found. */
const LOOKED_AT = 15

/**
 * How alike two notes must be, and how well the newer must answer beside the older, for the newer to replace it. Each was
 * chosen in the middle of a range that gives the same order.
 */
const NEXT_TO = { alike: 0.4, score: 0.4 }
const CHANGED = { alike: 0.4, score: 0.75 }
const RESTATED = { alike: 0.54, score: 0.9, terms: 2 }
/** Telling terms of the question that both hold, and their share in those that the older holds. */
const ANSWERED = { alike: 0.45, score: 0.6, terms: 2, share: 0.66 }

/** The question, as it was put and by its terms. */
export interface Asked {
  readonly text: string
  readonly terms: readonly string[]
}

const NOTHING: Asked = { text: '', terms: [] }

/** Which results are newer statements of what others say, newest first. */
export function revisionsAmong(results: readonly Placed[], likeness: Likeness, now: Instant, asked: Asked = NOTHING): readonly Revision[] {
  const ages = new Map(newestFirst(results, now).map(({ fact }, age) => [fact.id, age]))
  const isNewer: IsNewer = (newer, older) => saidLater(newer, older) ?? (ages.get(newer.id) ?? 0) < (ages.get(older.id) ?? 0)
  const found = [...statementsAgain(results, isNewer), ...notesAgain(results, likeness, isNewer, asked)]
  return found.sort((a, b) => (ages.get(a.newer.id) ?? 0) - (ages.get(b.newer.id) ?? 0))
}

type IsNewer = (newer: Fact, older: Fact) => boolean

const revision = (older: Fact, newer: Fact, why: string): Revision => ({ older, newer, why, trusted: isTrusted(newer, older) })

/** Longer texts are documents, which hold much beside what another says; so do lists. */
const LONGEST_NOTE = 1_000
const LIST_ITEM = /^\s*(?:[-*+•]|#{1,6}|\d{1,2}[.)])\s/gmu
const MOST_ITEMS = 2
/** With a title a paragraph is one: others under the same title go on where it ends. */
const LONGEST_TITLED_NOTE = 300

const statementOf = ({ owner, subject, predicate }: Fact): string | null =>
  subject === null || predicate === null ? null : [owner, normalName(subject), normalName(predicate)].join('\0')

function statementsAgain(results: readonly Placed[], isNewer: IsNewer): readonly Revision[] {
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

function notesAgain(results: readonly Placed[], likeness: Likeness, isNewer: IsNewer, asked: Asked): readonly Revision[] {
  const best = results.slice(0, LOOKED_AT)
  const talks = talksAmong(results.map(({ fact }) => fact))
  const wordsOf = createWords()
  let known: ReadonlySet<string> | undefined
  const telling = (): ReadonlySet<string> => (known ??= tellingTerms(asked.terms, best, wordsOf))
  return best.flatMap((older, i) =>
    best.flatMap((newer, j) => {
      if (i === j || !areNotes(older, newer, talks) || !isNewer(newer.fact, older.fact)) return []
      const why = newsOf(
        older,
        newer,
        asked.text,
        () => likeness(i, j),
        wordsOf,
        telling,
        () => areNearest(results, i, j, likeness, isNewer),
      )
      return why === null ? [] : [revision(older.fact, newer.fact, why)]
    }),
  )
}

/** Of the best results, at most this share holds a term that tells two of them from the rest. */
const FEW = 1 / 3

/** Terms of the question that few of the best results hold: what most of them are about makes no two alike. */
function tellingTerms(asked: readonly string[], best: readonly Placed[], wordsOf: WordsOf): ReadonlySet<string> {
  const notes = best.filter(({ fact }) => fact.text.length <= LONGEST_NOTE).map(({ fact }) => wordsOf(fact))
  const most = Math.max(2, notes.length * FEW)
  return new Set(asked.filter((term) => notes.filter((words) => words.has(term)).length <= most))
}

type WordsOf = (fact: Fact) => ReadonlySet<string>

/** Each is compared with several others. */
function createWords(): WordsOf {
  const known = new Map<string, ReadonlySet<string>>()
  return ({ id, text }) => {
    const words = known.get(id) ?? new Set(terms(text))
    known.set(id, words)
    return words
  }
}

/** What is said over a connection has a session that nobody named. */
const IMPLICIT = '~'

/**
 * The sessions that are conversations: those that someone named, and what several authors say over one connection. What one
 * author stores over a connection are notes.
 */
export function talksAmong(facts: readonly Pick<Fact, 'session' | 'author'>[]): ReadonlySet<string> {
  const authors = new Map<string, Set<string | null>>()
  for (const { session, author } of facts)
    if (session !== null) authors.set(session, (authors.get(session) ?? new Set<string | null>()).add(author))
  return new Set([...authors].flatMap(([session, who]) => (session.startsWith(IMPLICIT) && who.size === 1 ? [] : [session])))
}

/** Turns of conversations follow one another without taking anything back, and texts of two titles have two subjects. */
function areNotes({ fact: a, isCode }: Placed, { fact: b, isCode: alsoCode }: Placed, talks: ReadonlySet<string>): boolean {
  if (Math.max(a.text.length, b.text.length) > (a.title === null || b.title === null ? LONGEST_NOTE : LONGEST_TITLED_NOTE)) return false
  if ([a.text, b.text].some((text) => (text.match(LIST_ITEM)?.length ?? 0) > MOST_ITEMS)) return false
  const inTalk = ({ session }: Fact): boolean => session !== null && talks.has(session)
  const alone = !(inTalk(a) && inTalk(b)) && (a.title === null || b.title === null || a.title === b.title)
  return alone && a.owner === b.owner && !isCode && !alsoCode && statementOf(a) === null && statementOf(b) === null
}

/**
 * Two notes in free text are about the same thing where they are alike and share words. That the later replaces the
 * earlier shows when it tells of a change, most where each is the other's nearest among all notes later or earlier, or when
 * both hold the same words of the question: then they answer it with two values.
 */
function newsOf(
  older: Placed,
  newer: Placed,
  question: string,
  likeness: () => number | null,
  wordsOf: WordsOf,
  telling: () => ReadonlySet<string>,
  areNearestNotes: () => boolean,
): string | null {
  const share = older.score > 0 ? newer.score / older.score : 0
  if (share < NEXT_TO.score) return null
  const alike = likeness()
  if (alike === null || alike < NEXT_TO.alike) return null
  const words = wordsOf(older.fact)
  const shared = [...wordsOf(newer.fact)].filter((word) => words.has(word))
  if (shared.length === 0) return null
  const compared = { question, older: older.fact.text, newer: newer.fact.text }
  const changed = tellsChange(newer.fact.text, older.fact.text)
  if (asksForOlder(compared, changed) || (!changed && (areSiblings(compared) || speaksOfThePast(newer.fact.text, older.fact.text))))
    return null
  const answerAlike = (): boolean => {
    const asked = telling()
    const both = shared.filter((word) => asked.has(word)).length
    const held = [...words].filter((word) => asked.has(word)).length
    return both >= ANSWERED.terms && both >= ANSWERED.share * held
  }
  if (!changed) {
    if (shared.length >= RESTATED.terms && alike >= RESTATED.alike && share >= RESTATED.score) return 'says much the same later'
    return alike >= ANSWERED.alike && share >= ANSWERED.score && answerAlike() ? 'answers the same question later' : null
  }
  if (alike >= CHANGED.alike && share >= CHANGED.score) return 'tells later of a change in it'
  if (answerAlike()) return 'answers the same question later and tells of a change'
  return areNearestNotes() ? 'is the nearest later note and tells of a change' : null
}

/** No other later note is nearer to the older, and no other earlier one to the newer. */
function areNearest(results: readonly Placed[], i: number, j: number, likeness: Likeness, isNewer: IsNewer): boolean {
  const [older, newer] = [results[i]?.fact, results[j]?.fact]
  const alike = likeness(i, j) ?? 0
  if (older === undefined || newer === undefined) return false
  return results.every(({ fact }, k) => {
    if (k === i || k === j) return true
    return !(isNewer(newer, fact) && (likeness(k, j) ?? 0) > alike) && !(isNewer(fact, older) && (likeness(k, i) ?? 0) > alike)
  })
}
