import type { Fact, Instant } from '../../facts/fact.js'
import { createTurnPredicate } from '../../facts/turns.js'
import { normalName } from '../../graph/names.js'
import { terms } from '../../text/text.js'
import { toProbability } from '../rank.js'
import { UPDATE_SIGNALS, type UpdateRecipe, type UpdateSignals } from '../recipe/update-recipe.js'
import { structureOf } from './note-structure.js'
import { isStop, type NoteWords, readWords } from './note-words.js'
import { isLater, parseStatedDate } from './stated-date.js'
import { canSupersede, newestFirst, type RankedFact, type Revision } from './supersession.js'
import { tenseOf } from './tense.js'
import { computeUpdateSignals, type ReadNote } from './update-signals.js'

/** Similarity of two results, from unrelated (0) to equal (1); null if one has no vector. */
export type PairSimilarity = (a: number, b: number) => number | null

/** Results that are compared with each other. */
const MAX_COMPARED = 15
/** Less probable revisions change nothing that could be noticed. */
const MIN_PROBABILITY = 0.25
/** Probability of a later statement with the same subject and predicate. */
const STATED_PROBABILITY = 0.98
const STATED_REASON = 'states the same of the same subject later'
/** Distance of raw scores at which the judge says that the later note answers another question. */
const MAX_JUDGED_BELOW = 12
/** Less similar notes are not compared: of 430 updates among the development data, 4 are. */
const MIN_SIMILARITY = 0.35

/** The question, as it was put and by its terms. */
interface RevisionQuery {
  readonly text: string
  readonly terms: readonly string[]
}

const EMPTY_QUERY: RevisionQuery = { text: '', terms: [] }

interface ResultComparison {
  readonly results: readonly RankedFact[]
  readonly likeness: PairSimilarity
  readonly now: Instant
  readonly query?: RevisionQuery
}

/** Which results are newer statements of what others say, newest first. */
export function findRevisions(comparison: ResultComparison, recipe: UpdateRecipe): readonly Revision[] {
  const { results, now } = comparison
  const ages = new Map(newestFirst(results, now).map(({ fact }, age) => [fact.id, age]))
  const isNewer = createAgeComparison(results, ages)
  const updates = listNotePairs(comparison, isNewer).flatMap(({ older, newer, signals }): Revision[] => {
    const probability = toProbability(UPDATE_SIGNALS.reduce((sum, name) => sum + (recipe.coefficients[name] ?? 0) * signals[name], 0))
    const trusted = canSupersede(newer, older)
    const isCertain = probability >= recipe.threshold
    if (probability < MIN_PROBABILITY || (!trusted && !isCertain)) return []
    return [
      { older, newer, why: `says later what it says, with a probability of ${probability.toFixed(2)}`, trusted, probability, isCertain },
    ]
  })
  const found = [...statementsAgain(results, isNewer), ...updates]
  return found.sort((a, b) => (ages.get(a.newer.id) ?? 0) - (ages.get(b.newer.id) ?? 0))
}

/** Pairs of free notes among the best results, with the signals by which one is an update of the other. */
export function compareNotes(comparison: ResultComparison): readonly ComparedNotes[] {
  const { results, now } = comparison
  const ages = new Map(newestFirst(results, now).map(({ fact }, age) => [fact.id, age]))
  return listNotePairs(comparison, createAgeComparison(results, ages))
}

interface ComparedNotes {
  readonly older: Fact
  readonly newer: Fact
  readonly signals: UpdateSignals
}

type IsNewer = (newer: Fact, older: Fact) => boolean

function createAgeComparison(results: readonly RankedFact[], ages: ReadonlyMap<string, number>): IsNewer {
  const said = new Map(results.map(({ fact }) => [fact.id, parseStatedDate(fact)]))
  return (newer, older) => isLater(said.get(newer.id), said.get(older.id)) ?? (ages.get(newer.id) ?? 0) < (ages.get(older.id) ?? 0)
}

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
      group
        .filter((newer) => isNewer(newer, older))
        .map((newer) => ({
          older,
          newer,
          why: STATED_REASON,
          trusted: canSupersede(newer, older),
          probability: STATED_PROBABILITY,
          isCertain: true,
        })),
    ),
  )
}

function listNotePairs({ results, likeness: compute, query = EMPTY_QUERY }: ResultComparison, isNewer: IsNewer): readonly ComparedNotes[] {
  const likeness = rememberPairs(compute, results.length)
  const inTalk = createTurnPredicate(results.map(({ fact }) => fact))
  const read = createReader()
  const best = results.slice(0, MAX_COMPARED)
  const lists = new Set(best.filter(({ fact }) => isList(fact)).map(({ fact }) => fact.id))
  let telling: ReadonlySet<string> | undefined
  const question: NoteWords = readWords(query.text)
  const asked = new Set(question.tokens.filter((token) => !isStop(token)).map(({ term }) => term))
  return best.flatMap((older, i) =>
    best.flatMap((newer, j) => {
      const [a, b] = [older.fact, newer.fact]
      if (i === j || lists.has(a.id) || lists.has(b.id) || (inTalk(a) && inTalk(b)) || !areNotes(older, newer) || !isNewer(b, a)) return []
      const raw = typeof older.judged === 'number' && typeof newer.judged === 'number' ? { older: older.judged, newer: newer.judged } : null
      if (raw !== null && raw.older - raw.newer > MAX_JUDGED_BELOW) return []
      const alike = likeness(i, j)
      if (alike === null || alike < MIN_SIMILARITY) return []
      telling ??= selectDiscriminativeTerms(query.terms, best, read)
      const signals = computeUpdateSignals({
        ...{ older: read(a), newer: read(b), question, asked, telling, alike },
        nearest: areNearest(results, i, j, likeness, isNewer),
        scores: { older: older.score, newer: newer.score },
        raw,
      })
      return [{ older: a, newer: b, signals }]
    }),
  )
}

/** Similarity is symmetric, and each pair is asked for several times. */
function rememberPairs(compute: PairSimilarity, count: number): PairSimilarity {
  const known = new Map<number, number | null>()
  return (a, b) => {
    const key = Math.min(a, b) * count + Math.max(a, b)
    let found = known.get(key)
    if (found === undefined) {
      found = compute(a, b)
      known.set(key, found)
    }
    return found
  }
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

type Reader = (fact: Fact) => ReadNote

/** Each is compared with several others, and read once. */
function createReader(): Reader {
  const known = new Map<string, ReadNote>()
  return ({ id, text }) => {
    const found = known.get(id)
    if (found !== undefined) return found
    const words = readWords(text)
    const note = { terms: new Set(terms(text)), words, tense: tenseOf(text), structure: structureOf(text, words) }
    known.set(id, note)
    return note
  }
}

/** Texts of two titles have two subjects, long ones many. */
function areNotes({ fact: a, isCode }: RankedFact, { fact: b, isCode: alsoCode }: RankedFact): boolean {
  if (Math.max(a.text.length, b.text.length) > (a.title === null || b.title === null ? MAX_NOTE_CHARS : MAX_TITLED_NOTE_CHARS)) return false
  const oneTitle = a.title === null || b.title === null || a.title === b.title
  return oneTitle && a.owner === b.owner && !isCode && !alsoCode && statementOf(a) === null && statementOf(b) === null
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
