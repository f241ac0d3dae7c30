import type { UpdateSignals } from '../recipe/update-recipe.js'
import { type Contrasts, findContrasts } from './note-contrasts.js'
import { type NoteStructure, opensChange, opensCondition } from './note-structure.js'
import { isName, type NoteWords } from './note-words.js'
import { describesPastOnly, mentionsChange, type Tense } from './tense.js'

/** A note with what its wording says. */
export interface ReadNote {
  readonly terms: ReadonlySet<string>
  readonly words: NoteWords
  readonly tense: Tense
  readonly structure: NoteStructure
}

/** Two notes among the results, the later one as a possible update of the earlier one. */
interface NotePair {
  readonly older: ReadNote
  readonly newer: ReadNote
  /** The query, word by word, and its content words. */
  readonly question: NoteWords
  readonly asked: ReadonlySet<string>
  /** Query terms that few of the best results contain. */
  readonly telling: ReadonlySet<string>
  /** Similarity of the notes, from unrelated (0) to equal (1). */
  readonly alike: number
  /** True if no later note is more similar to the older one, and no earlier one to the newer. */
  readonly nearest: boolean
  /** Scores of the notes before this stage, in log-odds, and raw scores of the judge; null where it did not read one of them. */
  readonly scores: { readonly older: number; readonly newer: number }
  readonly raw: { readonly older: number; readonly newer: number } | null
}

/** Log-odds are limited, so that one signal cannot outweigh all others. */
const MAX_LEAD = 4
const limit = (value: number): number => Math.max(-MAX_LEAD, Math.min(MAX_LEAD, value))
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
const flag = (value: boolean): number => (value ? 1 : 0)
const without = (set: ReadonlySet<string>, other: ReadonlySet<string>): string[] => [...set].filter((term) => !other.has(term))
const both = (set: ReadonlySet<string>, other: ReadonlySet<string>): string[] => [...set].filter((term) => other.has(term))

/** Length of the longest common subsequence of two short lists. */
function commonSequence(a: readonly string[], b: readonly string[]): number {
  let row = new Uint16Array(b.length + 1)
  for (const left of a) {
    const next = new Uint16Array(b.length + 1)
    for (let j = 0; j < b.length; j++) next[j + 1] = left === b[j] ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0)
    row = next
  }
  return row[b.length] ?? 0
}

/** Words of a note that take part in the comparison of word order. */
const MAX_SEQUENCE = 60

export function computeUpdateSignals(pair: NotePair): UpdateSignals {
  const { question, older, newer } = pair
  const contrasts = findContrasts({ question, older: older.words, newer: newer.words })
  return {
    base: 1,
    ...similaritySignals(pair),
    ...answerSignals(pair, contrasts),
    ...subjectSignals(pair, contrasts),
    ...timeSignals(pair),
  }
}

function similaritySignals({ older, newer, alike, nearest }: NotePair) {
  const [was, is] = [older.structure.content, newer.structure.content]
  const [first, second] = [older, newer].map(({ words }) => words.tokens.slice(0, MAX_SEQUENCE).map(({ term }) => term))
  const shared = both(is, was).length
  return {
    alike,
    nearest: flag(nearest),
    sequence: share(2 * commonSequence(first ?? [], second ?? []), (first?.length ?? 0) + (second?.length ?? 0)),
    olderHeld: share(shared, was.size),
    newerHeld: share(shared, is.size),
    lost: Math.min(6, was.size - shared),
    gained: Math.min(6, is.size - shared),
  }
}

function answerSignals({ older, newer, asked, telling, scores, raw }: NotePair, { askedOlder, askedNewer }: Contrasts) {
  const [was, is] = [new Set(both(telling, older.terms)), new Set(both(telling, newer.terms))]
  return {
    scoreNewer: limit(scores.newer),
    scoreLead: limit(scores.newer - scores.older),
    judgeNewer: raw === null ? 0 : limit(raw.newer),
    judgeLead: raw === null ? 0 : limit(raw.newer - raw.older),
    askedOlder: flag(askedOlder),
    askedNewer: flag(askedNewer),
    askedByNeither: Math.min(3, without(asked, new Set([...older.structure.content, ...newer.structure.content])).length),
    tellingShared: Math.min(3, both(is, was).length),
    tellingGained: Math.min(3, without(is, was).length),
  }
}

function subjectSignals({ older, newer }: NotePair, contrasts: Contrasts) {
  const [was, is] = [older.structure, newer.structure]
  const hasCommonSubject = both(is.subject, was.subject).length > 0
  // A word before a shared one narrows it: "garage rent" is not "rent".
  const narrowed = is.modifiers.filter(({ modifier, head }) => !was.content.has(modifier) && was.content.has(head))
  const narrows = was.modifiers.some(({ modifier, head }) => !is.content.has(modifier) && is.content.has(head))
  const namesOf = ({ words }: ReadNote): Set<string> => new Set(words.tokens.filter(isName).map(({ term }) => term))
  const lost = [...namesOf(older)].some((name) => !newer.words.terms.has(name))
  const gained = [...namesOf(newer)].some((name) => !older.words.terms.has(name))
  return {
    subjects: flag(was.subject.size > 0 && is.subject.size > 0),
    subjectLost: hasCommonSubject ? Math.min(2, without(was.subject, is.content).length) : 0,
    subjectGained: hasCommonSubject ? Math.min(2, without(is.subject, was.content).length) : 0,
    subjectKnown: flag(is.subject.size > 0 && without(is.subject, was.content).length === 0),
    modifierGained: flag(narrowed.length > 0 && !narrows),
    partOfSubject: flag(is.modifiers.some((one) => one.isPossessive && was.content.has(one.modifier) && !was.content.has(one.head))),
    namesGained: flag(gained),
    namesApart: flag(lost && gained),
    contrastName: flag(contrasts.name),
    contrastLabel: flag(contrasts.label),
    contrastCode: flag(contrasts.code),
    contrastSubject: flag(contrasts.subject),
  }
}

function timeSignals({ older, newer }: NotePair) {
  const [was, is] = [older.structure, newer.structure]
  const opens = opensCondition(is) && is.opening !== was.opening
  return {
    change: flag(mentionsChange(newer.tense, older.tense)),
    dated: flag(opensChange(is)),
    past: flag(describesPastOnly(newer.tense, older.tense)),
    addition: flag(is.adds && !was.adds),
    condition: flag(opens || (is.hasClause && !was.hasClause)),
    relative: flag(is.isRelative && was.isRelative),
  }
}
