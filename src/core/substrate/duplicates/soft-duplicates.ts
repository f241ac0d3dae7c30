import type { Fact } from '../../facts/fact.js'
import { claimKey, claimSubject, scopesOverlap } from '../objects/claims.js'
import { factTypeOf, knowledgeStatus, titleOf } from '../objects/objects.js'
import { evidenceOf, referencesOf } from '../objects/references.js'

export const SOFT_REASONS = ['title_overlap', 'summary_overlap', 'same_kind', 'shared_subject', 'shared_evidence'] as const
type SoftReason = (typeof SOFT_REASONS)[number]

const WEIGHTS = { title: 0.4, summary: 0.4, kind: 0.1, subject: 0.1, evidence: 0.1 } as const
const MIN_SCORE = 0.5
const MIN_OVERLAP = { title: 0.3, summary: 0.25 } as const
/** Kind, subject and evidence contribute at most this; the texts must contribute the rest. */
const MIN_TEXT = (MIN_SCORE - WEIGHTS.kind - WEIGHTS.subject - WEIGHTS.evidence) / WEIGHTS.title
/** Without a common subject or evidence, the texts must contribute everything except the kind. */
const MIN_TEXT_ALONE = (MIN_SCORE - WEIGHTS.kind) / WEIGHTS.title
/** At least one of the two similarities is half of that or more. */
export const MIN_EITHER = { sharing: MIN_TEXT / 2, alone: MIN_TEXT_ALONE / 2 } as const

const STOP = new Set('a an and are as be by for from in is it of on or should that the this to with'.split(' '))
const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'
/** Words, and single characters of scripts without spaces. */
const TOKEN = new RegExp(`[${CJK}]|(?:(?![${CJK}])[\\p{L}\\p{N}_])+`, 'gu')
const PLURAL = /^[a-z0-9_]{3,}s$/u

/** The words by which two texts are compared. */
export function softTokens(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(TOKEN) ?? []
  return new Set(words.filter((word) => !STOP.has(word)).map((word) => (PLURAL.test(word) ? word.slice(0, -1) : word)))
}

export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  let both = 0
  for (const word of small) if (large.has(word)) both++
  return both === 0 ? 0 : both / (a.size + b.size - both)
}

/** The compared parts of a fact. */
export interface SoftView {
  readonly fact: Fact
  readonly title: ReadonlySet<string>
  readonly summary: ReadonlySet<string>
}

const COMPARED_STATUSES: readonly string[] = ['active', 'candidate', 'stale']

/** Claims have rules of their own, and contested or ended facts are already decided. */
export const isSoftlyCompared = (fact: Fact): boolean =>
  factTypeOf(fact) === 'knowledge' && claimKey(fact) === null && COMPARED_STATUSES.includes(knowledgeStatus(fact))

export const softView = (fact: Fact): SoftView => ({ fact, title: softTokens(titleOf(fact)), summary: softTokens(fact.text) })

export interface SoftMatch {
  readonly score: number
  readonly reasons: readonly SoftReason[]
}

/** Subjects of a fact. */
export const softSubjects = (fact: Fact): readonly string[] => {
  const named = claimSubject(fact)
  return [...referencesOf(fact, 'subject_refs'), ...(named === null ? [] : [named])]
}

/** Sources that a fact cites. */
export const softEvidence = (fact: Fact): readonly string[] =>
  evidenceOf(fact).map(({ source_id, segment_id }) => `${source_id}#${segment_id}`)

const meet = (a: readonly string[], b: readonly string[]): boolean => a.some((value) => b.includes(value))

/** Similarity of two facts; undefined below the threshold. */
export function softMatch(a: SoftView, b: SoftView): SoftMatch | undefined {
  if (a.fact.id === b.fact.id || !scopesOverlap(a.fact.scopes, b.fact.scopes)) return undefined
  const title = jaccard(a.title, b.title)
  const summary = jaccard(a.summary, b.summary)
  if (title + summary < MIN_TEXT - 1e-9) return undefined
  const kind = a.fact.kind === b.fact.kind
  const subject = meet(softSubjects(a.fact), softSubjects(b.fact))
  const evidence = meet(softEvidence(a.fact), softEvidence(b.fact))
  const sum =
    WEIGHTS.title * title +
    WEIGHTS.summary * summary +
    (kind ? WEIGHTS.kind : 0) +
    (subject ? WEIGHTS.subject : 0) +
    (evidence ? WEIGHTS.evidence : 0)
  const score = Math.round(Math.min(1, sum) * 1e6) / 1e6
  if (score < MIN_SCORE) return undefined
  const holds = [title >= MIN_OVERLAP.title, summary >= MIN_OVERLAP.summary, kind, subject, evidence]
  return { score, reasons: SOFT_REASONS.filter((_, i) => holds[i]) }
}

export interface SoftHit extends SoftMatch {
  readonly fact: Fact
}

const MAX_HITS = 5

/** Facts similar to this one, best first. `viewOf` lets a caller with many comparisons cache the views. */
export function softDuplicatesOf(fact: Fact, others: readonly Fact[], viewOf: (fact: Fact) => SoftView = softView): readonly SoftHit[] {
  if (!isSoftlyCompared(fact)) return []
  const own = viewOf(fact)
  return others
    .filter(isSoftlyCompared)
    .flatMap((other) => {
      const match = softMatch(own, viewOf(other))
      return match === undefined ? [] : [{ ...match, fact: other }]
    })
    .sort((a, b) => b.score - a.score || compare(titleOf(a.fact), titleOf(b.fact)) || compare(a.fact.id, b.fact.id))
    .slice(0, MAX_HITS)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
